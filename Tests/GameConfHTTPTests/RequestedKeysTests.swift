// Tests limits of one request: it may not name a key twice, and its answer may not exceed the maximum size.

import GameConfAPI
import GameConfCore
import GameConfEngine
import GameConfServer
import Testing

@testable import GameConfHTTP

@Suite("Limits of a request's keys")
struct RequestedKeysTests {
  private static let config = "/v1/games/cave/config"
  private let noon = "2026-11-21T12:00:00Z"

  private func body(_ keys: [String]) -> String { JSONWriter.text(["keys": .list(keys.map(Value.string))]) }

  @Test("a key that is named twice in a query or body is refused with its place", arguments: ["", "&detail=full"])
  func repeated(detail: String) throws {
    let games = try EmbeddedGames([.served()], at: noon)
    #expect(try games.ask(Self.config + "?keys=first,last" + detail).status == 200)
    let query = try games.ask(Self.config + "?keys=first,last,first" + detail)
    #expect(query.status == 400 && query.text.contains("“first” is named twice"))
    #expect(try games.ask(Self.config, method: "POST", body: body(["first", "last"])).status == 200)
    let posted = try games.ask(Self.config, method: "POST", body: body(["first", "last", "last"]))
    #expect(posted.status == 400)
    #expect(try JSONReader.value(from: posted.body)["pointer"] == "/keys/2")
  }

  @Test("a request may name as many keys as a catalog may have, and one more is refused")
  func many() throws {
    let keys = (0..<EvaluateRequest.keysMax).map { "key\($0)" }
    let parameters = keys.map { Parameter(key: $0, type: .integer, defaultValue: .value(1), section: "A", description: "One.") }
    var catalog = Catalog(game: "cave", title: "Cave", locales: ["en"])
    catalog.parameters = parameters
    let snapshot = GameSnapshot(table: ParameterTable(catalog: catalog, layers: [:], revision: 1), GameState(revision: 1))
    let games = try EmbeddedGames([snapshot], at: noon)
    let most = try games.ask(Self.config, method: "POST", body: body(keys))
    #expect(most.status == 200)
    #expect(try JSONReader.value(from: most.body)["values"]?.objectValue?.count == keys.count)
    let more = try games.ask(Self.config, method: "POST", body: body(keys + ["one_more"]))
    #expect(more.status == 400 && more.text.contains("may name 3000 keys"))
  }

  @Test("an answer that would exceed the maximum size is refused, and no part of it is sent", arguments: ["?locale=fr", "?detail=full"])
  func large(query: String) throws {
    let size = 250 << 10
    func game(_ count: Int) -> GameSnapshot {
      .served(
        more: (0..<count).map { number in
          Parameter(
            key: "long\(number)", type: .string, defaultValue: .value(.string(String(repeating: "x", count: size))), section: "A",
            description: "Long.")
        })
    }
    let fitting = Answer.bodyBytesMax / size - 1
    let games = try EmbeddedGames([game(fitting)], at: noon)
    #expect(try games.ask(Self.config + query).status == 200)
    games.publish([game(fitting + 2)])
    let refused = try games.ask(Self.config + query)
    #expect(refused.status == 422 && refused.text.contains("ANSWER_TOO_LARGE"))
    #expect(try games.ask(Self.config + query + "&keys=long0").status == 200)
  }

  @Test("an answer with full details of many keys is the same with and without slices")
  func slices() async throws {
    let parameters = (0..<(3 * FullConfig.keysAtOnce + 5)).map { number in
      var parameter = Parameter(
        key: "key\(number)", type: .integer, defaultValue: .value(.integer(Int64(number))), section: "A", description: "One.")
      parameter.isSecret = number % 9 == 0
      return parameter
    }
    let game = GameSnapshot.served(more: parameters)
    let caller = EvaluationContext(player: nil)
    for requested in [nil, parameters.map(\.key) + ["gone"], ["gone"], []] as [[String]?] {
      let budget = EvaluationBudget(steps: LogicLimits.requestStepsMax)
      let seen = Evaluation(caller, in: game, host: Instant(seconds: 1_795_262_400), within: budget)
      let full = FullConfig(seen, requested, readsSecrets: false, EvaluationTallies())
      let work = SlicedWork()
      let made = try await full.inSlices(by: work, for: 1)
      #expect(made.answer.body == full.whole().answer.body)
      #expect(work.answersState == (0, 0) && work.running == 0)
    }
    let spent = EvaluationBudget(steps: -1)
    let seen = Evaluation(caller, in: game, host: Instant(seconds: 1_795_262_400), within: spent)
    let problem = await #expect(throws: Problem.self) {
      try await FullConfig(seen, nil, readsSecrets: false, EvaluationTallies()).inSlices(by: SlicedWork(), for: 1)
    }
    #expect(problem?.code == .evaluationTooLong)
  }

  @Test("a gate request that has the same set of arguments twice is refused")
  func gates() throws {
    let list: Value = [["args": ["number": 1]], ["args": ["number": 2]], ["args": ["number": 1]]]
    let fault = #expect(throws: Fault.self) { try GateRequest(wire: list, at: "") }
    #expect(fault?.pointer == "/2")
    #expect(try GateRequest(wire: [["args": ["number": 1]], ["args": ["number": 1.0]]], at: "").checks.count == 2)
  }
}
