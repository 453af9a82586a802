// Removes everything about a player.
import GameConfCore
public import GameConfStorage

/// The numbers of what was removed of a player.
public struct PlayerRemovalOutcome: Sendable, Hashable {
  /// State, history, settings, purchases and plays.
  public var rows: RemovedRowCounts
  /// The number of overrides, windows counted.
  public var overrides: Int
  /// From how many other players' purchases the name was taken out.
  public var transfers: Int
  /// The number of remembered answers to repeats.
  public var answers: Int
  /// The number of lines of the audit log that name a digest now.
  public var auditLines: Int
  /// The most purchases of other players that may still have the name, since they cannot be read.
  public var unread = 0
  /// The pseudonym of the player in the audit log: `sha256:` and the SHA-256 digest of the id.
  public var pseudonym: String

  /// True if anything was there but answers, which are kept of what changed nothing too.
  public var isKnown: Bool { rows.isKnown || overrides > 0 || auditLines > 0 }
}

extension PlayerAct<PlayerRemovalOutcome> {
  /// Forgets a player, readable or not: state, history, settings, purchases, plays, overrides and remembered answers. What the audit log says of the
  /// player stays under a digest of the id, and cannot be taken back any more. What others have by a transfer from or to the player stays theirs
  /// and names nobody.
  ///
  /// If nothing is known of the player, nothing changes. The player revision never repeats, also not for one who comes back.
  public static var forget: Self {
    // Memory does not say what an earlier transaction of the batch has written, and nothing here would find that out.
    // The player's overrides go too, which makes a revision of the game.
    Self(reach: .game, trustsMemory: false, takesUnreadable: true) { edit in try edit.forget() }
  }
}

extension PlayerEdit {
  /// - Parameter tells: whether the audit log has a line of it; the line of a scenario covers what goes with it.
  func forget(tells: Bool = true) throws -> PlayerChangeOutcome<PlayerRemovalOutcome> {
    let pseudonym = "sha256:" + SHA256.hex(of: id.player)
    var gone = PlayerRemovalOutcome(rows: RemovedRowCounts(), overrides: 0, transfers: 0, answers: 0, auditLines: 0, pseudonym: pseudonym)
    let overrides = try transaction.overrides(in: id.game, OverrideSelection(.player(id.player)))
    gone.answers = try transaction.forgetAnswers(of: id)
    gone.auditLines = try transaction.pseudonymise(player: id.player, in: id.game, as: pseudonym)
    gone.overrides = overrides.reduce(0) { $0 + $1.records.count }
    guard gone.isKnown || isUnreadable || !view.stored.isUnknown else {
      try forgetRevisions(tells: tells)
      return PlayerChangeOutcome(outcome: gone, player: view.stored)
    }
    let revision = try transaction.nextPlayerRevision(id.player, in: id.game)
    try remove(overrides, playerRevision: revision, comesBack: tells)
    (gone.transfers, gone.unread) = try leaveOthersLedgers()
    gone.rows = try transaction.forget(id, by: .forget)
    let stored = StoredPlayer(revision: revision)
    if !tells { return PlayerChangeOutcome(outcome: gone, player: stored) }
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

  /// Removes the revisions of the player's slots, the last that may be left of a player whose overrides are gone for longer than the audit log is kept.
  private func forgetRevisions(tells: Bool) throws {
    if tells { try remove([], playerRevision: view.stored.revision) }
    // The database may have dropped revisions that memory still has.
    _ = try transaction.forget(id, by: .forget, isServed: !slotRevisions.isEmpty)
  }

  /// Takes the player's name out of the purchases of those with whom the player exchanged some; no other ledger is looked at.
  /// - Returns: from how many it was taken, and of how many it is not known since they cannot be read.
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

  /// The players with whom purchases were exchanged; of a ledger that cannot be read, as far as its JSON names them.
  private func partners() throws -> Set<ByteText> {
    guard isUnreadable else { return view.stored.ledger?.partners ?? [] }
    let rows = try transaction.storedRows(of: id)["ledgers"]?.listValue ?? []
    return rows.reduce(into: []) { found, row in
      guard let text = row["ledger"]?.stringValue, let ledger = try? JSONReader.value(from: Array(text.utf8)) else { return }
      found.formUnion(Ledger.partners(inStored: ledger))
    }
  }

  /// The revisions of the player's own slots, as memory has them.
  private var slotRevisions: [String: Int64] { service.world.world.overrides(of: id.game).players[ByteText(id.player)]?.revisions ?? [:] }

  /// Removes the player's overrides, and gives each key that ever had one a new game-wide revision.
  ///
  /// Without its slots' revisions the player is answered at the keys' revisions. Such a revision may have named an override: if the key changed while the
  /// override applied.
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
