// The shape of last-good.json.
import GameConfCore
import GameConfEngine

enum LastGoodDocument {
  private static let version: Int64 = 1

  static func document(of lastGood: LastGoodState) -> Value {
    let state = lastGood.state
    let revisions = state.revisions.sorted { $0.key < $1.key }.map { ($0.key, Value.integer($0.value)) }
    let templates = state.templates.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let clocks = state.clocks.sorted { $0.key < $1.key }.map { game, clock in
      (
        game,
        [
          "anchor_ms": .integer(clock.anchor.milliseconds), "host_anchor_ms": .integer(clock.hostAnchor.milliseconds),
          "rate_thousandths": .integer(clock.rateThousandths),
        ] as Value
      )
    }
    var document: ObjectValue = [
      "gameconfd_last_good": .integer(version),
      "saved_at_ms": .integer(lastGood.savedAt.milliseconds),
      "revisions": .object(ObjectValue(revisions)),
      "player_revision_max": .integer(state.playerRevisionMax),
      "overrides": .list(state.sortedOverrides.flatMap(\.records).map(OverrideDocument.document)),
      "templates": .object(ObjectValue(templates)),
      "clocks": .object(ObjectValue(clocks)),
    ]
    if let fleet = lastGood.fleet { document["fleet"] = .string(fleet) }
    return .object(document)
  }

  static func state(in document: Value) -> LastGoodState? {
    guard document["gameconfd_last_good"]?.integerValue == version, let saved = document["saved_at_ms"]?.instantValue,
      let revisions = document["revisions"]?.objectValue, let players = document["player_revision_max"]?.countValue,
      let overrides = document["overrides"]?.listValue
    else { return nil }
    var state = StoredState()
    state.playerRevisionMax = players
    for member in revisions.members {
      guard let revision = member.value.countValue else { return nil }
      state.revisions[member.name] = revision
    }
    var records: [OverrideRecord] = []
    for override in overrides {
      guard let record = OverrideDocument.record(in: override) else { return nil }
      records.append(record)
    }
    for (slot, records) in Dictionary(grouping: records, by: \.slot) { state.put(KeyOverrides(slot: slot, records: records)) }
    for member in document["templates"]?.objectValue?.members ?? [] { state.templates[member.name] = member.value }
    for member in document["clocks"]?.objectValue?.members ?? [] {
      guard let anchor = member.value["anchor_ms"]?.instantValue, let host = member.value["host_anchor_ms"]?.instantValue,
        let rate = member.value["rate_thousandths"]?.integerValue
      else { return nil }
      state.clocks[member.name] = SimulatedClock(
        anchor: anchor, hostAnchor: host, rateThousandths: rate)
    }
    var lastGood = LastGoodState(savedAt: saved, state: state)
    lastGood.fleet = document["fleet"]?.stringValue
    return lastGood
  }
}
