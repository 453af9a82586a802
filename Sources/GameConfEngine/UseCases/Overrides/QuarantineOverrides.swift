// Quarantines overrides that a new catalog or template does not permit.
package import GameConfCore
package import GameConfStorage

extension StateTransaction {
  /// Quarantines each override whose value is not admitted, and then the overrides of the keys of each violated constraint. A constraint
  /// is also violated if it will be at a later beginning or end of a window. Game-wide overrides are quarantined before players' overrides.
  /// - Parameters:
  ///   - checking: The checks of the catalog or template that the transaction accepts.
  ///   - revision: The revision at which the new catalog or template comes into force.
  /// - Returns: The quarantined overrides, each published and with an audit line.
  package func quarantineOverrides(
    in game: String, checking: any OverrideChecking, revision: Int64, now: Instant
  ) throws -> [OverrideRecord] {
    var stored: [OverrideSlot: KeyOverrides] = [:]
    for overrides in try self.overrides(in: game, OverrideSelection(.all)) { stored[overrides.slot] = overrides }
    var pass = QuarantinePass(checking: checking, game: game, now: now, overrides: stored)
    pass.dropInadmissible()
    let slots = Dictionary(grouping: stored.keys.sorted()) { $0.player.map(ByteText.init) }
    let gameWide = slots[nil] ?? []
    pass.dropConstrained(gameWide, own: [], player: nil)
    for player in slots.keys.compactMap({ $0 }).sorted() {
      pass.dropConstrained(gameWide, own: slots[player] ?? [], player: player.text)
    }
    for slot in Set(pass.taken.map(\.slot)).sorted() {
      guard let overrides = pass.overrides[slot] else { continue }
      let playerRevision = try slot.player.map { try nextPlayerRevision($0, in: game) }
      try put(overrides, revision: revision, playerRevision: playerRevision)
      for record in pass.taken where record.slot == slot { try append(audit(of: record, revision: revision, now: now)) }
    }
    return pass.taken
  }

  private func audit(of record: OverrideRecord, revision: Int64, now: Instant) -> AuditRecord {
    var line = AuditRecord(at: now, author: .daemon, action: .overrideQuarantined, game: record.slot.game, reason: record.quarantined)
    line.player = record.slot.player
    line.key = record.slot.key
    line.window = record.window?.id
    line.before = record.value
    line.revision = revision
    return line
  }
}

/// The overrides of a game while the quarantine is computed.
private struct QuarantinePass {
  let checking: any OverrideChecking
  let game: String
  let now: Instant
  var overrides: [OverrideSlot: KeyOverrides]
  var taken: [OverrideRecord] = []

  mutating func dropInadmissible() {
    for slot in overrides.keys.sorted() {
      quarantine(slot) { [checking] record in
        do throws(ChangeRefusal) {
          _ = try checking.admit(record.value, for: slot.key, player: slot.player, in: slot.game)
          return nil
        } catch { return Self.words(of: error, about: slot.key) }
      }
    }
  }

  /// Quarantines overrides until no constraint is violated. The loop terminates, because each iteration quarantines at least one override
  /// or is the last.
  mutating func dropConstrained(_ game: [OverrideSlot], own: [OverrideSlot], player: String?) {
    while true {
      let gameWide = game.compactMap { overrides[$0] }
      let players = own.compactMap { overrides[$0] }
      guard let (faults, instant) = firstFaults(gameWide, players, player) else { return }
      let count = taken.count
      for fault in faults {
        for slot in player == nil ? game : own where fault.keys.contains(slot.key) {
          let inForce = overrides[slot]?.inForce(at: instant)
          quarantine(slot) { $0.window?.id == inForce?.window?.id ? "\(fault.id): \(fault.message)" : nil }
        }
      }
      if taken.count == count { return }
    }
  }

  private func firstFaults(_ gameWide: [KeyOverrides], _ players: [KeyOverrides], _ player: String?) -> ([ConstraintFault], Instant)? {
    let edges = (gameWide + players).flatMap { $0.edges(after: now) }
    for instant in [now] + Set(edges).sorted() {
      let values = OverriddenValues(
        game: OverrideConstraints.values(gameWide, at: instant), player: OverrideConstraints.values(players, at: instant))
      let names = Set((player == nil ? values.game : values.player).keys)
      let faults = checking.faults(in: game, values: values, player: player, at: instant).filter { !$0.keys.isDisjoint(with: names) }
      if !faults.isEmpty { return (faults, instant) }
    }
    return nil
  }

  private mutating func quarantine(_ slot: OverrideSlot, _ reason: (OverrideRecord) -> String?) {
    guard var changed = overrides[slot] else { return }
    taken += changed.quarantine(reason)
    overrides[slot] = changed
  }

  private static func words(of error: ChangeRefusal, about key: String) -> String {
    switch error {
    case .inadmissible(_, let fault): fault.message
    case .refused(let refusal) where refusal.code == .unknownKey: "the catalog has no parameter '\(key)'"
    default: "the catalog does not admit it"
    }
  }
}
