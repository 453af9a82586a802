// Opens states of a disk after a power loss with the real store, and compares them with the acknowledged and the sent changes.

import GameConfCore
import TestSupport

@testable import GameConfStorage

/// A state that has lost or doubled something.
struct CrashFault: Error, CustomStringConvertible {
  let description: String
}

/// A game or a player in a store: its revision and its content.
struct StoredPart: Sendable {
  struct Content: Hashable, Sendable {
    var overrides: [KeyOverrides] = []
    var keyRevisions: [String: Int64] = [:]
    var template: Value?
    var activation: TemplateActivation?
    var clock: SimulatedClock?
    /// All rows about the player; nil for a game.
    var rows: ObjectValue?
  }

  var revision: Int64
  var content: Content
}

/// The possible states of one recording.
///
/// The store, opened with nothing lost, gives the bounds of a state. The state at the last acknowledgement is the minimum, the one at the same place
/// the maximum. Between them, a revision must have the same content whenever it appears. Therefore nothing acknowledged is lost, nothing is doubled
/// or incomplete, and no revision names two contents.
struct CrashStates {
  /// The files before the recording.
  let before: DiskModel
  let records: [DiskRecord]
  let game: String
  /// The players whose rows are compared.
  let players: [String]

  private struct Bounds {
    var least: [String: StoredPart] = [:]
    var seen: [String: [Int64: StoredPart.Content]] = [:]

    mutating func see(_ parts: [String: StoredPart]) {
      for (name, part) in parts { seen[name, default: [:]][part.revision] = part.content }
    }

    /// Returns the faults of parts, given the maximum.
    func faults(_ parts: [String: StoredPart], most: [String: StoredPart]) -> [String] {
      parts.sorted { $0.key < $1.key }.compactMap { name, part in
        let (from, to) = (least[name]?.revision ?? 0, most[name]?.revision ?? 0)
        // The maximum is below an acknowledgement only after a restore.
        if to < from { return nil }
        if part.revision < from { return "\(name) is at \(part.revision), and \(from) was acknowledged" }
        if part.revision > to { return "\(name) is at \(part.revision), and \(to) is the last" }
        guard let known = seen[name]?[part.revision], known != part.content else { return nil }
        return "\(name) at \(part.revision) was\n  \(known)\nand is\n  \(part.content)"
      }
    }
  }

  /// Opens this many different states after a power loss at places of the recording.
  /// - Returns: The number of states opened, not counting those with nothing lost.
  func open(states wanted: Int, seed: UInt64) async throws -> Int {
    var random = SeededGenerator(seed: seed)
    let losses = Array(PowerLoss.allCases.dropFirst())
    let chosen = Set(unsettled.shuffled(using: &random).prefix(max(1, wanted / (2 * losses.count))))
    var (model, bounds, opened, placesLeft) = (before, Bounds(), 0, chosen.count)
    bounds.least = try await parts(of: model.files(after: .nothing, &random), model, "before all")
    bounds.see(bounds.least)
    // The acknowledged minimum of a place is the store at the last acknowledgement before it.
    let marks = Set(chosen.compactMap { place in records[...place].lastIndex { $0.kind == .mark } })
    for (place, record) in records.enumerated() {
      model.apply(record)
      guard chosen.contains(place) || marks.contains(place) else { continue }
      let whole = model.files(after: .nothing, &random)
      let most = try await parts(of: whole, model, name(place, .nothing, seed))
      bounds.see(most)
      if record.kind == .mark { bounds.least = most }
      guard chosen.contains(place) else { continue }
      // Places with few states leave their share to later places.
      let share = max(losses.count, (wanted - opened) / placesLeft)
      placesLeft -= 1
      var known: Set = [Self.digest(whole)]
      for draw in 0..<2 * share where known.count <= share {
        let loss = losses[draw % losses.count]
        let files = model.files(after: loss, &random)
        guard known.insert(Self.digest(files)).inserted else { continue }
        opened += 1
        let faults = bounds.faults(try await parts(of: files, model, name(place, loss, seed)), most: most)
        guard faults.isEmpty else { throw fault(name(place, loss, seed), faults) }
      }
    }
    return opened
  }

