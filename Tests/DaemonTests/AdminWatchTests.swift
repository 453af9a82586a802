// An admin's watch of the daemon, over the socket and by gameconfctl.
import GameConfCore
import Testing

@Suite("Watching the daemon as an admin")
struct AdminWatchTests {
  @Test("an admin's watch gets all games, then each changed game and each audit line")
  func all() throws {
    let daemon = try RunningDaemon()
    let stream = try StreamReader(daemon.adminSocket, "/v1/watch")
    let state = stream.data()
    #expect(state["games"]?.listValue?.isEmpty == false && state["store"]?["state"] == "good")
    _ = try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "3.5", "--reason", "why")
    let game = try #require(stream.next())
    #expect(game.event == "game" && game.data.contains("wheresthedot"))
    let line = try #require(stream.next())
    #expect(line.event == "audit" && line.data.contains("arcade_time_limit_base") && line.data.contains("why"))
    #expect(try daemon.ask("GET", "/v1/watch").status == 403)
  }

  private static let key = "arcade_time_limit_base"

  /// Sets an override with a reason that identifies its audit line.
  private func set(_ daemon: RunningDaemon, _ number: Int) throws {
    let ending = try daemon.control("config", "set", "wheresthedot", Self.key, "\(2 + number)", "--reason", "step \(number)")
    #expect(ending.status == 0, "\(ending.errors)")
  }

  /// Returns the types of the events up to the audit line of a step, and the steps of audit lines.
  private func events(_ stream: StreamReader, upTo step: Int) -> [String] {
    var received: [String] = []
    while let event = stream.next() {
      let data = try? JSONReader.value(from: event.data)
      received.append(event.event == "audit" ? data?["reason"]?.stringValue ?? "audit" : event.event)
      if received.last == "step \(step)" { break }
    }
    return received
  }

  @Test("a reconnecting admin's watch gets each missed audit line once, in order, and the present games")
  func resumed() throws {
    let daemon = try RunningDaemon()
    let first = try StreamReader(daemon.adminSocket, "/v1/watch")
    #expect(first.next()?.event == "state")
    try set(daemon, 1)
    #expect(events(first, upTo: 1) == ["game", "step 1"])
    let id = try #require(first.lastID)
    for step in 2...4 { try set(daemon, step) }
    #expect(events(try StreamReader(daemon.adminSocket, "/v1/watch", lastEventID: id), upTo: 4) == ["game", "step 2", "step 3", "step 4"])
    _ = events(first, upTo: 4)
    // Nothing was missed, so nothing is sent until the next change.
    let current = try StreamReader(daemon.adminSocket, "/v1/watch", lastEventID: first.lastID)
    try set(daemon, 5)
    #expect(events(current, upTo: 5) == ["game", "step 5"])
    try daemon.restart(killing: true)
    try set(daemon, 6)
    // A restarted daemon does not know which games were sent. It sends the whole state, and continues in the audit log.
    let last = try #require(current.lastID)
    #expect(events(try StreamReader(daemon.adminSocket, "/v1/watch", lastEventID: last), upTo: 6) == ["state", "step 6"])
    for odd in ["rubbish", "1.2.3.4", "0.0.0", "99.9223372036854775807.1.1", ""] {
      #expect(try StreamReader(daemon.adminSocket, "/v1/watch", lastEventID: odd).next()?.event == "state", "\(odd)")
    }
  }

  @Test("an admin's watch that resumes with an event id from before a restore begins with the whole state")
  func replaced() throws {
    let daemon = try RunningDaemon()
    let id = try #require(try StreamReader(daemon.adminSocket, "/v1/watch").next()?.id)
    let backup = daemon.folder.path + "/backup.db"
    #expect(try daemon.control("store", "backup", backup).status == 0)
    #expect(try daemon.control("store", "restore", backup, "--yes").status == 0)
    #expect(try StreamReader(daemon.adminSocket, "/v1/watch", lastEventID: id).next()?.event == "state")
  }

  @Test("gameconfctl config watch and audit follow print the events of a watch")
  func commands() throws {
    let daemon = try RunningDaemon()
    let environment = ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    let watch = try ChildProcess(Built.control, ["config", "watch", "wheresthedot", "--count", "1"], environment: environment)
    let follow = try ChildProcess(
      Built.control, ["audit", "follow", "wheresthedot", "--lines", "0", "--count", "1"], environment: environment)
    // A command that connects after the first change sees a later one.
    for step in 1...30 {
      _ = try daemon.control("config", "set", "wheresthedot", "arcade_time_limit_base", "\(3.0 + Double(step) / 8)", "--reason", "why")
    }
    #expect(watch.waitForEnd().output.contains("override.game"))
    #expect(follow.waitForEnd().output.contains("override.set"))
  }
}
