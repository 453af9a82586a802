// The command `gameconfd move-store`, which “gameconfctl store move” runs while the daemon is stopped.

import GameConfCore
import GameConfOutput
import GameConfStorage
import Glibc

/// Moves all data from one database to the other kind: SQLite to PostgreSQL, or back.
struct MoveStore {
  /// The name of the command, which is the first argument of the command line.
  static let name = "move-store"

  private enum Exit: Int32 {
    case done = 0
    case refused = 1
    case usage = 2
    case brokenOff = 7
  }

  private var direction: StoreMove.Direction?
  private var connection: String?
  private var schema: String?
  private var isDryRun = false
  private var isJSON = false
  private let settings: Settings
  private let environment: [String: String]

  /// Runs the command and exits.
  /// - Parameter arguments: The command line after ``name``.
  static func run(_ arguments: [String], environment: [String: String]) -> Never {
    do throws(Faults) { exit(try MoveStore(arguments, environment: environment).run().rawValue) } catch {
      for message in error.messages { say("gameconfd: \(message)\n", to: STDERR_FILENO) }
      exit(Exit.usage.rawValue)
    }
  }

  private init(_ arguments: [String], environment: [String: String]) throws(Faults) {
    var rest = arguments[...]
    var ofSettings: [String] = []
    while let word = rest.popFirst() {
      switch word {
      case "--dry-run": isDryRun = true
      case "--json": isJSON = true
      case "--to", "--postgres", "--schema":
        guard let value = rest.popFirst() else { throw Faults(messages: ["\(word) needs a value"]) }
        switch word {
        case "--to":
          guard let known = StoreMove.Direction(rawValue: value) else {
            throw Faults(messages: ["--to: “\(value)” is not postgres or sqlite"])
          }
          direction = known
        case "--postgres": connection = value
        default: schema = value
        }
      default: ofSettings.append(word)
      }
    }
    self.environment = environment
    settings = try Settings(arguments: ofSettings, environment: environment)
  }

  private func run() throws(Faults) -> Exit {
    guard let direction else { throw Faults(messages: ["name the new store: --to postgres or --to sqlite"]) }
    let folder = settings.stateFolder(environment: environment)
    let directory: StateDirectory
    do throws(StateFault) { directory = try StateDirectory(path: folder) } catch {
      let words = error.code == .locked ? "a gameconfd uses it; stop it, and start it again after the move" : error.message
      Self.say("gameconfd: the state directory \(folder): \(words)\n", to: STDERR_FILENO)
      return .refused
    }
    let move = StoreMove(to: direction, directory: directory, postgres: try postgres())
    let bar = MoveProgressBar()
    do throws(StoreMoveFault) {
      let report = try move.run(isDryRun: isDryRun) { bar.show($0) }
      bar.clear()
      Self.say(isJSON ? json(report) : summary(report, direction), to: STDOUT_FILENO)
      return .done
    } catch {
      bar.clear()
      Self.say("gameconfd: \(error.message)\n", to: STDERR_FILENO)
      if case .brokenOff = error { return .brokenOff }
      return .refused
    }
  }

  /// Returns the PostgreSQL database that the arguments name, or else the one in the settings.
  private func postgres() throws(Faults) -> PostgresSettings {
    var known = settings.postgres
    if let connection {
      known = PostgresSettings(connection: connection, schema: schema ?? settings.postgres?.schema ?? "gameconf")
    } else if let schema, let before = known {
      known = PostgresSettings(connection: before.connection, schema: schema)
    }
    if let known { return known }
    throw Faults(
      messages: [
        schema != nil && connection != nil
          ? "a schema's name has 1 to \(PostgresSettings.schemaBytesMax) bytes, and no NUL"
          : "which PostgreSQL? Give its connection, such as \"host=/run/postgresql dbname=gameconf\", or name it in the settings with store: {postgres: …}"
      ])
  }

  private func summary(_ report: StoreMoveReport, _ direction: StoreMove.Direction) -> String {
    let width = report.tables.map(\.name.count).max() ?? 0
    var lines = report.tables.filter { $0.rows > 0 }.map { table in
      "  " + table.name + String(repeating: " ", count: width + 2 - table.name.count) + "\(table.rows)"
    }
    lines.insert("\(isDryRun ? "would move" : "moved") \(report.rows) rows from \(report.from) to \(report.to)", at: 0)
    if !isDryRun {
      lines.append("every row was compared; the old store stays as \(report.aside)")
      switch direction {
      case .postgres where settings.postgres == nil:
        lines.append("now name the database in the settings, with store: {postgres: …}, and start gameconfd")
      case .postgres: lines.append("now start gameconfd")
      case .sqlite where settings.postgres == nil: lines.append("now start gameconfd")
      case .sqlite: lines.append("now take store: out of the settings, and start gameconfd")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func json(_ report: StoreMoveReport) -> String {
    let tables = ObjectValue(report.tables.map { ($0.name, Value.integer($0.rows)) })
    return JSONWriter.text(
      .object([
        "dry_run": .bool(isDryRun), "from": .string(report.from), "to": .string(report.to), "rows": .integer(report.rows),
        "tables": .object(tables), "aside": isDryRun ? .null : .string(report.aside),
      ])) + "\n"
  }

  fileprivate static func say(_ text: String, to descriptor: Int32) {
    ProgramOutput.say(text, to: descriptor, by: "gameconfd")
  }
}

/// A progress bar in the last line of the terminal; not drawn if standard error is not a terminal.
private final class MoveProgressBar {
  private static let columns = 24
  private static let stepMilliseconds: Int64 = 100

  private let isSeen = isatty(STDERR_FILENO) == 1
  private var last: ContinuousClock.Instant?

  func show(_ progress: StoreMoveProgress) {
    guard isSeen, last.map({ $0.duration(to: .now) > .milliseconds(Self.stepMilliseconds) }) ?? true else { return }
    last = .now
    let share = progress.rowsAll > 0 ? min(1, Double(progress.rows) / Double(progress.rowsAll)) : 1
    let full = Int(share * Double(Self.columns))
    let bar = String(repeating: "#", count: full) + String(repeating: "-", count: Self.columns - full)
    MoveStore.say("\r\u{1B}[K\(progress.step.rawValue) [\(bar)] \(Int(share * 100)) % \(progress.table)", to: STDERR_FILENO)
  }

  func clear() { if isSeen, last != nil { MoveStore.say("\r\u{1B}[K", to: STDERR_FILENO) } }
}
