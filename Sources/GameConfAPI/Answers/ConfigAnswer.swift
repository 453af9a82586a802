// Every value of a game at one revision.

public import GameConfCore

/// Answer of `GET …/config`.
public struct ConfigAnswer: WireShape {
  /// The values, bare or with where they come from.
  public enum Values: Sendable, Hashable {
    /// Key to value, in the catalog's order.
    case bare(ObjectValue)
    /// With `?detail=full`: an object by key on the wire, whose entries repeat the key.
    case full([ValueAnswer])
  }

  /// The game.
  public var game: String
  /// The game's revision at which all of the values were read.
  public var revision: Int64
  /// The values.
  public var values: Values
  /// The layers that could not be asked.
  public var degraded: [String]

  /// An answer.
  public init(game: String, revision: Int64, values: Values, degraded: [String] = []) {
    self.game = game
    self.revision = revision
    self.values = values
    self.degraded = degraded
  }

  /// Its JSON.
  public var wire: Value {
    let values =
      switch self.values {
      case .bare(let values): values
      case .full(let answers): ObjectValue(answers.map { ($0.key, $0.wire) })
      }
    return .object(
      ObjectValue([("game", .string(game)), ("revision", .integer(revision)), ("values", .object(values))])
        .with("degraded", ifAny: degraded))
  }

  /// Reads values as bare ones; ``init(fullWire:)`` reads those of `?detail=full`.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    values = .bare(try members.object("values"))
    degraded = try members.strings("degraded")
  }

  /// Reads an answer to `?detail=full`.
  public init(fullWire: Value) throws(WireFault) {
    try self.init(wire: fullWire)
    var answers: [ValueAnswer] = []
    for member in fullWire["values"]?.objectValue?.members ?? [] {
      answers.append(try ValueAnswer(wire: member.value, at: "/values/\(member.name)"))
    }
    values = .full(answers)
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Every value of a game at one revision.",
      required: [
        "game": SchemaText.string, "revision": SchemaText.integer,
        "values": SchemaText.described(
          SchemaText.map([:]), "Values by key; with detail=full each is an object like the answer for one key."),
      ],
      optional: ["degraded": SchemaText.list(SchemaText.string)])
  }
}
