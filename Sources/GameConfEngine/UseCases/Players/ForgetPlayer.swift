// Removes all data of a player.
import GameConfCore
public import GameConfStorage

/// The number of removed items of a player, by kind.
public struct PlayerRemovalOutcome: Sendable, Hashable {
  /// The numbers of removed rows: state, history, settings, purchases and plays.
  public var rows: RemovedRowCounts
  /// The number of removed overrides, including overrides with a time window.
  public var overrides: Int
  /// The number of other players' ledgers from which the player's id was removed.
  public var transfers: Int
  /// The number of removed answers that were stored for repeated requests.
  public var answers: Int
  /// The number of audit lines that now have a digest instead of the id.
  public var auditLines: Int
  /// The number of other players' ledgers that cannot be read and may still have the id.
  public var unread = 0
  /// The player's pseudonym in the audit log: `sha256:` and the SHA-256 digest of the id.
  public var pseudonym: String

  /// True if the player had any data except stored answers. Answers are also stored for requests that changed nothing.
  public var isKnown: Bool { rows.isKnown || overrides > 0 || auditLines > 0 }
}

extension PlayerAct<PlayerRemovalOutcome> {
  /// Forgets a player, even if the player's rows cannot be read: removes state, history, settings, purchases, plays, overrides and stored
  /// answers. Audit lines about the player keep a digest of the id and can no longer be reverted. Purchases that were exchanged with other
  /// players stay with those players, without the id.
  ///
  /// For an unknown player, nothing changes. The player revision never repeats, even if the player returns.
  public static var forget: Self {
    // The cache lacks the writes of earlier transactions of the same batch, and this act would not detect that, so it reads the database.
    // The scope is the game, because the removal of the player's overrides creates a revision of the game.
    Self(reach: .game, trustsMemory: false, takesUnreadable: true) { edit in try edit.forget() }
  }
}

extension PlayerEdit {
  /// - Parameter isAudited: True to write an audit line. False at the end of a scenario, which writes one line for all its players.
  func forget(isAudited: Bool = true) throws -> PlayerChangeOutcome<PlayerRemovalOutcome> {
    let pseudonym = "sha256:" + SHA256.hex(of: id.player)
    var gone = PlayerRemovalOutcome(rows: RemovedRowCounts(), overrides: 0, transfers: 0, answers: 0, auditLines: 0, pseudonym: pseudonym)
    let overrides = try transaction.overrides(in: id.game, OverrideSelection(.player(id.player)))
    gone.answers = try transaction.forgetAnswers(of: id)
    gone.auditLines = try transaction.pseudonymise(player: id.player, in: id.game, as: pseudonym)
    gone.overrides = overrides.reduce(0) { $0 + $1.records.count }
    guard gone.isKnown || isUnreadable || !view.stored.isUnknown else {
      try forgetRevisions(isAudited: isAudited)
      return PlayerChangeOutcome(outcome: gone, player: view.stored)
    }
    let revision = try transaction.nextPlayerRevision(id.player, in: id.game)
    try remove(overrides, playerRevision: revision, comesBack: isAudited)
    (gone.transfers, gone.unread) = try leaveOthersLedgers()
    gone.rows = try transaction.forget(id, by: .forget)
    let stored = StoredPlayer(revision: revision)
    if !isAudited { return PlayerChangeOutcome(outcome: gone, player: stored) }
    var line = line(.playerForgotten)
    line.player = pseudonym
    var detail = gone.rows.auditDetail
    for (name, count) in [
      ("overrides", gone.overrides), ("transfers", gone.transfers), ("answers", gone.answers), ("audit_lines", gone.auditLines),
    ] { detail[name] = .integer(Int64(count)) }
    if gone.unread > 0 { detail["unreadable_partners"] = .integer(Int64(gone.unread)) }
    line.detail = .object(detail)
    try transaction.append(line)
    return PlayerChangeOutcome(outcome: gone, player: stored)
  }

  /// Removes the revisions of the player's former overrides, which may remain after the overrides' audit lines have expired.
  private func forgetRevisions(isAudited: Bool) throws {
    if isAudited { try remove([], playerRevision: view.stored.revision) }
    // Memory may have revisions that the database has already dropped.
    _ = try transaction.forget(id, by: .forget, isServed: !slotRevisions.isEmpty)
  }

  /// Removes the player's id from the ledgers of the players with whom purchases were exchanged.
  /// - Returns: The number of changed ledgers, and the number of unreadable ones.
  private func leaveOthersLedgers() throws -> (count: Int, unread: Int) {
    var (count, unread) = (0, 0)
    for partner in try partners().sorted() where OverrideLimits.admits(storedPlayer: partner.text) {
      let other = try beside(partner.text, takesUnreadable: true, isTakenBack: true)
      if other.isUnreadable { unread += 1 }
      guard let ledger = other.view.stored.ledger?.forgetting(id.player) else { continue }
      _ = try other.commit(PlayerWrite(ledger: ledger), lines: [], ledger)
      count += 1
    }
    return (count, unread)
  }

  /// Returns the players with whom purchases were exchanged. If the ledger cannot be read, the ids are taken from its JSON.
  private func partners() throws -> Set<ByteText> {
    guard isUnreadable else { return view.stored.ledger?.partners ?? [] }
    let rows = try transaction.storedRows(of: id)["ledgers"]?.listValue ?? []
    return rows.reduce(into: []) { found, row in
      guard let text = row["ledger"]?.stringValue, let ledger = try? JSONReader.value(from: Array(text.utf8)) else { return }
      found.formUnion(Ledger.partners(inStored: ledger))
    }
  }

  private var slotRevisions: [String: Int64] { service.world.world.overrides(of: id.game).players[ByteText(id.player)]?.revisions ?? [:] }

  /// Removes the player's overrides, and gives each key that ever had one a new game-wide revision.
  ///
  /// After the removal, the player's values have the keys' game-wide revisions. If a key changed for the game while the player had an
  /// override, the key's old game-wide revision may have named the override's value for this player. With a new revision for each key, no
  /// revision names two values.
  /// - Parameter comesBack: False if no client uses the player's id again; the keys then keep their revisions.
  /// - Returns: The game's revision; nil if there was nothing to remove.
  @discardableResult
  func remove(_ overrides: [KeyOverrides], playerRevision: Int64, comesBack: Bool = true) throws -> Int64? {
    let keys = comesBack ? Set(overrides.map(\.slot.key)).union(slotRevisions.keys) : []
    if overrides.isEmpty && keys.isEmpty { return nil }
    let revision = try transaction.nextRevision(of: id.game)
    for each in overrides { try transaction.put(KeyOverrides(slot: each.slot), revision: revision, playerRevision: playerRevision) }
    if !keys.isEmpty { try transaction.setRevision(revision, at: keys, of: id.game) }
    return revision
  }
}
