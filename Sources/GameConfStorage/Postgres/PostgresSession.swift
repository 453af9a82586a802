// A writer's session: the connection, the row in the table `writers`, and the versions of the games' states that were read.
import GameConfCore

/// The version of a game's state in the database, from the game's row in `game_locks`. A change by any daemon raises it.
struct GameStateVersion: Sendable, Hashable {
  var stamp: Int64 = 0
  /// The number of the game's players that were forgotten. Their removed overrides leave no other trace in the tables.
  var forgets: Int64 = 0
}

struct LoadedState {
  var state: StoredState
  /// The lower bound of players' revisions; a row with a lower revision is read as having this revision.
  var playerFloor: Int64
  var unreadable: [UnreadableRow]
}

/// A writer's session with the database. A newer session of the same writer fences it: the older session's batches are refused.
final class PostgresSession {
  let connection: PostgresConnection
  let grammar: PostgresGrammar
  /// The session's random name. The writer's row in `writers` has the name of the writer's newest session.
  let name: String
  /// The id of the database's fleet.
  let fleet: String
  private let writer: String
  private let process: String
  private let patienceMilliseconds: Int32
  /// The factor of the timeout while the whole state is loaded.
  private static let patienceOfLoads: Int32 = 3
  private static let lockNotAvailable = "55P03"
  /// The number of the writer's last committed batch.
  private(set) var batch: Int64
  /// The cached row numbers of leaderboard lists, which never change.
  private var boards = BoardNumberCache()
  /// The versions of the games' states that this session has read, for games with a row in `game_locks`.
  var stamps: [String: GameStateVersion] = [:]

  /// Connects, creates or migrates the tables, and claims the writer's row in `writers`.
  ///
  /// If a former session is still committing, the claim waits for its lock on the row, so that the batch number read then is final.
  /// - Parameters:
  ///   - process: The name that distinguishes this process's sessions from those of another process with the same writer name.
  ///   - expected: The id of the served fleet; nil before the first connection.
  init(
    _ settings: PostgresSettings, _ schema: StoreSchema, _ grammar: PostgresGrammar, writer: String, process: String,
    expecting expected: String? = nil, migrating: (StoreMigration) -> Void
  ) throws(DatabaseFailure) {
    self.grammar = grammar
    self.writer = writer
    self.process = process
    patienceMilliseconds = settings.patienceMilliseconds
    let session = process + "-" + Self.freshName()
    name = session
    let opened = try PostgresConnection(settings, for: .writing)
    connection = opened
    opened.waitsForStandbys = false
    defer { opened.waitsForStandbys = true }
    do throws(DatabaseFailure) {
      try PostgresSchema.admit(expected, opened)
      fleet = try PostgresSchema(settings: settings, schema: schema).bring(opened, migrating: migrating)
      opened.patienceMilliseconds = settings.patienceMilliseconds
      // Without a timeout at the server, a statement would keep waiting for the lock after its connection is closed.
      let answers = try opened.round([
        PostgresCommand("SELECT set_config('lock_timeout', $1, true)", [.text("\(settings.patienceMilliseconds * 4 / 5)")]),
        PostgresCommand(
          """
          INSERT INTO writers (name, session, batch, player_max, version) VALUES ($1, $2, 0, 0, $3)
          ON CONFLICT (name) DO UPDATE SET session = excluded.session, version = excluded.version RETURNING batch
          """, [.text(writer), .text(session), .integer(Int64(schema.version))]),
      ])
      guard let batch = answers.last?.integer(0, 0) else {
        throw DatabaseFailure(.failed, "the database does not report this daemon's last batch")
      }
      self.batch = batch
    } catch {
      opened.close()
      if error.state == Self.lockNotAvailable {
        throw DatabaseFailure(
          .unreachable, "an earlier session of this host still commits; if a synchronous standby is gone, the server waits for it")
      }
      throw error
    }
  }

  static func freshName() -> String { String(UInt64.random(in: .min ... .max), radix: 16) }

