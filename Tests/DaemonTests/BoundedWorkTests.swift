// Requests with as much work as possible: each is limited, and other requests are answered meanwhile.

import GameConfCore
import Testing

@Suite("The work of one request is limited", .serialized)
struct BoundedWorkTests {
  private static let sum = #"{"==": [{reduce: [{var: list}, {"+": [{var: current}, {var: accumulator}]}, 0]}, -1]}"#

  /// A game with a parameter of many rules, many parameters of one rule, and a gate. All rules search the caller's list.
  private static let catalog: String = {
    var text = """
      gameconf: 1
      game: toil
      title: Toil
      locales: [en]
      gates:
        toll: {args: {number: integer}, locked_when: \(sum)}
      parameters:
        plain: {type: integer, default: 1, section: s, description: d}
        many:
          type: integer
          default: 0
          section: s
          description: d
          rules:

      """
    for _ in 0..<400 { text += "      - {when: \(sum), value: 1}\n" }
    for key in 0..<400 {
      text += "  key\(key): {type: integer, default: 0, section: s, description: d, rules: [{when: \(sum), value: 1}]}\n"
    }
    return text
  }()

  private static func context(_ elements: Int) -> Value {
    .object(ObjectValue([("list", .list((0..<elements).map { .integer(Int64($0)) }))]))
  }

  private func daemon() throws -> RunningDaemon { try RunningDaemon(catalogs: ["toil.yaml": Self.catalog]) }

  @Test("a config, value or gate whose rules exceed a request's limit of steps is refused with that reason")
  func evaluation() throws {
    let daemon = try daemon()
    for (target, small) in [("config", 2), ("config/many", 2)] {
      let whole = try daemon.ask("POST", "/v1/games/toil/\(target)", body: ["context": Self.context(small)])
      #expect(whole.status == 200, "\(target): \(whole.json)")
      let refused = try daemon.ask("POST", "/v1/games/toil/\(target)", body: ["context": Self.context(5_000)])
      #expect(refused.status == 422 && refused.json["code"] == "EVALUATION_TOO_LONG", "\(target): \(refused.json)")
    }
    let some = try daemon.ask("POST", "/v1/games/toil/config", body: ["context": Self.context(5_000), "keys": ["plain", "key1"]])
    #expect(some.status == 200)
    let questions = (0..<600).map { Value.object(ObjectValue([("args", ["number": .integer($0)]), ("context", Self.context(200))])) }
    let gates = try daemon.ask("POST", "/v1/games/toil/players/p/gates/toll", body: .list(questions))
    #expect(gates.status == 422 && gates.json["code"] == "EVALUATION_TOO_LONG")
    let few = try daemon.ask("POST", "/v1/games/toil/players/p/gates/toll", body: .list(Array(questions.prefix(40))))
    #expect(few.status == 200 && few.json.listValue?.count == 40)
    #expect(try daemon.ask("GET", "/v1/games/toil/config/plain").json["value"] == 1)
  }

  @Test("a config answer with details is the same whether it is made on the event loop or in slices")
  func full() throws {
    let daemon = try daemon()
    let most = try #require(try daemon.read(at: "/v1/status", admin: true)["limits"]?["full_keys_on_loop_max"]?.integerValue)
    func answer(_ query: String) throws -> (values: ObjectValue, rest: ObjectValue) {
      let answer = try daemon.ask("GET", "/v1/games/toil/config?detail=full\(query)")
      #expect(answer.status == 200, "\(query.count): \(answer.text.prefix(300))")
      var rest = try #require(answer.json.objectValue)
      let values = try #require(rest["values"]?.objectValue)
      rest["values"] = nil
      return (values, rest)
    }
    let all = try answer("").values
    #expect(all.members.map(\.name) == ["plain", "many"] + (0..<400).map { "key\($0)" })
    var rests: [ObjectValue] = []
    for count in [Int(most), Int(most) + 1] {
      // Unknown keys come after the values in both ways.
      let keys = (0..<count).map { $0 == 1 ? "gone" : "key\($0)" }.joined(separator: ",")
      let some = try answer("&player=p&keys=\(keys)")
      #expect(some.values.count == count - 1 && some.values.members.allSatisfy { all[$0.name] == $0.value })
      #expect(some.rest["unknown"] == ["gone"])
      rests.append(some.rest)
    }
    #expect(rests[0] == rests[1])
  }

  @Test("many simultaneous requests of one user for all keys with details are all answered")
  func manyInFull() throws {
    let daemon = try daemon()
    let head = "GET /v1/games/toil/config?detail=full HTTP/1.1\r\nHost: x\r\n\r\n"
    let connections = try (0..<100).map { _ in
      let connection = try RawConnection(daemon.gamesSocket)
      connection.send(Array(head.utf8))
      return connection
    }
    // Another request is answered meanwhile.
    #expect(try daemon.ask("GET", "/v1/games/toil/config/plain").json["value"] == 1)
    let answers = connections.map { $0.answer() }
    #expect(answers.allSatisfy { $0?.status == 200 }, "\(answers.map { $0?.status })")
    #expect(Set(answers.compactMap { $0?.body.count }).count == 1)
  }

  @Test("an explanation whose rules need too many steps together is refused")
  func explanation() throws {
    let daemon = try daemon()
    let explained = try daemon.ask("POST", "/v1/games/toil/config/many/explain", body: ["context": Self.context(8)], admin: true)
    #expect(explained.status == 200 && explained.body.count < 2 << 20, "\(explained.body.count) bytes")
    let refused = try daemon.ask("POST", "/v1/games/toil/config/many/explain", body: ["context": Self.context(5_000)], admin: true)
    #expect(refused.status == 422 && refused.json["code"] == "EVALUATION_TOO_LONG")
  }

  @Test("a simulation with too much work per player is refused, and each user's simultaneous simulations are limited")
  func simulations() throws {
    let daemon = try daemon()
    let refused = try daemon.ask(
      "POST", "/v1/games/toil/config/many/simulate", body: ["players": 1_000_000, "context": Self.context(5_000)], admin: true)
    #expect(refused.status == 422 && refused.json["code"] == "EVALUATION_TOO_LONG")

    let body = JSONWriter.bytes(["players": 200_000, "context": Self.context(4)])
    let head =
      "POST /v1/games/toil/config/many/simulate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
    let running = try (0..<3).map { _ in
      let connection = try RawConnection(daemon.adminSocket)
      connection.send(Array(head.utf8) + body)
      return connection
    }
    // Meanwhile a player's first read and a call in a task are answered.
    for player in 0..<20 { #expect(try daemon.ask("GET", "/v1/games/toil/players/new\(player)/themes").status == 200) }
    #expect(try daemon.ask("GET", "/v1/status", admin: true).status == 200)
    let statuses = running.map { $0.answer()?.status }
    #expect(statuses.filter { $0 == 429 }.count == 1 && statuses.filter { $0 == 200 }.count == 2, "\(statuses)")
  }
}
