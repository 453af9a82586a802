// The daemon's own settings, read once at start: command line over environment over configuration file.

import GameConfCore
import GameConfFormats
import GameConfStorage
import Logging

/// The settings of the daemon.
struct Settings: Sendable {
  /// The folder that replaces the three of a package.
  var defaults: String?
  /// The folder of the sockets when systemd passes none.
  var runtimeDirectory: String?
  /// The folder of the state.
  var stateDirectory: String?
  /// The folder of the images that games map; `off` for nowhere.
  var images: String?
  /// The PostgreSQL database that the store is in; nil for SQLite in the state directory.
  var postgres: PostgresSettings?
  /// True if the store that was served last is left behind, where the settings name another kind.
  var abandons = false
  /// True if saved catalogs are reloaded at once.
  var watches = false
  /// The instant both clocks stand still at.
  var clock: Instant?
  /// True if the daemon is to check and end.
  var checksOnly = false
  /// Event loops that serve.
  var loops = 1
  /// The least level that is logged.
  var logLevel = Logger.Level.info
  /// The group whose members may do everything.
  var adminGroup = "gameconf-admin"
  /// The group whose members may write under players.
  var testerGroup = "gameconf-tester"
  /// The group whose members may push templates.
  var publisherGroup = "gameconf-publisher"
  /// Limits that may be set, by name; absent ones keep the server's own.
  var limits: [Setting: Int] = [:]
  /// The file that was read, when there was one.
  var file: String?
  /// The users of the games socket, and their games; nil leaves it open.
  var clients: [ClientRule]?
  /// The most connections some users may have, by name.
  var perUser: [String: Int] = [:]
  /// The uids that are served a game's secret parameters, by game.
  var secretReaders: [String: [UInt32]] = [:]
  /// The settings without effect, a line each.
  var warnings: [String] = []

  /// Reads all three sources.
  /// - Parameters:
  ///   - arguments: without the program's name.
  ///   - environment: the whole environment.
  /// - Throws: every fault at once.
  init(arguments: [String], environment: [String: String]) throws(Faults) {
    let given = try Self.check(arguments)
    warnings = Self.warnings(of: environment)
    let document = try SettingsDocument(path: given[.config] ?? environment[Setting.config.variable])
    file = document.path
    clients = document.clients
    perUser = document.perUser
    secretReaders = document.secretReaders
    postgres = document.postgres
    abandons = given[.abandon] != nil
    var faults: [String] = []

    func text(_ setting: Setting) -> String? { given[setting] ?? environment[setting.variable] ?? document.scalars[setting] }
    func origin(_ setting: Setting) -> String {
      let name = setting.rawValue
      return "--\(name), \(setting.variable) or \(document.path ?? "the file")"
    }
    func number(_ setting: Setting, _ admitted: ClosedRange<Int>) -> Int? {
      guard let text = text(setting) else { return nil }
      if let number = Int(text), admitted.contains(number) { return number }
      faults.append(
        "\(setting.rawValue): “\(text)” is not a whole number from \(admitted.lowerBound) to \(admitted.upperBound) (from \(origin(setting)))"
      )
      return nil
    }

    defaults = text(.defaults)
    runtimeDirectory = text(.runtimeDir)
    stateDirectory = text(.stateDir)
    images = text(.images)
    watches = given[.watch] != nil
    checksOnly = given[.check] != nil
    if let name = text(.adminGroup) { adminGroup = name }
    if let name = text(.testerGroup) { testerGroup = name }
    if let name = text(.publisherGroup) { publisherGroup = name }
    if let loops = number(.loops, 1...64) { self.loops = loops }
    for (setting, admitted) in Self.limitRanges {
      if let limit = number(setting, admitted) { limits[setting] = limit }
    }
    if let level = text(.logLevel) {
      if let known = Logger.Level(rawValue: level) {
        logLevel = known
      } else {
        faults.append("log-level: “\(level)” is not one of \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", "))")
      }
    }
    if let instant = text(.clock) {
      if let known = try? Instant(parsing: instant) {
        clock = known
      } else {
        faults.append("clock: “\(instant)” is not an instant such as 2026-12-01T00:00:00Z")
      }
    }
    if !faults.isEmpty { throw Faults(messages: faults) }
  }

  /// The groups that have roles where no setting names others.
  static let usualGroups: Set = ["gameconf-admin", "gameconf-tester", "gameconf-publisher"]

  /// The ranges of the settable limits.
  static let limitRanges: [Setting: ClosedRange<Int>] = [
    .connectionsMax: 1...1_000_000, .connectionsPerUIDMax: 1...1_000_000, .bodyBytesMax: 1024...(64 << 20),
    .headerTimeoutSeconds: 1...3600, .idleTimeoutSeconds: 1...86_400, .drainSeconds: 0...600,
    .readMilliseconds: 1...600_000,
    .playerWritesPerSecond: 1...10_000_000, .unknownPlayersPerMinute: 1...10_000_000,
    .growthMebibytesPerDay: 1...1_000_000,
  ]

  /// Variables that look like settings and are none: a warning rather than a fault, since whoever set one may not be who starts the daemon.
  private static func warnings(of environment: [String: String]) -> [String] {
    let known = Setting.allCases.filter { !$0.isSwitch }.map(\.variable)
    let switches = Setting.allCases.filter(\.isSwitch).map(\.variable)
    return environment.keys.filter { $0.hasPrefix(Setting.variablePrefix) && !known.contains($0) }.sorted().map { name in
      if switches.contains(name) { return "\(name) in the environment has no effect: give it on the command line" }
      let nearest = NearestNames.nearest(to: name, among: known, max: 1).first
      return "\(name) in the environment is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? "; gameconfd --help lists them")
    }
  }

  /// Reads the command line: each setting once, the first counts; a switch has an empty text.
  private static func check(_ arguments: [String]) throws(Faults) -> [Setting: String] {
    var given: [Setting: String] = [:]
    var faults: [String] = []
    var at = 0
    while at < arguments.count {
      let argument = arguments[at]
      at += 1
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = argument.hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
      guard let setting = Setting(rawValue: name) else {
        let nearest = NearestNames.nearest(to: name, among: Setting.allCases.map(\.rawValue), max: 1).first
        faults.append("unknown option “\(argument)”" + (nearest.map { "; did you mean --\($0)?" } ?? "; --help lists them"))
        continue
      }
      var value = parts.count > 1 ? parts[1] : nil
      if setting.isSwitch {
        if value != nil { faults.append("--\(name) takes no value") }
        value = ""
      } else if value == nil {
        if at < arguments.count, !arguments[at].hasPrefix("--") {
          value = arguments[at]
          at += 1
        } else {
          faults.append("--\(name) needs a \(setting.placeholder)")
        }
      }
      if given[setting] == nil { given[setting] = value }
    }
    if !faults.isEmpty { throw Faults(messages: faults) }
    return given
  }
}

/// A rule that narrows the games socket: a uid or a group, and the games it may ask for.
struct ClientRule: Sendable, Hashable {
  /// The user or group of a rule.
  enum Principal: Sendable, Hashable {
    case uid(UInt32)
    case group(String)
  }
  /// The user or group of the rule.
  var who: Principal
  /// The games that one may ask for.
  var games: Set<String>
}
