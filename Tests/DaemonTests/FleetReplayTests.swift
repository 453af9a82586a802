// A month of an admin's calls on a daemon with SQLite and on one with PostgreSQL.

import GameConfCore
import Testing

extension FleetDaemonTests {
  @Test("a month of an admin's calls gives the same export, audit log and answers on SQLite and PostgreSQL")
  func month() throws {
    let connection = try #require(TestStore.postgres)
    let stores = ["", "store: {postgres: \"\(connection)\", schema: m\(String(UInt64.random(in: .min ... .max), radix: 16))}\n"]
    let folders = try [TemporaryFolder(), TemporaryFolder()]
    func set(day: Int) throws {
      for (folder, store) in zip(folders, stores) {
        try folder.write(store + "clock: \(AdminWork.instant(day: day, hour: 12))\n", to: "store.yaml")
      }
    }
    try set(day: 0)
    let daemons = try folders.map { try RunningDaemon(folder: $0, arguments: ["--config", $0.path + "/store.yaml"]) }
    var work = AdminWork(seed: 18)
    var statuses: [Int: Int] = [:]
    for day in stride(from: 0, through: 30, by: 5) {
      if day > 0 {
        try set(day: day)
        for daemon in daemons { try daemon.restart() }
      }
      for number in 0..<30 {
        let call = work.call(day: day)
        let answers = try daemons.map { try $0.ask(call.method, call.target, body: call.body, admin: true) }
        #expect(answers[0].status == answers[1].status, "day \(day), \(number): \(call) \(answers[0].text) \(answers[1].text)")
        #expect(answers[0].text == answers[1].text, "day \(day), \(number): \(call)")
        statuses[answers[0].status, default: 0] += 1
      }
    }
    #expect(statuses.keys.contains(200) && statuses.keys.contains { $0 >= 400 } && !statuses.keys.contains { $0 >= 500 }, "\(statuses)")
    for target in [
      "/v1/games/wheresthedot/overrides/export", "/v1/games/wheresthedot/overrides?players=all", "/v1/audit?limit=1000",
      "/v1/games/wheresthedot/template/versions", "/v1/games/wheresthedot/config?detail=full&player=p1",
      "/v1/games/wheresthedot/changes", "/v1/games/wheresthedot/players/p1",
    ] {
      let answers = try daemons.map { try $0.ask("GET", target, admin: true) }
      // Lines of the daemon itself contain its process id, which differs.
      let texts = answers.map { $0.text.replacing(/"gameconfd","pid":[0-9]+/, with: "gameconfd") }
      #expect(answers[0].status == 200 && texts[0] == texts[1], "\(target): \(texts[0]) \(texts[1])")
    }
  }
}
