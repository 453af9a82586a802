// Tests properties of every resolution with random games and callers.

import GameConfCore
import TestSupport
import Testing

@Suite("Properties of resolved values")
struct ResolutionPropertyTests {
  private struct RandomGame {
    var table: ParameterTable
    var callers: [Caller]
    var random: RandomCatalogs
  }

  private func games(_ seed: UInt64, count: Int = 300, callers: Int = 24, _ body: (inout RandomGame) -> Void) {
    var random = RandomCatalogs(seed: seed)
    for _ in 0..<count {
      let catalog = random.catalog()
      let (layers, overrides) = random.layers(of: catalog)
      let randomCallers = (0..<callers).map { _ in random.caller(of: catalog, overrides: overrides) }
      var game = RandomGame(table: ParameterTable(catalog: catalog, layers: layers), callers: randomCallers, random: random)
      body(&game)
      random = game.random
    }
  }

  private func shown(_ key: String, _ table: ParameterTable) -> String {
    let entry = table.entry(key)
    return "\(key): \(String(describing: entry?.layers)) \(String(describing: entry?.parameter.defaultValue))"
      + " rules \(entry?.parameter.rules.map { "\($0.condition?.source ?? nil) \(String(describing: $0.percent)) \($0.value)" } ?? [])"
      + " flagd \(String(describing: entry?.parameter.flagd?.targeting?.source))"
  }

  @Test(
    "a value with the reason STATIC is the same for every caller at every time",
    arguments: TestLength.seeds(of: 1...6 as ClosedRange<UInt64>))
  func staticAnswers(seed: UInt64) {
    var statics = 0
    var others = 0
    games(seed) { game in
      for entry in game.table.entries {
        let key = entry.parameter.key
        let answers = game.callers.compactMap { game.table.resolve(key, for: $0) }
        #expect(answers.count == game.callers.count)
        if answers.contains(where: { $0.reason == .static }) {
          statics += 1
          #expect(Set(answers).count == 1, "\(shown(key, game.table))")
        } else {
          others += 1
        }
      }
    }
    #expect(statics > 200 && others > 200)
  }

  @Test(
    "a value stays the same until its next_change_at, and forever without one",
    arguments: TestLength.seeds(of: 11...16 as ClosedRange<UInt64>))
  func nextChange(seed: UInt64) {
    var known = 0
    var changed = 0
    games(seed, callers: 12) { game in
      for entry in game.table.entries {
        let key = entry.parameter.key
        for caller in game.callers {
          guard let answer = game.table.resolve(key, for: caller), !answer.isTimeDependent else { continue }
          var later = caller
          for _ in 0..<4 {
            later.now = max(caller.now, game.random.instant())
            guard var then = game.table.resolve(key, for: later) else { continue }
            if let change = answer.nextChangeAt {
              #expect(change > caller.now)
              known += 1
              if later.now >= change {
                if then.value != answer.value { changed += 1 }
                continue
              }
            }
            #expect(then.nextChangeAt == answer.nextChangeAt || answer.nextChangeAt != nil, "\(shown(key, game.table))")
            then.nextChangeAt = answer.nextChangeAt
            #expect(then == answer, "\(caller.now) \(later.now) \(shown(key, game.table))")
          }
        }
      }
    }
    #expect(known > 1000 && changed > 100)
  }

  @Test(
    "a parameter table that results from changed layers resolves like one that is built with these layers",
    arguments: TestLength.seeds(of: 31...33 as ClosedRange<UInt64>))
  func changed(seed: UInt64) {
    games(seed, callers: 6) { game in
      let catalog = game.table.catalog
      let (layers, overrides) = game.random.layers(of: catalog)
      let changed = game.table.changing(layers)
      let rebuilt = ParameterTable(catalog: catalog, layers: layers)
      for entry in rebuilt.entries {
        let key = entry.parameter.key
        #expect(changed.entry(key)?.variation == entry.variation)
        #expect(changed.entry(key)?.reads == entry.reads)
        for _ in 0..<4 {
          let caller = game.random.caller(of: catalog, overrides: overrides)
          #expect(changed.resolve(key, for: caller) == rebuilt.resolve(key, for: caller))
        }
      }
    }
  }

  @Test(
    "an explanation has the resolved value, and its applied layer has the same value",
    arguments: TestLength.seeds(of: 41...43 as ClosedRange<UInt64>))
  func explained(seed: UInt64) {
    games(seed, callers: 8) { game in
      for entry in game.table.entries {
        for caller in game.callers {
          let answer = game.table.resolve(entry.parameter.key, for: caller)
          let explanation = game.table.explain(entry.parameter.key, for: caller)
          #expect(explanation?.resolution == answer)
          #expect(explanation?.layers.first { $0.isApplied }?.answer?.value == answer?.value)
        }
      }
    }
  }
}
