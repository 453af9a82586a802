// A store that is moved from SQLite to PostgreSQL and back, interrupted at every step, and refused.
import GameConfCore
import Glibc
import TestSupport
import Testing

@testable import GameConfStorage

@Suite("A store that is moved", .enabled(if: StoreKind.postgresConnection != nil))
struct StoreMoveTests {
  private let settings: PostgresSettings
  private let folder: TemporaryFolder

  init() throws {
    var settings = try PostgresSettings.fresh()
    settings.connection += " application_name=\(settings.schema)"
    self.settings = settings
    folder = try TemporaryFolder()
  }

  private func path(_ name: String) -> String { "\(folder.path)/\(name)" }

  private func move(
    _ direction: StoreMove.Direction, _ name: String, isDryRun: Bool = false, with report: @escaping (StoreMoveProgress) -> Void = { _ in }
  ) throws -> StoreMoveReport {
    let directory = try StateDirectory(path: path(name))
    defer { directory.unlock() }
    return try StoreMove(to: direction, directory: directory, postgres: settings).run(isDryRun: isDryRun, reporting: report)
  }

  /// Returns the reason why a move is refused; nil if it is not refused.
  private func refusal(_ direction: StoreMove.Direction, _ name: String) -> String? {
    do {
      _ = try move(direction, name)
      return nil
    } catch { return (error as? StoreMoveFault)?.message ?? "\(error)" }
  }

  /// Returns a number that the column admits; it differs for each row if the column admits enough numbers.
  private static func number(_ row: Int64, _ table: String, _ column: String) -> Int64 {
    guard let range = StoredTable.named(table)?.column(column)?.number?.range else { return row }
    return min(max(row, range.lowerBound), range.upperBound)
  }

  private func cell(_ column: MoveTable.Column, _ row: Int64, of table: MoveTable) -> StoredCell {
    switch column.kind {
    // Values that concern the whole store are parsed before the move, so they must be valid.
    case .text where table.name == "scenarios" && column.name == "scenario":
      .text(Array("{\"uid\":\(row),\"name\":\"é \\\"{},' \(row)\",\"games\":[],\"holds\":[]}".utf8))
    case .text where table.name == "templates" && column.name == "origin": .text(Array(StoredTemplate.TemplateOrigin.pushed.rawValue.utf8))
    case .blob where table.name == "catalogs": .blob(AcceptedCatalogDocument.bytes(of: []))
    case .integer where column.name == "is_open": .integer(row % 2)
    case .integer where column.name == "prior": row > 1 ? .integer(row - 1) : .null
    case .integer: .integer(Self.number(row, table.name, column.name))
    case .text: .text(Array("\(table.name) \(column.name) \(row) é \"{}\\,' ".utf8))
    case .blob: .blob([0, 255, UInt8(truncatingIfNeeded: row)])
    }
  }

  /// Creates a database with rows in every table and a value in every column.
  private func fill(_ name: String) throws {
    let directory = try StateDirectory(path: path(name))
    defer { directory.unlock() }
    let database = try DatabaseFile(path: directory.databasePath).connect()
    defer { database.close() }
    try database.execute("PRAGMA journal_mode = WAL")
    try StoreSchema.current.migrate(database, from: 0)
    let side = SQLiteMoveEndpoint(database)
    // Packed lines are unpacked during the move, so that table is empty afterwards.
    for table in try MoveTable.all() where table.name != "audit_packs" {
      let count: Int64 = ["player_lines", "players", "audit"].contains(table.name) ? 2_003 : 7
      try side.write((1...count).map { row in MoveRow(cells: table.columns.map { cell($0, row, of: table) }) }, to: table)
    }
    for (name, number) in [(RevisionRows.epoch, 77), (StreamRows.tailName, 1_500), (ClockRows.hostSeen, 5)] as [(String, Int64)] {
      try database.run("INSERT INTO numbers (name, number) VALUES (?, ?)", [name, number])
    }
  }

  /// Returns every row of a database by its table, except for numbers that belong to one host.
  private func rows(_ file: String) throws -> [String: [MoveRow]] {
    let database = try DatabaseFile(path: file).connectReading()
    defer { database.close() }
    let side = SQLiteMoveEndpoint(database)
    var all: [String: [MoveRow]] = [:]
    for table in try MoveTable.all() {
      all[table.name] = try side.rows(of: table, after: nil, count: 10_000).filter {
        table.name != MoveTable.numbers || MoveToPostgres.isCommon($0.cells[0].text ?? "") && $0.cells[0].text != RevisionRows.playerMax
      }
    }
    return all
  }