  /// The reasons why a session is fenced.
  enum FenceReason {
    /// By an abandoned session of this same process. Its first statement waited at the server, and ran after the daemon had given up the
    /// session.
    case itsOwn
    /// By a move of the store to SQLite, which ended every session.
    case moved
    /// By another daemon that uses the same name.
    case another
  }

  /// Returns the reason why this session is fenced.
  func fence() throws(DatabaseFailure) -> FenceReason {
    let answers = try connection.round([PostgresCommand("SELECT session FROM writers WHERE name = $1", [.text(writer)])])
    guard let row = answers.first?.rows.first, let holder = Row(row).optionalText(0) else { return .another }
    return holder == FleetState.moved ? .moved : holder.hasPrefix(process + "-") ? .itsOwn : .another
  }

  /// Loads the whole served state in one snapshot.
  /// - Returns: The state, the lower bound of players' revisions, and the unreadable rows.
  func load() throws -> LoadedState {
    connection.patienceMilliseconds = patienceMilliseconds * Self.patienceOfLoads
    connection.restartsTimeout = true
    defer { (connection.patienceMilliseconds, connection.restartsTimeout) = (patienceMilliseconds, false) }
    let transaction = PostgresTransaction(connection, grammar)
    transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
    do {
      var unreadable: [UnreadableRow] = []
      var (state, floor) = try StoredState.loaded(from: transaction) { unreadable.append($0) }
      let answers = try transaction.round([
        PostgresCommand("SELECT coalesce(max(player_max), 0) FROM writers"), Self.stampsQuery, PostgresCommand("COMMIT"),
      ])
      state.playerRevisionMax = max(state.playerRevisionMax, answers[0].integer(0, 0) ?? 0)
      stamps = Self.stamps(answers[1])
      return LoadedState(state: state, playerFloor: floor, unreadable: unreadable)
    } catch {
      rollBack()
      throw transaction.failure ?? error
    }
  }

  static let stampsQuery = PostgresCommand("SELECT game, stamp, forgets FROM game_locks")

  /// Locks every game, in the order that all daemons use, which prevents deadlocks.
  private static let lockingGames = PostgresCommand(stampsQuery.sql + " ORDER BY game FOR UPDATE")

  static func stamps(_ answer: PostgresResult) -> [String: GameStateVersion] {
    var stamps: [String: GameStateVersion] = [:]
    for row in answer.rows.map(Row.init) {
      guard let game = row.optionalText(0), let stamp = row.optionalInteger(1), let forgets = row.optionalInteger(2) else { continue }
      stamps[game] = GameStateVersion(stamp: stamp, forgets: forgets)
    }
    return stamps
  }

  /// Raises every revision above the served ones and begins an epoch, because the database has lost writes.
  func raise(above known: StoredState, gap: Int64) throws(DatabaseFailure) {
    // The games are locked first, because batches too lock games before players.
    var commands = [PostgresCommand("BEGIN"), Self.lockingGames]
    for (game, revision) in known.revisions.sorted(by: { $0.key < $1.key }) {
      commands.append(
        PostgresCommand(
          """
          INSERT INTO game_revisions (game, revision) VALUES ($1, $2)
          ON CONFLICT (game) DO UPDATE SET revision = greatest(game_revisions.revision, excluded.revision)
          """, [.text(game), .integer(revision + gap)]))
    }
    for (name, number) in [
      (RevisionRows.playerFloor, known.playerRevisionMax + gap), (RevisionRows.epoch, Int64.random(in: .min ... .max)),
    ] {
      commands.append(
        PostgresCommand(
          "INSERT INTO numbers (name, number) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET number = excluded.number",
          [.text(name), .integer(number)]))
    }
    commands.append(PostgresCommand("UPDATE game_locks SET stamp = stamp + 1, forgets = forgets + 1"))
    commands.append(PostgresCommand("COMMIT"))
    do throws(DatabaseFailure) { _ = try connection.round(commands) } catch {
      rollBack()
      throw error
    }
  }

