// The names, values and help of the daemon's settings.

/// A setting of the daemon. The raw value is its name on the command line (`--state-dir`), in the environment (`GAMECONFD_STATE_DIR`)
/// and in the configuration file (`state-dir:`).
enum DaemonSetting: String, CaseIterable {
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

  static let variablePrefix = "GAMECONFD_"

  /// The environment variable of the setting, such as `GAMECONFD_STATE_DIR`.
  var variable: String { Self.variablePrefix + rawValue.uppercased().replacing("-", with: "_") }

  /// True if the setting is an option without a value, such as `--watch`.
  var isSwitch: Bool { [.abandon, .watch, .check, .help, .version].contains(self) }

  /// True if the setting may be in the configuration file.
  var isAllowedInFile: Bool { ![.config, .abandon, .check, .help, .version, .watch].contains(self) }

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

  /// The setting's effect, as a phrase for the usage text.
  var meaning: String {
    switch self {
    case .config: "read settings from this file; default /etc/gameconfd/gameconfd.yaml"
    case .defaults: "read catalogs from this folder instead of the three of a package"
    case .runtimeDir: "bind games.sock and admin.sock in this folder"
    case .stateDir: "store accepted catalogs, overrides and revisions in this folder"
    case .images: "publish images for games to map in this folder; off for no images"
    case .abandon: "begin with an empty store of the kind that the settings name, and leave the last one behind"
    case .watch: "reload catalogs when a file is saved"
    case .clock: "freeze both clocks at this RFC 3339 instant, for tests"
    case .check: "check settings and catalogs, print the faults, and exit"
    case .loops: "number of event loops, 1 to 64"
    case .logLevel: "trace, debug, info, notice, warning, error or critical"
    case .adminGroup: "members may do everything; default gameconf-admin"
    case .testerGroup: "members may write everything under a player; default gameconf-tester"
    case .publisherGroup: "members may push templates; default gameconf-publisher"
    case .connectionsMax: "maximum of open connections"
    case .connectionsPerUIDMax: "maximum of open connections of one uid"
    case .bodyBytesMax: "maximum of bytes of a request's body"
    case .headerTimeoutSeconds: "seconds in which a request's head must arrive"
    case .idleTimeoutSeconds: "seconds after which an idle connection is closed"
    case .drainSeconds: "seconds to finish answers when the daemon stops"
    case .readMilliseconds: "minimum of milliseconds for a read of the store; default 1000, or 50 for one that an answer can do without"
    case .playerWritesPerSecond: "maximum of writes about players in a second by one uid"
    case .unknownPlayersPerMinute: "maximum of new players in a minute by one uid"
    case .growthMebibytesPerDay: "maximum of MiB by which the store may grow in a day through one uid"
    case .help: "print this help"
    case .version: "print the version, and exit"
    }
  }

  /// The text that `gameconfd --help` prints.
  static var usage: String {
    var text = "usage: gameconfd [options]\n\nServes remote config, flags and overrides to the games of this host over a Unix socket.\n\n"
    for setting in allCases {
      let name = "--\(setting.rawValue) \(setting.placeholder)"
      text += "  " + name + String(repeating: " ", count: max(1, 30 - name.count)) + setting.meaning + "\n"
    }
    return text + "\nEach but --abandon, --check, --config, --help, --version and --watch may also be in the configuration file,\n"
      + "and each with a value in the environment as GAMECONFD_ and its name in capitals with _ for -.\n"
  }
}