  /// Queries the server on a separate connection.
  private func ask(_ sql: String, _ arguments: [PostgresValue] = []) throws -> Int64? {
    var plain = settings
    plain.connection = try #require(StoreKind.postgresConnection)
    let connection = try PostgresConnection(plain, for: .following)
    defer { connection.close() }
    let answer = try connection.round([PostgresCommand(sql, arguments)]).last
    return answer.flatMap { $0.rowsCount > 0 ? $0.integer(0, 0) : nil }
  }

  private func breakConnections() {
    _ = try? ask("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = $1", [.text(settings.schema)])
  }

  /// Returns the reason why a daemon may not serve the schema; nil if it may.
  private func refusalOfDaemon() throws -> String? {
    let connection = try PostgresConnection(settings, for: .writing)
    defer { connection.close() }
    let schema = PostgresSchema(settings: settings, schema: .current)
    do throws(DatabaseFailure) {
      _ = try schema.bring(connection) { _ in }
      return nil
    } catch {
      _ = try? connection.round([PostgresCommand("ROLLBACK")])
      return error.message
    }
  }

  @Test("every row of every table is moved, there and back; a dry run changes nothing; the old store is no longer served")
  func thereAndBack() throws {
    try fill("one")
    let before = try rows(path("one/gameconfd.db"))
    #expect(before.filter { $0.value.isEmpty }.map(\.key) == ["audit_packs"], "a table that is empty shows nothing")
    let looked = try move(.postgres, "one", isDryRun: true)
    #expect(looked.tables.allSatisfy { $0.rows == (before[$0.name]?.count).map(Int64.init) || $0.name == MoveTable.numbers })
    #expect(try ask("SELECT count(*) FROM pg_namespace WHERE nspname = $1", [.text(settings.schema)]) == 0)
    #expect(try rows(path("one/gameconfd.db")) == before)
    var steps: [StoreMoveProgress] = []
    let moved = try move(.postgres, "one") { steps.append($0) }
    #expect(moved.rows == looked.rows && moved.aside == path("one/gameconfd.db.moved"))
    #expect(access(path("one/gameconfd.db"), F_OK) != 0 && access(moved.aside, F_OK) == 0)
    for step in [StoreMoveProgress.Step.copying, .comparing] {
      let counted = steps.filter { $0.step == step }
      #expect(counted.last?.rows == moved.rows && zip(counted, counted.dropFirst()).allSatisfy { $0.rows <= $1.rows })
    }
    // Numbers that the database assigns continue above those of the moved rows.
    #expect(try ask("SELECT nextval(pg_get_serial_sequence('players', 'number'))") == 2_004)
    #expect(try ask("SELECT number FROM numbers WHERE name = 'last_number:audit'") == 2_003)
    #expect(try refusalOfDaemon() == nil)
    let back = try move(.sqlite, "two")
    #expect(back.rows >= moved.rows - 1)
    #expect(try rows(path("two/gameconfd.db")) == before)
    #expect(try refusalOfDaemon()?.contains("was moved to SQLite") == true)
    #expect(refusal(.sqlite, "three")?.contains("was moved to SQLite already") == true)
    #expect(refusal(.postgres, "two")?.contains("was moved to SQLite; name another") == true)
    let database = try DatabaseFile(path: path("two/gameconfd.db")).connectReading()
    defer { database.close() }
    #expect(try database.integer("SELECT seq FROM sqlite_sequence WHERE name = 'audit'") == 2_003)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'moving%'") == 0)
  }