  /// Begins a database transaction with a batch's locks, in the order that all daemons use: the writer's row, games, players.
  func begin(_ scope: BatchScope, playerRevisionMax: Int64, numbers count: Int) throws(DatabaseFailure) -> (
    PostgresTransaction, [String: GameStateVersion]
  ) {
    var commands = [
      PostgresCommand("BEGIN"),
      PostgresCommand(
        "UPDATE writers SET batch = $1, player_max = greatest(player_max, $2) WHERE name = $3 AND session = $4",
        [.integer(batch + 1), .integer(playerRevisionMax), .text(writer), .text(name)], expects: 1, unexpected: .fenced),
    ]
    for game in scope.games where stamps[game] == nil {
      commands.append(PostgresCommand("INSERT INTO game_locks (game) VALUES ($1) ON CONFLICT (game) DO NOTHING", [.text(game)]))
    }
    let firstGame = commands.count
    if scope.isAll {
      commands.append(Self.lockingGames)
    } else {
      for game in scope.games {
        commands.append(PostgresCommand("SELECT game, stamp, forgets FROM game_locks WHERE game = $1 FOR UPDATE", [.text(game)]))
      }
    }
    let firstPlayer = commands.count
    if !scope.players.isEmpty { commands.append(PrefetchedRows.locking(scope.players)) }
    let transaction = PostgresTransaction(connection, grammar, isWriting: true, boards: boards)
    let firstPrefetched = commands.count
    commands += transaction.prefetching(scope)
    let pastPrefetched = commands.count
    if count > 0 { commands.append(grammar.numbers(count, after: 0)) }
    let answers = try transaction.round(commands)
    var rowNumbers: [PlayerID: Int64] = [:]
    for answer in answers[firstPlayer..<firstPrefetched] {
      for row in 0..<answer.rowsCount {
        guard let number = answer.integer(row, 0), let revision = answer.integer(row, 1) else { continue }
        transaction.note(number, PostgresTransaction.RowVersion(revision: revision, head: answer.integer(row, 2)))
        if let place = answer.integer(row, 3), (1...Int64(scope.players.count)).contains(place) {
          rowNumbers[scope.players[Int(place) - 1]] = number
        }
      }
    }
    transaction.prefetch(answers[firstPrefetched..<pastPrefetched], about: scope, numbers: rowNumbers)
    if count > 0, let given = answers.last { transaction.take(PostgresGrammar.integers(given)) }
    var locked: [String: GameStateVersion] = [:]
    for answer in answers[firstGame..<firstPlayer] { locked.merge(Self.stamps(answer)) { $1 } }
    return (transaction, locked)
  }

  /// Commits a batch, and raises the stamps of the games that it changed.
  func commit(_ transaction: PostgresTransaction, games: [String: Int]) throws(DatabaseFailure) {
    let changed = games.keys.sorted()
    var commands = changed.map { game in
      PostgresCommand(
        """
        INSERT INTO game_locks (game, stamp, forgets) VALUES ($1, 1, $2)
        ON CONFLICT (game) DO UPDATE SET stamp = game_locks.stamp + 1, forgets = game_locks.forgets + excluded.forgets RETURNING stamp, forgets
        """, [.text(game), .integer(Int64(games[game] ?? 0))])
    }
    commands += transaction.closing
    commands.append(PostgresCommand("COMMIT"))
    let answers = try transaction.round(commands)
    batch += 1
    boards = transaction.boards
    for (game, answer) in zip(changed, answers) {
      guard let stamp = answer.integer(0, 0), let forgets = answer.integer(0, 1) else { continue }
      let known = stamps[game] ?? GameStateVersion()
      // If the stamp rose by more than 1, another daemon has changed the game too. This daemon has yet to read that change.
      let isOurs = stamp == known.stamp + 1 && forgets == known.forgets + Int64(games[game] ?? 0)
      if isOurs { stamps[game] = GameStateVersion(stamp: stamp, forgets: forgets) }
    }
  }

  /// The size in bytes of the test row for free space on the server. A change that extends each table that it writes to needs less.
  private static let spaceTriedBytes = 128 << 10

