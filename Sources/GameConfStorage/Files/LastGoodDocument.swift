// The shape of last-good.json.
import GameConfCore
import GameConfEngine

enum LastGoodDocument {
  private static let version: Int64 = 1

  static func document(of state: LastGoodState) -> Value {
    let revisions = state.revisions.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }
    let templates = state.templates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    return [
      "gameconfd_last_good": .integer(version),
      "saved_at_ms": .integer(state.savedAt.milliseconds),
      "revisions": .object(ObjectValue(revisions)),
      "player_revision_max": .integer(state.playerRevisionMax),
      "overrides": .list(state.overrides.map(OverrideDocument.document)),
      "templates": .object(ObjectValue(templates)),
    ]
  }

  static func state(in document: Value) -> LastGoodState? {
    guard document["gameconfd_last_good"]?.integerValue == version, let saved = document["saved_at_ms"]?.integerValue,
      let revisions = document["revisions"]?.objectValue, let players = document["player_revision_max"]?.integerValue,
      let overrides = document["overrides"]?.listValue
    else { return nil }
    var state = LastGoodState(savedAt: Instant(milliseconds: saved), playerRevisionMax: players)
    for member in revisions.members {
      guard let revision = member.value.integerValue else { return nil }
      state.revisions[member.name] = revision
    }
    for override in overrides {
      guard let record = OverrideDocument.record(in: override) else { return nil }
      state.overrides.append(record)
    }
    for member in document["templates"]?.objectValue?.members ?? [] { state.templates[member.name] = member.value }
    return state
  }
}
