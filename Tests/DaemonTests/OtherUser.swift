// Runs programs as other users and groups, if the test has the right to.

import Glibc

/// A user as whom a test runs programs. The user's ids need not exist on the host.
final class OtherUser {
  private static let tool = "/usr/bin/setpriv"

  let uid: UInt32
  let gid: UInt32
  let groups: [UInt32]
  private let folder: String

  /// Returns nil without the right to run programs as another user, or without the tool for it.
  /// - Parameters:
  ///   - folder: A readable folder that receives copies of the programs, because other users may not be able to reach the build folder.
  init?(uid: UInt32, gid: UInt32? = nil, groups: [UInt32] = [], in folder: TemporaryFolder) throws {
    guard getuid() == 0, access(Self.tool, X_OK) == 0 else {
      print("SKIPPED: other users were not tried, since that takes root and \(Self.tool)")
      return nil
    }
    self.uid = uid
    self.gid = gid ?? uid
    self.groups = groups
    self.folder = folder.path
    chmod(folder.path, 0o755)
    for program in [Built.daemon, Built.control] {
      let copy = folder.path + "/" + program.split(separator: "/").suffix(1).joined()
      if access(copy, X_OK) == 0 { continue }
      let ending = try ChildProcess("/bin/cp", [program, copy]).waitForEnd()
      guard ending.status == 0 else { throw ChildProcess.Failure(description: ending.errors) }
    }
    let tried = try ChildProcess(Self.tool, arguments + [folder.path + "/gameconfctl", "--help"]).waitForEnd()
    guard tried.status == 0 else {
      print("SKIPPED: other users were not tried, since they cannot run what was built here: \(tried.errors)")
      return nil
    }
  }

  private var arguments: [String] {
    ["--reuid", "\(uid)", "--regid", "\(gid)"]
      + (groups.isEmpty ? ["--clear-groups"] : ["--groups", groups.map(String.init).joined(separator: ",")])
  }

  /// The command line that starts the daemon as this user.
  var daemon: [String] { [Self.tool] + arguments + [folder + "/gameconfd"] }

  /// Runs gameconfctl against a daemon as this user.
  func control(_ daemon: RunningDaemon, _ words: String...) throws -> ChildProcess.Ending { try control(daemon, words) }

  /// Runs gameconfctl against a daemon as this user.
  func control(_ daemon: RunningDaemon, _ words: [String]) throws -> ChildProcess.Ending {
    try ChildProcess(
      Self.tool, arguments + [folder + "/gameconfctl"] + words,
      environment: ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    ).waitForEnd()
  }

  /// Starts a shell command as this user.
  func start(_ command: String) throws -> ChildProcess { try ChildProcess(Self.tool, arguments + ["/bin/sh", "-c", command]) }

  /// Runs a program of the host as this user.
  func run(_ program: String, _ words: [String]) throws -> ChildProcess.Ending {
    try ChildProcess(Self.tool, arguments + [program] + words).waitForEnd()
  }
}