  /// Inserts and deletes a row that no other transaction sees, to test for free space.
  ///
  /// The row is stored out of line, in new pages of its table. It has random letters, which are not compressed. The transaction commits,
  /// because only a commit needs the server's log.
  /// - Throws: `.noSpace` if the server has no space for it.
  func trySpace() throws(DatabaseFailure) {
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+-".utf8)
    var random = SystemRandomNumberGenerator()
    var filler: [UInt8] = []
    filler.reserveCapacity(Self.spaceTriedBytes)
    while filler.count < Self.spaceTriedBytes {
      var bits = random.next()
      for _ in 0..<10 {
        filler.append(letters[Int(bits & 63)])
        bits >>= 6
      }
    }
    let name = PostgresValue.text("space:" + writer)
    _ = try connection.round([
      PostgresCommand("BEGIN"),
      PostgresCommand(
        "INSERT INTO leases (name, holder, until_ms) VALUES ($1, $2, 0)", [name, .text(String(decoding: filler, as: UTF8.self))]),
      PostgresCommand("DELETE FROM leases WHERE name = $1", [name]), PostgresCommand("COMMIT"),
    ])
  }

  /// Announces a change to the other daemons of the fleet, which find it by polling if the announcement is lost. The payload is
  /// the fleet's id, because all fleets in a database have the same channel.
  func announce() throws(DatabaseFailure) {
    connection.waitsForStandbys = false
    defer { connection.waitsForStandbys = true }
    _ = try connection.round([PostgresCommand("SELECT pg_notify($1, $2)", [.text(Self.channel), .text(fleet)])])
  }

  static let channel = "gameconf_changes"

  /// Commits an empty change, which returns only if other commits can return.
  func tryCommit() throws(DatabaseFailure) {
    _ = try connection.round([
      PostgresCommand("BEGIN"),
      PostgresCommand(
        "UPDATE writers SET batch = batch WHERE name = $1 AND session = $2", [.text(writer), .text(name)], expects: 1, unexpected: .fenced),
      PostgresCommand("COMMIT"),
    ])
  }

  /// Makes the session's first commit, as a test of whether commits work.
  /// - Returns: The failure `.late` or `.noSpace`, after which the database can still be read; nil if the commit succeeded.
  /// - Throws: Any other failure.
  func firstCommit() throws(DatabaseFailure) -> DatabaseFailure? {
    do throws(DatabaseFailure) { try tryCommit() } catch {
      guard error.kind == .late || error.kind == .noSpace else { throw error }
      if error.kind == .noSpace { rollBack() }
      return error
    }
    return nil
  }

  func rollBack() { _ = try? connection.round([PostgresCommand("ROLLBACK")]) }
}

/// The games and players that a batch's transactions decide about, and whose rows the batch locks.
struct BatchScope {
  /// True if the scope is every game.
  var isAll = false
  /// The games, in the order of their ids' bytes, in which every daemon locks them.
  private(set) var games: [String] = []
  /// The players, in the order of their ids' bytes, in which every daemon locks them.
  private(set) var players: [PlayerID] = []
  /// The players whose rows the transactions will read, because they are not in memory.
  private(set) var unread: [PlayerID] = []
  /// The leaderboards on which each player's row is already cached.
  private(set) var knownBoards: [PlayerID: Set<String>] = [:]

  init(_ modes: [WriteMode]) {
    var (games, players, unread): (Set<String>, Set<PlayerID>, Set<PlayerID>) = ([], [], [])
    for mode in modes {
      switch mode.scope {
      case .all: isAll = true
      case .game(let game): games.insert(game)
      case .players(let ids):
        players.formUnion(ids)
        for id in ids { knownBoards[id] = knownBoards[id]?.intersection(mode.knownBoards) ?? mode.knownBoards }
        if mode.readsPlayers { unread.formUnion(ids) }
      }
    }
    self.games = games.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    self.players = players.sorted { left, right in
      ByteText.areSame(left.game, right.game)
        ? left.player.utf8.lexicographicallyPrecedes(right.player.utf8) : left.game.utf8.lexicographicallyPrecedes(right.game.utf8)
    }
    self.unread = self.players.filter(unread.contains)
  }
}
