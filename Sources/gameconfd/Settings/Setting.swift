// The daemon's own settings by name: what each means, what it may be, where it may stand.

/// One setting of the daemon; the raw value is its name on the command line (`--state-dir`), in the environment (`GAMECONFD_STATE_DIR`)
/// and in the configuration file (`state-dir:`).
enum Setting: String, CaseIterable {
  case config
  case defaults
  case runtimeDir = "runtime-dir"
  case stateDir = "state-dir"
  case images
  case abandon
  case watch
  case clock
  case check
  case loops
  case logLevel = "log-level"
  case adminGroup = "admin-group"
  case testerGroup = "tester-group"
  case publisherGroup = "publisher-group"
  case connectionsMax = "connections-max"
  case connectionsPerUIDMax = "connections-per-uid-max"
  case bodyBytesMax = "body-bytes-max"
  case headerTimeoutSeconds = "header-timeout-seconds"
  case idleTimeoutSeconds = "idle-timeout-seconds"
  case drainSeconds = "drain-seconds"
  case readMilliseconds = "read-milliseconds"
  case playerWritesPerSecond = "player-writes-per-second"
  case unknownPlayersPerMinute = "new-players-per-minute"
  case growthMebibytesPerDay = "player-mebibytes-per-day"
  case help
  case version

  /// What the variables begin with that are settings.
  static let variablePrefix = "GAMECONFD_"

  /// Its name in the environment.
  var variable: String { Self.variablePrefix + rawValue.uppercased().replacing("-", with: "_") }

  /// Whether it is said by its name alone, without a value.
  var isSwitch: Bool { [.abandon, .watch, .check, .help, .version].contains(self) }

  /// Whether it may stand in the configuration file.
  var standsInFile: Bool { ![.config, .abandon, .check, .help, .version, .watch].contains(self) }

  /// What its value looks like, for the usage text.
  var placeholder: String {
    switch self {
    case .config: "FILE"
    case .defaults, .runtimeDir, .stateDir, .images: "DIR"
    case .clock: "INSTANT"
    case .logLevel: "LEVEL"
    case .adminGroup, .testerGroup, .publisherGroup: "GROUP"
    case .loops, .connectionsMax, .connectionsPerUIDMax, .bodyBytesMax, .headerTimeoutSeconds, .idleTimeoutSeconds, .drainSeconds,
      .readMilliseconds, .playerWritesPerSecond, .unknownPlayersPerMinute, .growthMebibytesPerDay:
      "N"
    case .abandon, .watch, .check, .help, .version: ""
    }
  }

  /// What it does, in a phrase.
  var meaning: String {
    switch self {
    case .config: "read settings from this file instead of /etc/gameconfd/gameconfd.yaml"
    case .defaults: "read catalogs from this folder instead of the three of a package"
    case .runtimeDir: "bind games.sock and admin.sock in this folder"
    case .stateDir: "keep accepted catalogs, overrides and revisions in this folder"
    case .images: "publish images that games map in this folder; off for none"
    case .abandon: "begin without the store that was served last, where the settings name another kind"
    case .watch: "reload when a catalog's file is saved"
    case .clock: "freeze both clocks at this RFC 3339 instant, for tests"
    case .check: "read settings and catalogs, say what is wrong, and end"
    case .loops: "event loops that serve, 1 to 64"
    case .logLevel: "trace, debug, info, notice, warning, error or critical"
    case .adminGroup: "members may do everything; gameconf-admin unless said otherwise"
    case .testerGroup: "members may write everything under a player; gameconf-tester unless said otherwise"
    case .publisherGroup: "members may push templates; gameconf-publisher unless said otherwise"
    case .connectionsMax: "connections at once"
    case .connectionsPerUIDMax: "connections at once of one uid"
    case .bodyBytesMax: "bytes of a request's body"
    case .headerTimeoutSeconds: "seconds a request's head may take"
    case .idleTimeoutSeconds: "seconds a connection may be silent between requests"
    case .drainSeconds: "seconds answers in flight have when the daemon stops"
    case .readMilliseconds: "milliseconds that a read of the store gets at least; without it 50 for most"
    case .playerWritesPerSecond: "writes about players a second of one uid"
    case .unknownPlayersPerMinute: "players made a minute by one uid"
    case .growthMebibytesPerDay: "MiB by which one uid may let the store grow within a day"
    case .help: "print this"
    case .version: "print the version"
    }
  }

  /// The text of `--help`.
  static var usage: String {
    var text = "usage: gameconfd [options]\n\nServes remote config, flags and overrides to the games of this host over a Unix socket.\n\n"
    for setting in allCases {
      let name = "--\(setting.rawValue) \(setting.placeholder)"
      text += "  " + name + String(repeating: " ", count: max(1, 30 - name.count)) + setting.meaning + "\n"
    }
    return text + "\nEach but --abandon, --check, --config, --help, --version and --watch may also stand in the configuration file,\n"
      + "and each with a value in the environment as GAMECONFD_ and its name in capitals with _ for -.\n"
  }
}
