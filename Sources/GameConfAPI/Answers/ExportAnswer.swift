// Every override of a game as a document that a person can read and an import takes back.

public import GameConfCore

/// Answer of `GET …/overrides/export`.
public struct ExportAnswer: WireShape {
  /// The format's version.
  public static let formatVersion: Int64 = 1

  /// The game.
  public var game: String
  /// The game's revision.
  public var revision: Int64
  /// When it was made.
  public var exportedAt: Instant
  /// Every override that an import can take back.
  public var overrides: [OverrideRecord]
  /// What is not among them.
  public var omitted: [ExportOmission] = []

  /// An export.
  public init(game: String, revision: Int64, exportedAt: Instant, overrides: [OverrideRecord]) {
    self.game = game
    self.revision = revision
    self.exportedAt = exportedAt
    self.overrides = overrides
  }

  /// Its JSON.
  public var wire: Value {
    let head = ObjectValue([
      ("gameconf_overrides", .integer(Self.formatVersion)), ("game", .string(game)), ("revision", .integer(revision)),
    ])
    .with("exported_at", .some(exportedAt))
    return .object((omitted.isEmpty ? head : head.with("omitted", omitted)).with("overrides", .some(.list(overrides.map(Self.row)))))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    exportedAt = try members.instant("exported_at")
    omitted = members.optional("omitted") == nil ? [] : try members.shapes("omitted")
    overrides = []
    for (at, row) in (members.object["overrides"]?.listValue ?? []).enumerated() {
      overrides.append(try Self.record(row, at: "\(pointer)/overrides/\(at)"))
    }
  }

  private static func row(_ record: OverrideRecord) -> Value {
    var object = ObjectValue([("key", .string(record.key))]).with("player", record.player)
    object["value"] = record.value
    return .object(
      object.with("from", record.window?.from).with("until", record.window?.until).with("reason", record.reason)
        .with("author", record.author.name ?? record.author.uid.map { "uid \($0)" }).with("at", .some(record.at))
        .with("quarantined", record.quarantined))
  }

  private static func record(_ row: Value, at pointer: String) throws(WireFault) -> OverrideRecord {
    let members = try WireMembers(row, at: pointer)
    var window: WireWindow?
    if let from = try members.optionalInstant("from"), let until = try members.optionalInstant("until") {
      window = WireWindow(id: nil, from: from, until: until)
    }
    return OverrideRecord(
      key: try members.string("key"), player: try members.optionalString("player"), value: try members.required("value"), window: window,
      author: WireAuthor(uid: nil, name: try members.optionalString("author")), at: try members.instant("at"),
      reason: try members.optionalString("reason"), revision: 0, quarantined: try members.optionalString("quarantined"))
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Every override of a game but those that are omitted; an import takes it back as it is.",
      required: [
        "gameconf_overrides": SchemaText.integer, "game": SchemaText.string, "revision": SchemaText.integer,
        "exported_at": SchemaText.instant, "overrides": SchemaText.list(ImportRow.self),
      ], optional: ["omitted": SchemaText.list(ExportOmission.self)])
  }
}

/// An override that is not in an export.
public struct ExportOmission: WireShape, Hashable {
  /// Why it is not.
  public enum Reason: String, Sendable, Hashable, CaseIterable {
    /// Its value is not for who asked.
    case secret
    /// The catalog does not admit it, so an import would be refused.
    case quarantined
  }

  /// The key.
  public var key: String
  /// The player it is for; nil for the whole game.
  public var player: String?
  /// Why it is not there.
  public var because: Reason

  /// An omission.
  public init(key: String, player: String? = nil, because: Reason) {
    self.key = key
    self.player = player
    self.because = because
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue([("key", .string(key))]).with("player", player).with("because", .some(because.rawValue)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    key = try members.string("key")
    player = try members.optionalString("player")
    because = try members.word("because")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "An override that an export leaves out.", required: ["key": SchemaText.string, "because": SchemaText.words(Reason.self)],
      optional: ["player": SchemaText.string])
  }
}
