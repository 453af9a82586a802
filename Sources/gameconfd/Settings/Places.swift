// The folders of the daemon, from its settings and what systemd gives it.

import GameConfCore
import Glibc

extension Settings {
  /// The folders catalogs are read from, the first hides the others.
  var catalogFolders: [String] { defaults.map { [$0] } ?? Self.standardFolders(program: Self.program) }

  /// The standard places, and before the last of them the one beside the program where it is installed under another prefix.
  static func standardFolders(program: String?) -> [String] {
    var folders = CatalogLocations.standard
    guard let program, program.hasSuffix("/bin/gameconfd") else { return folders }
    let beside = String(program.dropLast("/bin/gameconfd".count)) + "/share/gameconfd/games"
    if !folders.contains(beside) { folders.insert(beside, at: folders.count - 1) }
    return folders
  }

  /// The path of this program; nil where the system does not say.
  private static var program: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, buffer.count)
      return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
  }

  /// The folder of the state: `--state-dir`, else what systemd made for the service, else a folder of the user's.
  func stateFolder(environment: [String: String]) -> String {
    if let stateDirectory { return stateDirectory }
    if let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(given) }
    if geteuid() == 0 { return "/var/lib/gameconfd" }
    if let home = environment["XDG_STATE_HOME"] { return home + "/gameconfd" }
    // Never a folder that others may have made before us, such as one in /tmp.
    return environment["HOME"].map { $0 + "/.local/state/gameconfd" } ?? "/var/lib/gameconfd"
  }

  /// The folder of the sockets when systemd passes none: `--runtime-dir`, else the user's runtime folder.
  func runtimeFolder(environment: [String: String]) -> String {
    if let runtimeDirectory { return runtimeDirectory }
    if let user = environment["XDG_RUNTIME_DIR"] { return user + "/gameconfd" }
    return "/run/gameconfd"
  }

  /// The folder of the images that games map: `--images`, else beside the sockets, where games look for them; nil for nowhere.
  func imagesFolder(environment: [String: String]) -> String? {
    if images == "off" { return nil }
    return images ?? runtimeFolder(environment: environment) + "/images"
  }

  /// Makes a folder and those above it.
  static func makeFolder(_ path: String, mode: mode_t) throws(Fault) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, mode) != 0, errno != EEXIST {
        throw Fault("cannot make \(made): \(String(cString: strerror(errno)))")
      }
    }
  }

  /// The settings in force, for status; by name.
  func shown(environment: [String: String]) -> [(name: String, value: String)] {
    [
      ("config", file ?? "none"), ("catalogs", catalogFolders.joined(separator: ":")),
      ("state_dir", stateFolder(environment: environment)), ("images", imagesFolder(environment: environment) ?? "off"),
      // Not the connection, which may have a password.
      ("store", postgres.map { "PostgreSQL, schema \($0.schema)" } ?? "SQLite in the state directory"), ("loops", String(loops)),
      ("log_level", logLevel.rawValue),
      ("admin_group", adminGroup), ("tester_group", testerGroup), ("publisher_group", publisherGroup),
    ]
  }
}
