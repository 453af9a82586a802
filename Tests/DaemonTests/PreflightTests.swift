// gameconfd --check and a start with the same broken settings.

import Glibc
import Testing

@Suite("A check of the settings and a start agree")
struct PreflightTests {
  /// A broken setting, with the exit status of both a check and a start: 2 for unreadable settings, 1 for a refused start, 0 for a warning.
  struct BrokenSetting: Sendable, CustomTestStringConvertible {
    var settings = ""
    var arguments: [String] = []
    /// The wrong mode or kind of a file or folder that the daemon uses; nil if these are right.
    var place: WrongPath?
    let status: Int32
    /// A part of the message that both the check and the start print.
    let words: String

    enum WrongPath: Sendable { case settingsForAll, stateForAll, runtimeForAll, stateIsFile, socketIsFile, defaultsIsFile }
    var testDescription: String { "\(settings.prefix(60)) \(arguments.joined(separator: " ")) \(place.map { "\($0)" } ?? "")" }
  }

  private static let hut = """
    gameconf: 1
    game: hut
    title: Hut
    locales: [en]
    parameters:
      rooms: {type: integer, default: 1, section: A, description: Rooms.}
    """

  private static func unread(_ settings: String, _ words: String) -> BrokenSetting {
    BrokenSetting(settings: settings, status: 2, words: words)
  }
  private static func warned(_ settings: String, _ words: String) -> BrokenSetting {
    BrokenSetting(settings: settings, status: 0, words: words)
  }

  static let broken: [BrokenSetting] =
    [
      unread("loops: many", "“many” is not a whole number from 1 to 64"), unread("loops: 0", "from 1 to 64"),
      unread("loops: 65", "from 1 to 64"), unread("log-level: loud", "“loud” is not one of"),
      unread("clock: yesterday", "is not an instant"),
      unread("connections-max: 0", "from 1 to 1000000"), unread("connections-max: x", "connections-max: “x”"),
      unread("connections-per-uid-max: 0", "connections-per-uid-max: “0”"), unread("body-bytes-max: 1", "body-bytes-max: “1”"),
      unread("header-timeout-seconds: 0", "from 1 to 3600"), unread("idle-timeout-seconds: 0", "from 1 to 86400"),
      unread("drain-seconds: 601", "from 0 to 600"), unread("player-writes-per-second: 0", "player-writes-per-second"),
      unread("new-players-per-minute: 0", "new-players-per-minute"), unread("player-mebibytes-per-day: 0", "player-mebibytes-per-day"),
      unread("nosuch: 1", "nosuch"), unread("defualts: x", "defaults"), unread("watch: true", "watch"),
      unread("clients: 5", "clients is a list"), unread("clients: [{uid: -1, games: [hut]}]", "clients is a list"),
      unread("clients: [{games: [hut]}]", "clients is a list"), unread("per_user: 5", "per_user is a mapping"),
      unread("per_user: {root: 0}", "per_user is a mapping"), unread("per_user: {root: many}", "per_user is a mapping"),
      unread("secret_readers: 5", "secret_readers is a mapping"), unread("secret_readers: {hut: [-1]}", "secret_readers is a mapping"),
      unread("store: postgres", "store is {postgres:"), unread("store: {schema: x}", "store is {postgres:"),
      unread("store: {postgres: 5}", "store is {postgres:"), unread("store: {postgres: \"dbname=x\", listen: 1}", "store is {postgres:"),
      unread("store: {postgres: \"dbname=x\", schema: \"\"}", "store is {postgres:"),
      unread(
        "store: {postgres: \"hots=/nowhere\"}", "d.yaml:1:8: postgres is not a connection for libpq: invalid connection option \"hots\""),
      unread("store: {postgres: \"host=/nowhere port\"}", "postgres is not a connection for libpq"),
      unread("store: {postgres: \"postgresql://[::1\"}", "postgres is not a connection for libpq"),
      unread("a: [", "d.yaml:"), unread("loops: 1\nloops: 2", "loops"), unread("\tloops: 1", "d.yaml:1:1"),
      BrokenSetting(arguments: ["--loops"], status: 2, words: "--loops needs a N"),
      BrokenSetting(arguments: ["--nosuch"], status: 2, words: "unknown option “--nosuch”"),
      BrokenSetting(arguments: ["--watch=1"], status: 2, words: "--watch takes no value"),
      BrokenSetting(arguments: ["--config", "/nosuch/d.yaml"], status: 2, words: "/nosuch/d.yaml: No such file"),
      BrokenSetting(place: .settingsForAll, status: 2, words: "every user may write it (mode 0666); chmod o-w "),
      BrokenSetting(arguments: ["--defaults", "/nosuch"], status: 1, words: "/nosuch: No such file or directory"),
      BrokenSetting(place: .defaultsIsFile, status: 1, words: "is not a folder; --defaults names"),
      BrokenSetting(place: .stateIsFile, status: 1, words: "the state directory "),
      BrokenSetting(place: .socketIsFile, status: 1, words: "games.sock"),
      BrokenSetting(arguments: ["--state-dir", "/proc/nosuch/state"], status: 1, words: "/proc/nosuch"),
      BrokenSetting(arguments: ["--runtime-dir", "/proc/nosuch/run"], status: 1, words: "/proc/nosuch"),
      warned("per_user: {nosuchuser: 8000}", "per_user: there is no user nosuchuser on this host"),
      warned("per_user: {root: 8000}\nconnections-max: 2000", "per_user: root may have 8000 connections, and connections-max is 2000"),
      warned("connections-max: 10", "connections-max is 10, and one user may have 1024"),
      warned("admin-group: nosuch", "there is no group nosuch, so no user has its role"),
      warned("clients: [{group: nosuch, games: [hut]}]", "clients: there is no group nosuch on this host"),
      warned("clients: [{uid: 0, games: [hutt]}]", "clients: there is no game hutt. Did you mean “hut”?"),
      warned("secret_readers: {hutt: [0]}", "secret_readers: there is no game hutt. Did you mean “hut”?"),
      BrokenSetting(place: .stateForAll, status: 0, words: "/state: every user may write in it (mode 0777); chmod o-w "),
      BrokenSetting(place: .runtimeForAll, status: 0, words: "/run: every user may write in it (mode 0777); chmod o-w "),
    ]

