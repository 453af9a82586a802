// The changes of other daemons since this one looked last.
import GameConfCore
import GameConfEngine

/// The changes in the database, read in one snapshot.
struct PostgresChanges {
  /// The changes, where they could be distinguished; nil when all is to be read again.
  private(set) var notes: TableWriteTransaction.Notes?
  /// Everything, where it could not.
  private(set) var whole: LoadedState?
  /// The games of which another catalog was accepted, or none is any more.
  private(set) var catalogs: [String] = []

  /// Reads it, and notes in the session how far it is known.
  init(_ session: PostgresSession, served: StoredState) throws {
    let transaction = PostgresTransaction(session.connection, session.grammar)
    transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    do {
      let stamps = PostgresSession.stamps(try transaction.round([PostgresSession.stampsQuery])[0])
      let view = TableReadTransaction(transaction, floors: TableReadTransaction.Floors())
      let changed = stamps.filter { $0.value != session.stamps[$0.key] }.keys.sorted()
      let digests = try view.catalogDigests()
      catalogs = Self.differing(digests, served.catalogDigests)
      let isGone = served.catalogDigests.keys.contains { digests[$0] == nil }
      let isOther = try UInt64(bitPattern: view.number(RevisionRows.epoch)) != served.epoch
      var notes = TableWriteTransaction.Notes()
      var isWhole = isGone || isOther
      // A catalog that was accepted is a change of its game.
      for game in Set(changed).union(catalogs).sorted() where !isWhole {
        let forgets = [stamps, session.stamps].map { $0[game, default: GameStamp()].forgets }
        let reader = GameReader(
          game: game, accepted: catalogs.contains(game) ? digests[game] : nil, hasForgotten: forgets[0] != forgets[1], view: view,
          transaction: transaction, served: served)
        if let changes = try reader.changes() { notes.changes += changes } else { isWhole = true }
      }
      _ = try transaction.round([PostgresCommand("COMMIT")])
      if isWhole {
        whole = try session.load()
      } else {
        session.stamps = stamps
        self.notes = notes
      }
    } catch {
      session.rollBack()
      throw transaction.failure ?? error
    }
  }

  /// The games whose catalogs are not the same.
  static func differing(_ digests: [String: Int64], _ others: [String: Int64]) -> [String] {
    Set(digests.keys).union(others.keys).filter { digests[$0] != others[$0] }.sorted()
  }
}

/// Reads what other hosts have changed of one game.
private struct GameReader {
  /// The players of whom the database is asked one by one.
  private static let forgottenMax = 256

  let game: String
  /// The digest of the catalog that another host accepted; nil if the same one is in force.
  let accepted: Int64?
  /// True if players were forgotten.
  let hasForgotten: Bool
  let view: TableReadTransaction
  let transaction: PostgresTransaction
  let served: StoredState

  /// - Returns: The changes in order; nil if they cannot be distinguished.
  func changes() throws -> [StoreChange]? {
    let known = served.revisions[game] ?? 0
    let revision = try view.revision(of: game)
    var changes: [StoreChange] = revision > known ? [.revision(game: game, revision: revision)] : []
    guard let template = try template() else { return nil }
    changes += template
    if hasForgotten {
      guard let forgotten = try forgotten(at: revision) else { return nil }
      changes += forgotten
    }
    changes += try slots(after: known)
    let clock = try view.clock(ofGame: game)
    if clock != served.clocks[game] ?? .host { changes.append(.clock(game: game, clock)) }
    return changes
  }

  /// The changes of the slots that have another revision.
  ///
  /// A slot's last revision stays when its overrides are removed, so all slots that have changed are found by it, those too that were set and unset since
  /// the last look. Where another catalog was accepted, its keys are left to the code that follows catalogs: before that, the new revision would name the
  /// value of the old one.
  private func slots(after known: Int64) throws -> [StoreChange] {
    var changes: [StoreChange] = []
    var keysOfCatalog: [String: Int64] = [:]
    for row in try transaction.rows(RevisionRows.changedSlots, [game, known]) {
      let player = try row.text(0)
      let slot = OverrideSlot(game: game, player: player.isEmpty ? nil : player, key: try row.text(1))
      let revision = try row.integer(2)
      let overrides = try view.overrides(at: slot)
      if overrides.isEmpty, served[slot] == nil, slot.player == nil, accepted != nil {
        keysOfCatalog[slot.key] = revision
      } else {
        let playerRevision = try slot.player.map { try view.playerRevision($0, in: game) }
        changes.append(.overrides(overrides, revision: revision, playerRevision: playerRevision))
      }
    }
    if let accepted { changes.append(.catalogAccepted(game: game, digest: accepted, keyRevisions: keysOfCatalog)) }
    return changes
  }

  /// The changes of the template. The keys that it changes have another revision, like those of an override.
  /// - Returns: nil if the template cannot be read, and if a catalog is to come that it is compiled for.
  private func template() throws -> [StoreChange]? {
    let activation = try view.activation(of: game)
    if activation == served.activations[game] { return [] }
    guard accepted == nil, let activation else { return nil }
    var changes: [StoreChange] = []
    if let active = activation.active {
      guard let version = try version(active) else { return nil }
      let kept = version.kept(since: activation.since)
      if kept != served.templates[game] { changes.append(.templateStored(game: game, kept)) }
    }
    return changes + [.scheduled(game: game, activation)]
  }

  private func version(_ number: Int64) throws(StoreError) -> StoredTemplate? {
    do throws(StoreError) { return try view.template(number, of: game) } catch {
      guard case .unreadable = error else { throw error }
      return nil
    }
  }

  /// The changes that players who were forgotten leave behind. Their slots are gone with their revisions, so what is served is compared with what is there.
  /// - Returns: nil if so many are gone that everything is read sooner.
  private func forgotten(at revision: Int64) throws -> [StoreChange]? {
    let present = Set(try view.overrides(in: game, OverrideSelection(.players)).map(\.slot)).union(try view.playerSlotRevisions().keys)
    let gone = served.slots.filter { $0.game == game && $0.player != nil && !present.contains($0) }
    let players = Dictionary(grouping: gone) { $0.player ?? "" }
    if players.count > Self.forgottenMax { return nil }
    var changes: [StoreChange] = [.playersForgotten(game: game)]
    for (player, slots) in players.sorted(by: { $0.key < $1.key }) {
      let playerRevision = try view.playerRevision(player, in: game)
      changes += slots.filter { served[$0] != nil }.sorted().map {
        .overrides(KeyOverrides(slot: $0), revision: revision, playerRevision: playerRevision)
      }
      changes.append(.forgotten(PlayerID(game: game, player: player)))
    }
    return changes
  }
}
