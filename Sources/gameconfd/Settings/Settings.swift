// The daemon's settings, read once at start. The command line overrides the environment, which overrides the configuration file.

import GameConfCore
import GameConfFormats
import GameConfStorage
import Logging

struct Settings: Sendable {
  /// The folder of catalogs that replaces the standard folders; nil to use the standard folders.
  var defaults: String?
  /// The folder for the sockets that the daemon binds; nil for the default folder.
  var runtimeDirectory: String?
  /// The directory for the database and the daemon's other state; nil for the default directory.
  var stateDirectory: String?
  /// The folder of mapped images; `off` for no images, nil for the default.
  var images: String?
  /// The PostgreSQL database of the store; nil for SQLite in the state directory.
  var postgres: PostgresSettings?
  /// True if the daemon may start although a different database was used with this state directory.
  var abandons = false
  /// True if the daemon reloads catalogs when they are saved.
  var watches = false
  /// The instant at which the host's clock is frozen, for tests; nil for the real time.
  var clock: Instant?
  /// True if the daemon only checks the configuration and exits.
  var checksOnly = false
  var loops = 1
  /// The least severe level that is logged.
  var logLevel = Logger.Level.info
  /// The group whose members may change everything.
  var adminGroup = "gameconf-admin"
  /// The group whose members may change players.
  var testerGroup = "gameconf-tester"
  /// The group whose members may push templates.
  var publisherGroup = "gameconf-publisher"
  /// The limits that the settings name. Limits that are not in it have the server's defaults.
  var limits: [DaemonSetting: Int] = [:]
  /// The configuration file that was read; nil if there is no such file.
  var file: String?
  /// The users and groups that may use the games socket, each with its games; nil if every user may use it.
  var clients: [ClientRule]?
  /// The maximum number of connections of a user, by user name. Users that are not in it have the common limit.
  var perUser: [String: Int] = [:]
  /// The uids that may read secret parameters, by game.
  var secretReaders: [String: [UInt32]] = [:]
  /// The warnings about settings that have no effect.
  var warnings: [String] = []

  /// Reads the settings from the command line, the environment and the configuration file.
  /// - Parameters:
  ///   - arguments: The command line without the program's name.
  ///   - environment: All environment variables.
  /// - Throws: All faults together.
  init(arguments: [String], environment: [String: String]) throws(Faults) {
    let given = try Self.check(arguments)
    warnings = Self.warnings(of: environment)
    let document = try SettingsDocument(path: given[.config] ?? environment[DaemonSetting.config.variable])
    file = document.path
    clients = document.clients
    perUser = document.perUser
    secretReaders = document.secretReaders
    postgres = document.postgres
    abandons = given[.abandon] != nil
    var faults: [String] = []

    func text(_ setting: DaemonSetting) -> String? { given[setting] ?? environment[setting.variable] ?? document.scalars[setting] }
    func origin(_ setting: DaemonSetting) -> String {
      let name = setting.rawValue
      return "--\(name), \(setting.variable) or \(document.path ?? "the file")"
    }
    func number(_ setting: DaemonSetting, _ admitted: ClosedRange<Int>) -> Int? {
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

  /// The groups that have roles if the settings name no other groups.
  static let usualGroups: Set = ["gameconf-admin", "gameconf-tester", "gameconf-publisher"]

  static let limitRanges: [DaemonSetting: ClosedRange<Int>] = [
    .connectionsMax: 1...1_000_000, .connectionsPerUIDMax: 1...1_000_000, .bodyBytesMax: 1024...(64 << 20),
    .headerTimeoutSeconds: 1...3600, .idleTimeoutSeconds: 1...86_400, .drainSeconds: 0...600,
    .readMilliseconds: 1...600_000,
    .playerWritesPerSecond: 1...10_000_000, .unknownPlayersPerMinute: 1...10_000_000,
    .growthMebibytesPerDay: 1...1_000_000,
  ]

  /// Returns warnings about environment variables that have the daemon's prefix and are not settings. They are not faults, because another
  /// user may have set them.
  private static func warnings(of environment: [String: String]) -> [String] {
    let known = DaemonSetting.allCases.filter { !$0.isSwitch }.map(\.variable)
    let switches = DaemonSetting.allCases.filter(\.isSwitch).map(\.variable)
    return environment.keys.filter { $0.hasPrefix(DaemonSetting.variablePrefix) && !known.contains($0) }.sorted().map { name in
      if switches.contains(name) { return "\(name) in the environment has no effect: give it on the command line" }
      let nearest = NearestNames.nearest(to: name, among: known, max: 1).first
      return "\(name) in the environment is not a setting" + (nearest.map { "; did you mean \($0)?" } ?? "; gameconfd --help lists them")
    }
  }

  /// Parses the command line. If a setting is repeated, its first value is used. An option without a value has an empty text.
  private static func check(_ arguments: [String]) throws(Faults) -> [DaemonSetting: String] {
    var given: [DaemonSetting: String] = [:]
    var faults: [String] = []
    var at = 0
    while at < arguments.count {
      let argument = arguments[at]
      at += 1
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = argument.hasPrefix("--") ? String(parts[0].dropFirst(2)) : ""
      guard let setting = DaemonSetting(rawValue: name) else {
        let nearest = NearestNames.nearest(to: name, among: DaemonSetting.allCases.map(\.rawValue), max: 1).first
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

/// One entry of the setting `clients`: a user or group, and the games that it may read.
struct ClientRule: Sendable, Hashable {
  enum Principal: Sendable, Hashable {
    case uid(UInt32)
    case group(String)
  }
  /// The user or group that the entry admits.
  var who: Principal
  /// The games that the user or group may read.
  var games: Set<String>
}