  @Test("a move that is interrupted at any step leaves the store as it was and resumes where it stopped")
  func brokenOff() throws {
    try fill("one")
    let before = try rows(path("one/gameconfd.db"))
    for (direction, name) in [(StoreMove.Direction.postgres, "one"), (.sqlite, "two")] {
      var breaks = 0
      var isDone = false
      while !isDone {
        var (reports, isBroken) = (0, false)
        do {
          _ = try move(direction, name) { progress in
            reports += 1
            if reports == 2 + breaks, !isBroken {
              isBroken = true
              breakConnections()
            }
          }
          isDone = true
        } catch StoreMoveFault.brokenOff(let words) {
          breaks += 1
          try #require(breaks < 200, "it never ends: \(words)")
          #expect(words.contains("begin the same move again"))
          if direction == .postgres {
            #expect(try rows(path("one/gameconfd.db")) == before)
            #expect(try refusalOfDaemon()?.contains("is unfinished") == true)
          } else {
            #expect(access(path("two/gameconfd.db"), F_OK) != 0)
            #expect(try refusalOfDaemon() == nil)
          }
        }
      }
      #expect(breaks > 5)
    }
    #expect(try rows(path("two/gameconfd.db")) == before)
  }

  @Test("a move that is interrupted between its last two steps is completed when it is repeated, unless the target has changed")
  func ended() throws {
    try fill("one")
    let before = try rows(path("one/gameconfd.db"))
    let moved = try move(.postgres, "one")
    #expect(rename(moved.aside, path("one/gameconfd.db")) == 0)
    // A write to the target during the move is detected.
    let word = "ledgers ledger 3 é \"{}\\,' "
    _ = try ask("UPDATE \(settings.quotedSchema).ledgers SET ledger = 'x' WHERE number = 3")
    #expect(refusal(.postgres, "one")?.contains("ledgers (3) differs") == true)
    _ = try ask("UPDATE \(settings.quotedSchema).ledgers SET ledger = $1 WHERE number = 3", [.text(word)])
    #expect(try move(.postgres, "one").rows == moved.rows)
    #expect(access(path("one/gameconfd.db"), F_OK) != 0)
    _ = try move(.sqlite, "two")
    #expect(rename(path("two/gameconfd.db"), path("two/gameconfd.db.moving")) == 0)
    #expect(refusal(.sqlite, "three")?.contains("already") == true)
    _ = try move(.sqlite, "two")
    #expect(try rows(path("two/gameconfd.db")) == before)
  }

  @Test("a move that is impossible or has no valid target is refused with the reason, and nothing is changed")
  func refused() throws {
    #expect(refusal(.postgres, "nothing")?.contains("there is no database at") == true)
    #expect(refusal(.sqlite, "nothing")?.contains("there is no store in the schema") == true)
    try fill("one")
    let file = path("one/gameconfd.db")
    let before = try rows(file)
    func change(_ sql: String) throws {
      let database = try DatabaseFile(path: file).connect()
      defer { database.close() }
      try database.execute(sql)
    }
    #expect(refusal(.sqlite, "one")?.contains("there is a database at \(file) already") == true)
    for (sql, back, words) in [
      ("PRAGMA user_version = 99", "PRAGMA user_version = \(StoreSchema.current.version)", "newer gameconfd (version 99"),
      ("PRAGMA user_version = 3", "PRAGMA user_version = \(StoreSchema.current.version)", "is of version 3"),
      ("PRAGMA application_id = 5", "PRAGMA application_id = \(StoreSchema.applicationID)", "is not a database of gameconfd's"),
    ] {
      try change(sql)
      #expect(refusal(.postgres, "one")?.contains(words) == true, "\(words)")
      try change(back)
    }
    #expect(try ask("SELECT count(*) FROM pg_namespace WHERE nspname = $1", [.text(settings.schema)]) == 0)
    for (cell, words) in [("x'00'", "gameconfd did not write"), ("'a' || char(0)", "not UTF-8, or has a NUL")] {
      try change("UPDATE ledgers SET ledger = \(cell) WHERE number = 3")
      let refusal = refusal(.postgres, "one")
      #expect(refusal?.contains(words) == true && refusal?.contains("ledgers (3)") == true, "\(refusal ?? "")")
    }
    try change("UPDATE ledgers SET ledger = 'ledgers ledger 3 é \"{}\\,'' ' WHERE number = 3")
    #expect(try rows(file) == before)
    // A move of another store is refused while that move is unfinished, and after it has ended.
    try fill("other")
    let other = try DatabaseFile(path: path("other/gameconfd.db")).connect()
    try other.execute("UPDATE numbers SET number = 78 WHERE name = '\(RevisionRows.epoch)'")
    other.close()
    #expect(refusal(.postgres, "other")?.contains("unfinished move of another store") == true)
    _ = try move(.postgres, "one")
    #expect(refusal(.postgres, "other")?.contains("has the store of the fleet") == true)
    _ = try ask(
      "INSERT INTO hosts (name, seen_ms, release, ahead_ms) VALUES ('h1', (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT, '1', 0)")
    #expect(refusal(.sqlite, "two")?.contains("within the last minute: h1") == true)
    _ = try ask("DROP TABLE ledgers")
    _ = try ask("UPDATE hosts SET seen_ms = 0")
    #expect(refusal(.sqlite, "two")?.contains("ledgers") == true)
    #expect(access(path("two/gameconfd.db"), F_OK) != 0)
  }

