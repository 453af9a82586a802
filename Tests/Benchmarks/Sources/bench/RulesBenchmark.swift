// The evaluation of rules in process, compared with Unleash's Rust core through its C interface and flagd's own evaluator in Python.

import CLoad
import GameConfCore

/// Measures a static value, one rule with a rollout of 10 %, and a rule over five attributes, each for 64 players in rotation.
struct RulesBenchmark {
  private struct Course {
    let name: String
    let key: String
    /// The budget of one read in nanoseconds, which also allows no allocation; nil without a budget.
    let budget: Double?
  }

  private struct Sample {
    var nanoseconds: [Double] = []
    var allocations = 0.0
    /// The number of the 64 players for whom the flag is on.
    var on = 0
  }

  /// A reference to a caller, because taking a caller out of an array or into a closure would copy it, and the copy would be measured too.
  private final class Asker {
    let caller: Caller
    init(_ caller: Caller) { self.caller = caller }

    @inline(never)
    func isOn(_ key: String, in table: ParameterTable) -> Bool { table.resolve(key, for: caller)?.value.boolValue == true }
  }

  private static let courses = [
    Course(name: "static value", key: "static_flag", budget: 50),
    Course(name: "one rule + 10 % rollout", key: "rollout_flag", budget: 150),
    Course(name: "a rule over five attributes", key: "attributes_flag", budget: nil),
  ]
  private let players = RulesPlayers()
  private let reads = 1_000_000

  func run(folder: Workspace) throws(BenchError) -> [Budgeted] {
    let table = ParameterTable(catalog: try Self.catalog())
    let now = Instant(seconds: 1_800_000_000)
    let askers = players.contexts.map { context in
      Asker(Caller(player: context["targetingKey"]?.stringValue, context: context, locales: ["en"], now: now))
    }
    let python = PeerPython.found()
    let unleash = try python.flatMap { python throws(BenchError) in try python.unleashLibrary() }.map { path throws(BenchError) in
      try Unleash(library: path, state: RulesPeers.unleashState)
    }
    let flagd = try python.flatMap { python throws(BenchError) in
      try python.flagd(flags: RulesPeers.flagdFlags, contexts: players.texts, keys: Self.courses.map(\.key), folder: folder)
    }

    var rows = [["read", "evaluator", "ns", "allocations", "on for", "budget"]]
    var budgeted: [Budgeted] = []
    for course in Self.courses {
      let key = course.key
      var evaluators: [(name: String, reads: Int, on: (Int) -> Bool)] = [
        ("gameconf", reads, { askers[$0].isOn(key, in: table) }),
        (
          "gameconf, context from JSON", reads / 10,
          { index in
            guard let context = try? JSONReader.value(from: players.bytes[index]).objectValue else { return false }
            let caller = Caller(player: context["targetingKey"]?.stringValue, context: context, locales: ["en"], now: now)
            return table.resolve(key, for: caller)?.value.boolValue == true
          }
        ),
      ]
      if let unleash {
        let contexts = players.unleashContexts
        evaluators.append(("Unleash's core, context from JSON", reads / 10, { unleash.isEnabled(key, contexts[$0]) }))
      }
      var samples = [Sample](repeating: Sample(), count: evaluators.count)
      // The evaluators alternate, so that the host's other load affects all of them.
      for _ in 0..<7 {
        for (at, evaluator) in evaluators.enumerated() { measure(evaluator.on, reads: evaluator.reads, into: &samples[at]) }
      }
      for (at, evaluator) in evaluators.enumerated() {
        rows.append([
          at == 0 ? course.name : "", evaluator.name, figure(samples[at].nanoseconds.median), figure(samples[at].allocations, 2),
          "\(samples[at].on) of \(players.contexts.count)", at == 0 ? course.budget.map { "≤ \(figure($0, 0)), 0" } ?? "" : "",
        ])
      }
      if let answer = flagd?[key] {
        rows.append(["", "flagd's evaluator in Python", figure(answer.nanoseconds), "", "\(answer.on) of \(players.contexts.count)", ""])
      }
      if let budget = course.budget {
        let (taken, allocated) = (samples[0].nanoseconds.median, samples[0].allocations)
        let share = samples.count > 2 ? taken / samples[2].nanoseconds.median : nil
        budgeted.append(
          Budgeted(
            what: "\(course.name), in process", figure: "\(figure(taken)) ns, \(figure(allocated, 2)) allocations",
            beside: share.map {
              "\(figure($0, 2)) × Unleash's core through its C interface; "
                + "\(figure(samples[1].nanoseconds.median / samples[2].nanoseconds.median, 2)) × where both read JSON"
            } ?? "Unleash's core was not there",
            budget: "≤ \(figure(budget, 0)) ns, \(course.key == "rollout_flag" ? "≤ 0.4 ×, " : "")no allocation",
            isMet: taken <= budget && allocated < 0.005 && (course.key != "rollout_flag" || share.map { $0 <= 0.4 } == true)))
      }
    }
    printTable("Rules in process, through the table of \(table.entries.count) keys; medians of 7 turns", rows)
    if python == nil || unleash == nil || flagd == nil {
      print(
        """

          !!! NOT MEASURED: \(unleash == nil ? "Unleash's core " : "")\(flagd == nil ? "flagd's evaluator " : "")
          !!! They come from PyPI (yggdrasil-engine, openfeature-flagd-core); make bench installs them, or name a Python that has them in
          !!! \(PeerPython.variable).
        """)
    }
    return budgeted
  }