  /// Returns a hash of files. The bytes are hashed in one piece, because a comparison byte by byte would take as long as opening the state.
  private static func digest(_ files: [String: [UInt8]]) -> Int {
    var hasher = Hasher()
    for (name, bytes) in files.sorted(by: { $0.key < $1.key }) {
      hasher.combine(name)
      hasher.combine(bytes.count)
      bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
    }
    return hasher.finalize()
  }

  /// The places at which a power loss loses something.
  private var unsettled: [Int] {
    var pending: Set<String> = []
    return records.indices.filter { place in
      let record = records[place]
      switch record.kind {
      case .written, .resized: pending.insert("\(record.file)")
      case .synced: pending.remove("\(record.file)")
      case .created, .removed: pending.insert("in " + DiskModel.folder(of: record.path))
      case .renamed: pending.insert("in " + DiskModel.folder(of: record.target))
      case .folderSynced: pending.remove("in " + record.path)
      case .folderMade, .folderRemoved, .mark: break
      }
      return !pending.isEmpty
    }
  }

  private func name(_ place: Int, _ loss: PowerLoss, _ seed: UInt64) -> String {
    "after \(place) of \(records.count) records, lost: \(loss), seed \(seed)"
  }

  private func fault(_ name: String, _ faults: [String]) -> CrashFault {
    CrashFault(description: "\(name): \(faults.joined(separator: "; "))")
  }

  /// Opens one state and reads its content.
  private func parts(of files: [String: [UInt8]], _ model: DiskModel, _ name: String) async throws -> [String: StoredPart] {
    let folder = try TemporaryFolder(isInMemory: true)
    try model.write(files, to: folder, below: "state")
    let directory = try StateDirectory(path: folder.path + "/state")
    defer { directory.unlock() }
    let lastGood = LastGoodFile(in: directory)
    var faults: [String] = []
    do throws(StateFault) { _ = try lastGood.load() } catch { faults.append("last-good.json \(error.message)") }
    let accepted = AcceptedCatalogFiles(in: directory, owner: StateOwner()).load()
    faults += accepted.faults.map { "\($0.path) \($0.message)" }
    var times = StoreTiming()
    (times.readDeadlineMin, times.secondLook) = (600_000, 1)
    let store = SQLiteStore(in: directory, lastGood: lastGood, times: times, now: { Instant(seconds: 2_000_000_000) })
    if store.health.condition != .good { faults.append("\(store.health.condition)") }
    faults += store.health.unreadable.map(\.phrase)
    guard faults.isEmpty else {
      await store.stop()
      throw fault(name, faults)
    }
    let read = try await parts(of: store)
    await store.stop()
    guard read.damage.isEmpty else { throw fault(name, read.damage) }
    var parts = read.parts
    let text = String(decoding: accepted.catalogs.first { $0.game == game }?.files.first?.bytes ?? [], as: UTF8.self)
    parts["the accepted catalog"] = StoredPart(revision: Self.edition(of: text), content: StoredPart.Content())
    return parts
  }

