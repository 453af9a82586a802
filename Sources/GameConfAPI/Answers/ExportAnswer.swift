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
  /// Every override, the quarantined ones too.
  public var overrides: [OverrideRecord]

  /// An export.
  public init(game: String, revision: Int64, exportedAt: Instant, overrides: [OverrideRecord]) {
    self.game = game
    self.revision = revision
    self.exportedAt = exportedAt
    self.overrides = overrides
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("gameconf_overrides", .integer(Self.formatVersion)), ("game", .string(game)), ("revision", .integer(revision))])
        .with("exported_at", .some(exportedAt)).with("overrides", .some(.list(overrides.map(Self.row)))))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    revision = try members.integer("revision")
    exportedAt = try members.instant("exported_at")
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
      "Every override of a game; an import takes it back as it is.",
      required: [
        "gameconf_overrides": SchemaText.integer, "game": SchemaText.string, "revision": SchemaText.integer,
        "exported_at": SchemaText.instant, "overrides": SchemaText.list(ImportRow.self),
      ])
  }
}