  @Test("gameconfd --check and a start report the same fault with the same exit status", arguments: broken)
  func agree(broken: BrokenSetting) throws {
    let folder = try TemporaryFolder()
    try folder.write(Self.hut, to: "games/hut.yaml")
    for name in ["run", "state"] { mkdir(folder.path + "/" + name, 0o755) }
    try folder.write(broken.settings + "\n", to: "d.yaml")
    var arguments = broken.arguments
    func usual(_ name: String, _ value: String) { if !broken.arguments.contains(name) { arguments += [name, value] } }
    usual("--config", folder.path + "/d.yaml")
    usual("--defaults", folder.path + "/games" + (broken.place == .defaultsIsFile ? "/hut.yaml" : ""))
    usual("--runtime-dir", folder.path + "/run")
    usual("--state-dir", folder.path + "/state")
    switch broken.place {
    case .settingsForAll: chmod(folder.path + "/d.yaml", 0o666)
    case .stateForAll: chmod(folder.path + "/state", 0o777)
    case .runtimeForAll: chmod(folder.path + "/run", 0o777)
    case .stateIsFile:
      rmdir(folder.path + "/state")
      try folder.write("x", to: "state")
    case .socketIsFile: try folder.write("x", to: "run/games.sock")
    case .defaultsIsFile, nil: break
    }
    let before = TemporaryFolder.names(in: folder.path + "/state")
    let check = try ChildProcess(Built.daemon, ["--check"] + arguments).waitForEnd()
    #expect(check.status == broken.status && check.errors.contains(broken.words), "\(check)")
    #expect(TemporaryFolder.names(in: folder.path + "/state") == before, "a check makes no file")
    let start = try ChildProcess(Built.daemon, arguments)
    var log = ""
    if broken.status == 0 {
      log = try #require(start.waitForLine(containing: "notice: ready")).joined(separator: "\n")
      start.signal(SIGTERM)
    }
    let ended = start.waitForEnd()
    log += ended.errors
    #expect(ended.status == broken.status && log.contains(broken.words), "\(log)")
    // A start also logs each warning of a check, except about the default groups, which only status shows.
    for line in check.errors.split(separator: "\n") where line.hasPrefix("warning: ") {
      let words = line.dropFirst("warning: ".count)
      #expect(log.contains(words) || words.contains(/no groups? gameconf-/), "\(words) is not in \(log)")
    }
  }
}
