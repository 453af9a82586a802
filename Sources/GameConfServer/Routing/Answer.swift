// The answer of a handler to one HTTP request, before it is encoded.

package import GameConfCore

/// A complete HTTP answer. The connection adds the headers Date, Content-Length and Connection, and the ETag of a JSON answer to GET.
package struct Answer: Sendable {
  /// The HTTP status, from 200 to 599.
  package var status: Int
  /// The media type of the body; nil without a body.
  package var contentType: String?
  package var body: [UInt8]
  /// The game's revision at which the answer was read, sent in the header `Gameconf-Revision`; nil to send no such header.
  package var revision: UInt64?
  /// The player's revision at which the answer was read, sent in the header `Gameconf-Player-Revision`; nil to send no such header.
  package var playerRevision: UInt64?
  /// The answer's ETag. If nil, the connection uses the hash of the body for a JSON answer to GET.
  package var entityTag: EntityTag?
  /// The target and lifetime of an answer that may be cached, because it is the same for every caller; nil for an answer to one request.
  package var standing: Cacheability?
  /// Further header fields. Control characters in their values are written as `?`.
  package var fields: [Field] = []
  /// True if the body would exceed ``bodyBytesMax``; the server then sends a refusal instead.
  package private(set) var isTooLarge = false

  /// The target and lifetime of a cacheable answer. It is the same for every caller of the target while the published state stays.
  package struct Cacheability: Sendable, Hashable {
    /// The request target in its canonical form, with no unnecessary percent-encoding.
    package var target: String
    /// The host's time from which the answer may differ although the published state stays; nil if that never happens.
    package var until: Instant?
    /// The number of evaluations to count each time the answer is sent, by the position of the counter.
    package var tallies: [Int: Int]
    /// The position in ``ReadMarks`` at which the answer is marked as read (-1 for no mark), and the low 32 bits of the revision, which are
    /// written there.
    package var mark: Int, stamp: UInt32

    package init(target: String, until: Instant?, tallies: [Int: Int] = [:], mark: Int = -1, stamp: UInt32 = 0) {
      self.target = target
      self.until = until
      self.tallies = tallies
      (self.mark, self.stamp) = (mark, stamp)
    }
  }

  package struct Field: Sendable, Hashable {
    /// The header field's name as it is sent, with its capitals.
    package let name: String
    package let value: String

    package init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  package init(status: Int = 200, contentType: String?, body: [UInt8], revision: UInt64? = nil, playerRevision: UInt64? = nil) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.revision = revision
    self.playerRevision = playerRevision
  }

  package static func json(_ value: Value, status: Int = 200, revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    guard let body = JSONWriter.bytes(value, bytesMax: bodyBytesMax, reserving: bodyBytesUsual) else {
      var answer = Answer(contentType: nil, body: [])
      answer.isTooLarge = true
      return answer
    }
    return Answer(status: status, contentType: "application/json", body: body, revision: revision, playerRevision: playerRevision)
  }

  /// The maximum bytes of a body that is built in memory. It equals the largest import, so that every export can be imported. A stream may
  /// be larger.
  package static let bodyBytesMax = 16 << 20

  /// The initial capacity of a body. It fits most answers, so that they are not reallocated while they grow.
  private static let bodyBytesUsual = 1_024

  /// Creates an answer with status 201 and the new resource's path in Location.
  package static func created(_ value: Value, location: String, revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    var answer = json(value, status: 201, revision: revision, playerRevision: playerRevision)
    answer.fields.append(Field("Location", location))
    return answer
  }

  package static func noContent(revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    Answer(status: 204, contentType: nil, body: [], revision: revision, playerRevision: playerRevision)
  }

  package static func text(_ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8") -> Answer {
    Answer(status: status, contentType: contentType, body: Array(text.utf8))
  }
}
