// What a handler answers with.

public import GameConfCore

/// A complete answer; the connection adds Date, Content-Length, Connection, and the ETag of a JSON answer to GET.
public struct Answer: Sendable {
  /// The status, 200 to 599.
  public var status: Int
  /// The body's media type; nil when there is no body.
  public var contentType: String?
  /// The body.
  public var body: [UInt8]
  /// `Gameconf-Revision`, the game's revision the answer was read at.
  public var revision: UInt64?
  /// `Gameconf-Player-Revision`, the player's.
  public var playerRevision: UInt64?
  /// The ETag, where it is not the hash of the body.
  public var entityTag: EntityTag?
  /// For whom else it is, when it is not for this request alone.
  public var standing: Standing?
  /// Further header fields; control characters in a value are written as `?`.
  public var fields: [Field] = []

  /// That an answer is everybody's who asks for a target, as long as the loop's state is in force.
  public struct Standing: Sendable, Hashable {
    /// The target, as it is written without need for escapes.
    public var target: String
    /// When the answer may change all the same, by the host's clock; nil when it will not.
    public var until: Instant?
    /// The evaluations in it, counted each time that it is given: how many by the position of their tally.
    public var tallies: [Int: Int]

    /// An answer for this target.
    public init(target: String, until: Instant?, tallies: [Int: Int] = [:]) {
      self.target = target
      self.until = until
      self.tallies = tallies
    }
  }

  /// A header field.
  public struct Field: Sendable, Hashable {
    /// The field's name, as it is written.
    public let name: String
    /// The field's value.
    public let value: String

    /// A header field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// An answer of these bytes.
  public init(status: Int = 200, contentType: String?, body: [UInt8], revision: UInt64? = nil, playerRevision: UInt64? = nil) {
    self.status = status
    self.contentType = contentType
    self.body = body
    self.revision = revision
    self.playerRevision = playerRevision
  }

  /// An answer of JSON.
  public static func json(_ value: Value, status: Int = 200, revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    var body: [UInt8] = []
    body.reserveCapacity(bodyBytesUsual)
    JSONWriter.append(value, to: &body)
    return Answer(status: status, contentType: "application/json", body: body, revision: revision, playerRevision: playerRevision)
  }

  /// Room for most answers, so that they are not moved again and again while they grow.
  private static let bodyBytesUsual = 1_024

  /// 201 with the new thing's path in Location.
  public static func created(_ value: Value, location: String, revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    var answer = json(value, status: 201, revision: revision, playerRevision: playerRevision)
    answer.fields.append(Field("Location", location))
    return answer
  }

  /// 204.
  public static func noContent(revision: UInt64? = nil, playerRevision: UInt64? = nil) -> Answer {
    Answer(status: 204, contentType: nil, body: [], revision: revision, playerRevision: playerRevision)
  }

  /// An answer of plain text.
  public static func text(_ text: String, status: Int = 200, contentType: String = "text/plain; charset=utf-8") -> Answer {
    Answer(status: status, contentType: contentType, body: Array(text.utf8))
  }
}