  /// Reads the served game, each stored player, and any damage. It uses one connection, because each connection parses the schema.
  private func parts(of store: SQLiteStore) async throws -> (parts: [String: StoredPart], damage: [String]) {
    let (game, players, contents) = (game, players, try await store.contents())
    let content = StoredPart.Content(
      overrides: contents.state.sortedOverrides, keyRevisions: contents.state.keyRevisions(of: game),
      template: contents.state.templates[game])
    // Setting a clock and scheduling a template raise no revision of the game, but write an audit line, whose id counts here.
    let audited = StoredPart.Content(activation: contents.state.activations[game], clock: contents.state.clocks[game])
    return try await store.read { view throws in
      guard let connection = view.database as? SQLiteConnection else {
        throw CrashFault(description: "the store has no connection to SQLite")
      }
      var damage = try connection.texts("PRAGMA integrity_check").filter { $0 != "ok" }
      for (sum, query) in Self.wrongSums where try connection.integer(query) != 0 { damage.append(sum) }
      var parts = [game: StoredPart(revision: contents.state.revisions[game] ?? 0, content: content)]
      parts["the audit log"] = StoredPart(revision: try view.audits(AuditSelection(limit: 1)).first?.id ?? 0, content: audited)
      let newest = try view.storedRows(Self.newestAnswer, [])
      parts["the remembered answers"] = StoredPart(
        revision: newest.first?["number"]?.integerValue ?? 0, content: StoredPart.Content(rows: ["newest": .list(newest)]))
      for player in players {
        var rows = try view.storedRows(of: PlayerID(game: game, player: player))
        let plays = rows["plays"]?.listValue ?? []
        rows["plays"] = nil
        for (name, query) in Self.resultsOfPlayer { rows[name] = .list(try view.storedRows(query, [game, player])) }
        parts["player \(player)"] = StoredPart(
          revision: try view.playerRevision(player, in: game), content: StoredPart.Content(rows: rows))
        parts["plays of \(player)"] = Self.part(of: plays)
      }
      return (parts, damage)
    }
  }

  /// Returns the states of plays as one part. They are stored without a revision of the player, so the tests' states contain increasing numbers.
  private static func part(of plays: [Value]) -> StoredPart {
    var steps: Int64 = 0
    for play in plays {
      steps += play["closed_ms"]?.integerValue == nil ? 1 : 2
      if let state = play["state"]?.stringValue, let number = Int64(state) { steps += number }
    }
    let rows: ObjectValue = ["plays": .list(plays)]
    return StoredPart(revision: steps, content: StoredPart.Content(rows: rows))
  }

  /// Returns the number in the first line of a test's catalog, as ``edition(_:of:)`` writes it; 0 without one.
  private static func edition(of catalog: String) -> Int64 {
    let words = catalog.prefix { $0 != "\n" }.split(separator: " ")
    return words.first == "#" ? words.last.flatMap { Int64($0) } ?? 0 : 0
  }

  /// Returns a catalog with a number in its first line.
  static func edition(_ number: Int, of catalog: String) -> String { "# edition \(number)\n" + catalog }

  private static let number = "(SELECT number FROM players WHERE game = ? AND player = ?)"
  /// The tables with further rows of a player.
  private static let resultsOfPlayer = [
    ("bests", Statement(.query, "SELECT * FROM bests WHERE player = \(number) ORDER BY event, detail")),
    (
      "boards",
      Statement(
        .query,
        "SELECT boards.board, per, score, at_ms FROM board_rows JOIN boards ON number = board_rows.board WHERE player = \(number) ORDER BY 1, 2"
      )
    ),
  ]
  private static let newestAnswer = Statement(.query, "SELECT * FROM answers ORDER BY number DESC LIMIT 1")

  /// The sums that are stored redundantly, each with a query that counts the wrong ones.
  private static let wrongSums = [
    (
      "the bytes of remembered answers are another sum",
      "SELECT count(*) FROM answer_shares WHERE bytes <> (SELECT coalesce(sum(bytes), 0) FROM answers WHERE answers.uid = answer_shares.uid)"
    ),
    (
      "the number of players' overrides is another",
      "SELECT count(*) FROM override_counts AS c WHERE of_players <> (SELECT count(*) FROM overrides WHERE game = c.game AND player > '')"
    ),
    (
      "the number of a player's bests is another",
      "SELECT count(*) FROM players WHERE bests <> (SELECT count(*) FROM bests WHERE bests.player = players.number)"
    ),
    (
      "the number of a player's plays is another",
      """
      SELECT count(*) FROM play_owners AS o WHERE game IS NOT NULL AND
        (open, closed) <> (SELECT count(*) - count(closed_ms), count(closed_ms) FROM plays WHERE owner = o.number)
      """
    ),
  ]
}
