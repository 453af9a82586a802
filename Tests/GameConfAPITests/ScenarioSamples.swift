// One full and one bare instance of every request and answer about scenarios.

import GameConfAPI
import GameConfCore

enum ScenarioSamples {
  static let purchase = ScenarioPurchase(product: "removeads", currency: "USD", then: [.billingRetry, .renewalOn])
  static let player = ScenarioPlayer(
    clock: PutPlayerClock(.to(.advance("P1M"))), scores: PatchPlayer(lifetimeScore: 5), purchases: [purchase],
    behaviour: PutBehaviour(behaviour: WireBehaviour(asksToBuy: true)))
  static let game = ScenarioGame(
    overrides: members(["a": 1]), flags: members(["b": true]), milestones: members(["c": 5]), players: ["p": player])
  static let scenario = WireScenario(
    id: "0123456789ab", title: "one", prefix: "scn-0123456789ab-", author: Samples.author, reason: "why", startedAt: Instant(seconds: 1),
    leaseUntil: Instant(seconds: 61), leaseSeconds: 60, endsAt: Instant(seconds: 86_401), isEnding: true)
  static let bare = WireScenario(
    id: "0123456789ab", prefix: "scn-0123456789ab-", author: Samples.author, startedAt: Instant(seconds: 1),
    leaseUntil: Instant(seconds: 61), leaseSeconds: 60, endsAt: Instant(seconds: 86_401))
  static let hold = WireHold(game: "g", key: "a", window: "w1")
  static let step = WireScenarioStep(game: "g", player: "scn-0123456789ab-p", did: "value", name: "a", result: 1)

  static let all: [any WireShape] = [
    purchase, ScenarioPurchase(product: "a"), player, ScenarioPlayer(), game, ScenarioGame(),
    ScenarioRequest(title: "one", scope: .game, leaseSeconds: 5, games: ["g": game], reason: "why"), ScenarioRequest(games: [:]), scenario,
    bare, hold, WireHold(game: "g", key: "a"), step, WireScenarioStep(game: "g", did: "clock"),
    ScenarioAnswer(scenario: scenario, games: ["g"], holds: [hold], steps: [step], warnings: ["w"], isDryRun: true),
    ScenarioAnswer(scenario: bare, games: [], holds: []),
    ScenarioList(scenarios: [ScenarioAnswer(scenario: bare, games: ["g"], holds: [hold])]), ScenarioList(),
  ]
}
