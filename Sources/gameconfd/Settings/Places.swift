// The daemon's folders, from its settings, from systemd and from the environment.

import GameConfCore
import Glibc

extension Settings {
  /// The folders in which the daemon looks for catalogs. Of several files with one name, the file in the earlier folder is used.
  var catalogFolders: [String] { defaults.map { [$0] } ?? Self.standardFolders(program: Self.program) }

  /// Returns the standard folders of catalogs. A program that is installed under a prefix of its own, such as /opt/gameconf, also has the
  /// folder of that prefix, as the last but one.
  static func standardFolders(program: String?) -> [String] {
    var folders = CatalogLocations.standard
    guard let program, program.hasSuffix("/bin/gameconfd") else { return folders }
    let beside = String(program.dropLast("/bin/gameconfd".count)) + "/share/gameconfd/games"
    if !folders.contains(beside) { folders.insert(beside, at: folders.count - 1) }
    return folders
  }

  /// The path of this program; nil if /proc is not available.
  private static var program: String? {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress else { return nil }
      let count = readlink("/proc/self/exe", start, buffer.count)
      return count > 0 ? String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
  }

  /// Returns the state directory: `--state-dir`, else systemd's `STATE_DIRECTORY`, else a folder of the user.
  func stateFolder(environment: [String: String]) -> String {
    if let stateDirectory { return stateDirectory }
    if let given = environment["STATE_DIRECTORY"]?.split(separator: ":").first { return String(given) }
    if geteuid() == 0 { return "/var/lib/gameconfd" }
    if let home = environment["XDG_STATE_HOME"] { return home + "/gameconfd" }
    // The fallback is never a folder that another user could have created first, such as one in /tmp.
    return environment["HOME"].map { $0 + "/.local/state/gameconfd" } ?? "/var/lib/gameconfd"
  }

  /// Returns the folder of the sockets that the daemon binds: `--runtime-dir`, else the user's runtime directory, else `/run/gameconfd`.
  func runtimeFolder(environment: [String: String]) -> String {
    if let runtimeDirectory { return runtimeDirectory }
    if let user = environment["XDG_RUNTIME_DIR"] { return user + "/gameconfd" }
    return "/run/gameconfd"
  }

  /// Returns the folder of mapped images: `--images`, else the folder beside the sockets where games look for it. Returns nil if images are
  /// off.
  func imagesFolder(environment: [String: String]) -> String? {
    if images == "off" { return nil }
    return images ?? runtimeFolder(environment: environment) + "/images"
  }

  /// Creates a folder and its parents.
  static func makeFolder(_ path: String, mode: mode_t) throws(Fault) {
    var made = path.hasPrefix("/") ? "" : "."
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, mode) != 0, errno != EEXIST {
        throw Fault("cannot make \(made): \(String(cString: strerror(errno)))")
      }
    }
  }

  /// Returns the settings in force by name, for the daemon's status.
  func shown(environment: [String: String]) -> [(name: String, value: String)] {
    [
      ("config", file ?? "none"), ("catalogs", catalogFolders.joined(separator: ":")),
      ("state_dir", stateFolder(environment: environment)), ("images", imagesFolder(environment: environment) ?? "off"),
      // The connection string may contain a password, so only the schema is shown.
      ("store", postgres.map { "PostgreSQL, schema \($0.schema)" } ?? "SQLite in the state directory"), ("loops", String(loops)),
      ("log_level", logLevel.rawValue),
      ("admin_group", adminGroup), ("tester_group", testerGroup), ("publisher_group", publisherGroup),
    ]
  }
}
