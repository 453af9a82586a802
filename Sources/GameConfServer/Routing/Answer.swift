// The answer of a handler.

package import GameConfCore

/// A complete answer; the connection adds Date, Content-Length, Connection, and the ETag of a JSON answer to GET.
package struct Answer: Sendable {
  /// The status, 200 to 599.
  package var status: Int
  /// The body's media type; nil when there is no body.
  package var contentType: String?
  /// The body.
  package var body: [UInt8]
  /// `Gameconf-Revision`, the game's revision the answer was read at.
  package var revision: UInt64?
  /// `Gameconf-Player-Revision`, the player's.
  package var playerRevision: UInt64?
  /// The ETag, where it is not the hash of the body.
  package var entityTag: EntityTag?
  /// For whom else it is, when it is not for this request alone.
  package var standing: Cacheability?
  /// Further header fields; control characters in a value are written as `?`.
  package var fields: [Field] = []
  /// True if its body would have more than ``bodyBytesMax`` bytes; the server refuses it then.
  package private(set) var isTooLarge = false

  /// That an answer is everybody's who asks for a target, as long as the loop's state is in force.
  package struct Cacheability: Sendable, Hashable {
    /// The target, as it is written without need for escapes.
    package var target: String
    /// The instant when the answer may change all the same, by the host's clock; nil when it will not.
    package var until: Instant?
    /// The evaluations in it, counted each time that it is given: how many by the position of their tally.
    package var tallies: [Int: Int]
    /// The position of its mark, -1 for none, and the state that it is of.
    package var mark: Int, stamp: UInt32

    /// An answer for this target.
    package init(target: String, until: Instant?, tallies: [Int: Int] = [:], mark: Int = -1, stamp: UInt32 = 0) {
      self.target = target
      self.until = until
      self.tallies = tallies
      (self.mark, self.stamp) = (mark, stamp)
    }
  }

  /// A header field.
  package struct Field: Sendable, Hashable {
    /// The field's name, as it is written.
    package let name: String
    /// The field's value.
    package let value: String

    /// A header field.
    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// An answer of these bytes.
  package init(status: Int = 200, contentType: String?, body: [UInt8], revision: UInt64? = nil, playerRevision: UInt64? = nil) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.revision = revision
    self.playerRevision = playerRevision
  }

  /// An answer of JSON.
  package static func json(_ value: Value, status: Int = 200, revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    guard let body = JSONWriter.bytes(value, bytesMax: bodyBytesMax, reserving: bodyBytesUsual) else {
      var answer = Answer(contentType: nil, body: [])
      answer.isTooLarge = true
      return answer
    }
    return Answer(status: status, contentType: "application/json", body: body, revision: revision, playerRevision: playerRevision)
  }

  /// The most bytes that the body of one answer may have that is made in memory, as many as the largest import: what is exported can be imported.
  /// A stream may have more.
  package static let bodyBytesMax = 16 << 20

  /// Room for most answers, so that they are not moved again and again while they grow.
  private static let bodyBytesUsual = 1_024

  /// 201 with the new thing's path in Location.
  package static func created(_ value: Value, location: String, revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    var answer = json(value, status: 201, revision: revision, playerRevision: playerRevision)
    answer.fields.append(Field("Location", location))
    return answer
  }

  /// 204.
  package static func noContent(revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    Answer(status: 204, contentType: nil, body: [], revision: revision, playerRevision: playerRevision)
  }

  /// An answer of plain text.
  package static func text(_ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8") -> Answer {
    Answer(status: status, contentType: contentType, body: Array(text.utf8))
  }
}
