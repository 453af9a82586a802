// gameconfctl store move

import ArgumentParser
import Glibc

struct StoreMoveRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "move", abstract: "Move the store into PostgreSQL, or back into SQLite, while no gameconfd runs.",
    discussion: """
      Every row is copied and then compared. Only then is the store in its new place, and the old one is moved aside. An interrupted move \
      leaves the store as it was; begin it again, and it goes on from there. Revisions stay the same.
      """)

  /// The kinds of databases between which the daemon's data can be moved.
  enum MoveTarget: String, ExpressibleByArgument, CaseIterable {
    case postgres, sqlite
  }

  @Option(help: "The new kind of store.") var to: MoveTarget
  @Argument(
    help: ArgumentHelp(
      "To postgres: the connection for libpq; not needed if the daemon's settings name it. To sqlite: the state directory.",
      valueName: "place"))
  var place: String?
  @Option(help: ArgumentHelp("To sqlite: the connection, if the daemon's settings do not name it.", valueName: "connection"))
  var from: String?
  @Option(help: ArgumentHelp("The schema in PostgreSQL.", valueName: "name")) var schema: String?
  @Option(help: ArgumentHelp("The daemon's settings.", valueName: "file"), completion: .file()) var config: String?
  @Option(help: ArgumentHelp("The daemon's state directory.", valueName: "folder"), completion: .directory) var stateDir: String?
  @Flag(help: "Print what would be moved, and move nothing.") var dryRun = false
  @Flag(help: "Print one JSON object.") var json = false

  func validate() throws {
    if to == .postgres, from != nil {
      throw ValidationError("--from is for a move to sqlite; to postgres the store is in the state directory.")
    }
    if to == .sqlite, place != nil, stateDir != nil { throw ValidationError("Name the state directory once.") }
  }

  func run() async throws {
    var arguments = ["gameconfd", "move-store", "--to", to.rawValue]
    func add(_ name: String, _ value: String?) { if let value { arguments += [name, value] } }
    add("--postgres", to == .postgres ? place : from)
    add("--schema", schema)
    add("--config", config)
    add("--state-dir", to == .sqlite ? place ?? stateDir : stateDir)
    if dryRun { arguments.append("--dry-run") }
    if json { arguments.append("--json") }
    try Self.become(arguments)
  }

  /// Replaces this process by the daemon's program, which can open the databases: the program in the same folder, or else the one in PATH.
  private static func become(_ arguments: [String]) throws(CtlFailure) {
    var words = arguments.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var link = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = link.withUnsafeMutableBytes { bytes in
      bytes.assumingMemoryBound(to: CChar.self).baseAddress.map { readlink("/proc/self/exe", $0, bytes.count) } ?? -1
    }
    if count > 0 {
      let own = String(decoding: link[..<count], as: UTF8.self)
      let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
      execv(folder + "/gameconfd", &words)
    }
    execvp("gameconfd", &words)
    throw .file(
      path: "gameconfd",
      detail: "cannot be run (\(String(cString: strerror(errno)))); it does the move, and is installed with gameconfctl")
  }
}