  @Test("a suspended host that the move overlooks writes nothing while its store is moved away, and is notified afterwards")
  func stoodStill() async throws {
    let host = try FleetHost(settings, "still")
    let ada = PlayerID(game: "g", player: "ada")
    try await host.store.visit(ada)
    var shortTimeout = settings
    shortTimeout.patienceMilliseconds = 300
    let session = try PostgresSession(shortTimeout, .current, PostgresGrammar(writer: "other"), writer: "other", process: "a") { _ in
    }
    let scope = BatchScope([WriteMode(scope: .players([ada]))])
    // The trigger hides the host from the move, as if the host were suspended.
    _ = try ask(
      """
      CREATE FUNCTION \(settings.quotedSchema).unseen() RETURNS TRIGGER LANGUAGE plpgsql AS 'BEGIN NEW.seen_ms = 0; RETURN NEW; END'
      """)
    _ = try ask(
      "CREATE TRIGGER unseen BEFORE INSERT OR UPDATE ON \(settings.quotedSchema).hosts FOR EACH ROW EXECUTE FUNCTION \(settings.quotedSchema).unseen()"
    )
    _ = try ask("UPDATE \(settings.quotedSchema).hosts SET seen_ms = 0")
    var held: DatabaseFailure?
    _ = try move(.sqlite, "two") { _ in
      guard held == nil else { return }
      do throws(DatabaseFailure) { _ = try session.begin(scope, playerRevisionMax: 0, numbers: 0) } catch { held = error }
      session.connection.close()
    }
    #expect(held?.message.contains("has not answered for 300 ms") == true, "\(String(describing: held))")
    let refused = await #expect(throws: StoreError.self) { try await host.store.visit(ada) }
    #expect("\(String(describing: refused))".contains("was moved to SQLite"), "\(String(describing: refused))")
    let words = if case .failing(let words) = host.store.health.condition { words } else { "" }
    #expect(words.contains("was moved to SQLite"), "\(words)")
    let database = try DatabaseFile(path: path("two/gameconfd.db")).connectReading()
    defer { database.close() }
    #expect(try database.integer("SELECT revision FROM players WHERE player = 'ada'") == 1)
  }

