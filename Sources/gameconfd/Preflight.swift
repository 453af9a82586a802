// Finds out how a start would go, without starting the daemon (`--check`).

import GameConfCore
import GameConfStorage
import Glibc

struct Preflight {
  /// The faults with which the daemon would not start, or would serve less than it should.
  private(set) var faults: [String] = []
  /// The warnings that would not prevent the daemon from starting.
  private(set) var warnings: [String] = []
  /// The games that would be served from their files, with one line for each game.
  private(set) var good: [String] = []

  init(_ settings: Settings, environment: [String: String]) async {
    warnings += StartFindings(settings, environment: environment).warnings
    if let fault = settings.folderFault { faults.append(fault) }
    // A real start reads no catalogs either if the configured folder does not exist.
    let readings = await CatalogFolders(folders: settings.folderFault == nil ? settings.catalogFolders : []).read()
    warnings += readings.warnings
    for game in readings.games {
      switch game.outcome {
      case .read(let catalog, let remarks):
        warnings += remarks
        good.append("\(catalog.game): good, \(catalog.parameters.count) \(catalog.parameters.count == 1 ? "key" : "keys")")
      case .refused(let lines): faults += lines
      }
    }
    if readings.games.isEmpty, settings.folderFault == nil {
      warnings.append("there are no catalogs in \(settings.catalogFolders.joined(separator: ", "))")
    }
    let state = settings.stateFolder(environment: environment)
    let acceptedGames = check(state)
    check(store: settings, state)
    warnings += settings.unknownGames(among: Set(readings.games.map(\.game) + acceptedGames))
    check(runtime: settings, environment)
  }

  /// Checks the state directory.
  /// - Returns: The games with accepted catalogs.
  private mutating func check(_ state: String) -> [String] {
    let found = StateInspection(path: state)
    faults += found.faults
    warnings += found.warnings
    return found.games
  }

  /// Checks that the configured database can be reached, and that no database in the state directory would be abandoned.
  private mutating func check(store settings: Settings, _ state: String) {
    guard let postgres = settings.postgres else {
      if !settings.abandons, let refusal = FormerSharedStore.refusal(forStateAt: state) { faults.append(refusal) }
      return
    }
    if let database = AbandonedDatabase(at: state), !settings.abandons {
      switch database.contents() {
      case .hasContents: faults.append(database.refusal)
      case .isEmpty: break
      case .isUnseen(let why): warnings.append("\(database.path): was not checked, because \(why); the daemon checks it when it starts")
      }
    }
    if let words = postgres.unreachable() {
      warnings.append("the store cannot be reached; the daemon would start with the catalogs accepted here last: \(words)")
    }
  }

  /// Checks that the daemon could bind its sockets, in case systemd passes no sockets.
  private mutating func check(runtime settings: Settings, _ environment: [String: String]) {
    let folder = settings.runtimeFolder(environment: environment)
    let isChosen = settings.runtimeDirectory != nil || environment["XDG_RUNTIME_DIR"] != nil
    var found: [String] = []
    for name in ["games.sock", "admin.sock"] {
      let path = folder + "/" + name
      if path.utf8.count > Self.socketPathBytesMax { found.append("\(path): a socket's path has at most \(Self.socketPathBytesMax) bytes") }
      var status = stat()
      if lstat(path, &status) == 0, status.st_mode & S_IFMT != S_IFSOCK {
        found.append("\(path): something that is not a socket is in the way")
      }
    }
    if let fault = StateInspection.unwritable(folder) { found.append(fault) }
    // systemd creates the default folder, so its absence is only a warning.
    if isChosen { faults += found } else { warnings += found.map { $0 + " (unless systemd passes the sockets)" } }
  }

  private static let socketPathBytesMax = 107
}

extension Settings {
  /// The error message if the folder of catalogs in the settings does not exist; nil otherwise.
  var folderFault: String? {
    guard let defaults else { return nil }
    var status = stat()
    if stat(defaults, &status) != 0 {
      return "\(defaults): \(String(cString: strerror(errno))); --defaults names the folder of the catalogs"
    }
    return status.st_mode & S_IFMT == S_IFDIR ? nil : "\(defaults): is not a folder; --defaults names the folder of the catalogs"
  }

  /// Returns a warning for each setting that names a game which does not exist.
  func unknownGames(among games: Set<String>) -> [String] {
    func remark(_ setting: String, _ names: Set<String>) -> [String] {
      names.subtracting(games).sorted().map { "\(setting): there is no game \($0).\(NearestNames.hint(for: $0, among: games.sorted()))" }
    }
    return remark("clients", Set((clients ?? []).flatMap(\.games))) + remark("secret_readers", Set(secretReaders.keys))
  }
}