  private func measure(_ isOn: (Int) -> Bool, reads: Int, into sample: inout Sample) {
    var on = 0
    for player in players.contexts.indices where isOn(player) { on += 1 }
    sample.on = on
    var sum = 0
    let allocated = load_allocations()
    let began = load_now_ns()
    for read in 0..<reads where isOn(read & (players.contexts.count - 1)) { sum += 1 }
    let nanoseconds = Double(load_now_ns() - began)
    sample.allocations = Double(load_allocations() - allocated) / Double(reads)
    if sum != reads / players.contexts.count * on + (0..<(reads % players.contexts.count)).count(where: isOn) {
      print("bench: a flag did not answer the same twice")
    }
    sample.nanoseconds.append(nanoseconds / Double(reads))
  }

  /// Returns a catalog with the three measured flags among 297 other flags.
  private static func catalog() throws(BenchError) -> Catalog {
    func flag(_ key: String) -> Parameter {
      Parameter(key: key, type: .boolean, defaultValue: .value(.bool(false)), section: "All", description: "A flag.")
    }
    var still = flag("static_flag")
    still.defaultValue = .value(.bool(true))
    var rollout = flag("rollout_flag")
    var attributes = flag("attributes_flag")
    do {
      rollout.rules = [
        Rule(
          condition: try LogicExpression(compiling: ["==": [["var": "platform"], "ios"]]), percent: Percent(from: 10_000_000),
          value: .value(.bool(true)))
      ]
      attributes.rules = [
        Rule(
          condition: try LogicExpression(compiling: try JSONReader.value(from: Array(RulesPeers.fiveAttributes.utf8))),
          value: .value(.bool(true)))
      ]
    } catch {
      throw BenchError("the benchmark's own rules: \(error)")
    }
    var catalog = Catalog(game: "bench", title: "Bench", locales: ["en"])
    catalog.parameters = (0..<297).map { flag("parameter_number_\($0)") } + [still, rollout, attributes]
    return catalog
  }
}

/// The players for whom the rules are evaluated.
struct RulesPlayers {
  let contexts: [ObjectValue]
  /// Each player's context as the bytes of its JSON.
  let bytes: [[UInt8]]
  /// Each player's context in Unleash's form: the player is `userId`, and all else is `properties`, whose values are text.
  let unleashContexts: [[CChar]]

  init() {
    contexts = (0..<64).map { (player: Int) -> ObjectValue in
      var context = ObjectValue()
      context["targetingKey"] = .string("player-\(player &* 7919)-abcdef012345")
      context["platform"] = "ios"
      context["country"] = player % 2 == 0 ? "SE" : "DE"
      context["app_version"] = "1.3.7"
      context["level"] = .integer(Int64(player))
      context["locale"] = "en-GB"
      return context
    }
    bytes = contexts.map { JSONWriter.bytes(.object($0)) }
    unleashContexts = contexts.map { context in
      var properties = ObjectValue()
      for member in context.members where member.name != "targetingKey" {
        properties[member.name] = member.value.integerValue.map { .string("\($0)") } ?? member.value
      }
      let whole: Value = ["userId": context["targetingKey"] ?? .null, "properties": .object(properties)]
      return Array(String(decoding: JSONWriter.bytes(whole), as: UTF8.self).utf8CString)
    }
  }

  /// Each player's context as a JSON string.
  var texts: [String] { bytes.map { String(decoding: $0, as: UTF8.self) } }
}