  @Test("a host that begins to write between two checks of the move makes the move fail, and nothing is lost")
  func began() async throws {
    let host = try FleetHost(settings, "one")
    try await host.store.visit(PlayerID(game: "g", player: "ada"))
    host.store.close()
    _ = try ask("UPDATE hosts SET seen_ms = 0")
    var hasBegun = false
    let refusal = #expect(throws: StoreMoveFault.self) {
      try move(.sqlite, "two") { _ in
        if !hasBegun { _ = try? ask("INSERT INTO writers (name, session, batch, player_max, version) VALUES ('new', 'a', 1, 0, 1)") }
        hasBegun = true
      }
    }
    #expect(refusal?.message.contains("began to write to it meanwhile") == true, "\(refusal?.message ?? "")")
    #expect(try refusalOfDaemon() == nil, "it is served from as before")
    #expect(access(path("two/gameconfd.db"), F_OK) != 0)
    _ = try move(.sqlite, "two")
  }

  @Test("the state of a fleet is moved to one host whole: histories, the stream, and consecutive numbers")
  func fleetAndBack() async throws {
    let (ada, bob) = (PlayerID(game: "g", player: "ada"), PlayerID(game: "g", player: "bob"))
    func entries(_ store: any Store) async throws -> ([Int64], [Int64]) {
      try await store.read { view in
        (try view.history(of: ada, before: nil, limit: 50).map(\.number), try view.stream(of: "g", after: 0).events.map(\.number))
      }
    }
    let state = try StateDirectory(path: path("one"))
    let first = SQLiteStore(in: state, lastGood: LastGoodFile(in: state), times: .tests, now: { Instant(seconds: 1000) })
    first.publish { _ in nil }
    for _ in 0..<3 { try await first.visit(ada) }
    first.close()
    state.unlock()
    _ = try move(.postgres, "one")
    let host = try FleetHost(settings, "one")
    for _ in 0..<4 { try await host.visit(ada) }
    for number in 0..<3 { try await host.store.play(number == 1 ? bob : ada, closing: number == 2) }
    let (history, _) = try await entries(host.store)
    #expect(history.count == 9)
    let ofEvent = try await host.store.read { try $0.events(named: "over", of: ada, limit: 10) }.map(\.number)
    #expect(ofEvent == [9, 8])
    let charges = ["SELECT sum(bytes)::BIGINT FROM play_owners", "SELECT sum(bytes)::BIGINT FROM play_users"].map { try? ask($0) }
    // The move does not wait for a host that has ended.
    host.store.close()
    let spread = try ask("SELECT max(number) - min(number) FROM player_lines")
    #expect((spread ?? 0) > 7, "numbers that follow each other show nothing")
    _ = try move(.sqlite, "two")
    let database = try DatabaseFile(path: path("two/gameconfd.db")).connectReading()
    #expect(try database.integer("SELECT max(number) - min(number) FROM player_lines") == 9)
    #expect(try database.integer("SELECT sum(bytes) FROM play_owners") == charges[0])
    #expect(try database.integer("SELECT sum(bytes) FROM play_users") == charges[1])
    database.close()
    let there = try StateDirectory(path: path("two"))
    let last = SQLiteStore(in: there, lastGood: LastGoodFile(in: there), times: .tests, now: { Instant(seconds: 1000) })
    defer { last.close() }
    last.publish { _ in nil }
    #expect(try await entries(last).0 == history)
    #expect(try await last.read { try $0.events(named: "over", of: ada, limit: 10) }.map(\.number) == ofEvent)
    #expect(try await last.read { try $0.playState("a", of: ada) } == Array("{\"n\":1}".utf8))
    #expect(try await last.read { try $0.play("a", of: ada) }?.closedAt == Instant(seconds: 2))
    try await last.visit(ada)
    try await last.play(ada, closing: nil)
    #expect(try await entries(last).0.count == 11)
    #expect(try await last.read { try $0.events(named: "over", of: ada, limit: 10) }.map(\.number) == [11] + ofEvent)
  }
}

extension Store {
  /// Records an event of a player's play “a” with a state.
  /// - Parameter isClosing: True if the play ends; nil to leave the play out.
  fileprivate func play(_ id: PlayerID, closing isClosing: Bool?) async throws {
    try await write(WriteMode(scope: .players([id])), refusing: StoreError.self) { transaction in
      let stored = try transaction.player(id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: 0))
      let number = state.openVisit(now: Instant(seconds: 1)).number
      let entry = HistoryEntry(number: number, at: Instant(seconds: 1), kind: .event, details: ["event": "over"])
      let line = PlayerLine(entry: entry, retained: 200)
      guard try transaction.write(PlayerWrite(state: state, lines: [line]), of: id, over: stored) != nil else {
        throw StoreError.failed("another revision than was just read")
      }
      guard let isClosing else { return }
      if try transaction.play("a", of: id) == nil {
        let play = StoredPlay(
          id: "a", openedAt: Instant(seconds: 1), revision: 1, keysCount: 0, digest: "d", bytesCount: 2, uid: 5, context: ObjectValue())
        try transaction.add(play, of: id, values: Array("{}".utf8))
      }
      try transaction.set(state: Array("{\"n\":1}".utf8), ofPlay: "a", player: id)
      if isClosing { try transaction.close("a", of: id, at: Instant(seconds: 2), host: Instant(seconds: 2)) }
    }
  }

  /// Opens a visit of a player, based on the stored row.
  fileprivate func visit(_ id: PlayerID) async throws {
    try await write(WriteMode(scope: .players([id])), refusing: StoreError.self) { transaction in
      let stored = try transaction.player(id)
      var state = stored.state ?? PlayerState(createdAt: Instant(seconds: 0))
      let entry = state.openVisit(now: Instant(seconds: 1))
      guard try transaction.write(PlayerWrite(state: state, entry: entry), of: id, over: stored) != nil else {
        throw StoreError.failed("another revision than was just read")
      }
    }
  }
}
