// The sentence that the page shows after it has set an override. `config set` prints the same.

import GameConfAPI
import GameConfCore

/// A call of the page that sets an override, for the sentence about its outcome.
struct PanelOverrideReport {
  private let game: String
  private let key: String
  private let player: String?
  private let console: Console

  /// Reads the game, the key and the player of the call; nil if the call sets no override.
  init?(_ call: PanelCall, _ console: Console) {
    guard [Calls.putOverride.endpoint, Calls.putPlayerOverride.endpoint].contains(call.endpoint) else { return nil }
    let variables = PanelCommand.members(call.endpoint, call.target, nil)
    guard let game = variables["game"]?.stringValue, let key = variables["key"]?.stringValue else { return nil }
    (self.game, self.key, self.console) = (game, key, console)
    player = variables["player"]?.stringValue
  }

  /// The target that reads the value in force, which the panel does before the change.
  var valueTarget: String {
    Calls.value.endpoint.target(["game": game, "key": key], query: player.map { [("player", $0)] } ?? [])
  }

  /// Returns the sentence about the outcome; nil if the response does not report an override that was set.
  /// - Parameters:
  ///   - answer: The daemon's response to the change.
  ///   - before: The value in force before the change.
  ///   - secrets: The keys whose values are not shown.
  func text(_ answer: Value?, before: Value?, secrets: Set<String>) -> String? {
    guard var answer = answer.flatMap({ try? OverrideAnswer(member: $0) }) else { return nil }
    var before = before.flatMap { try? ValueAnswer(member: $0) }
    if secrets.contains(key) {
      answer.override.value = "(secret)"
      answer.inForce?.isMasked = true
      before = nil
    }
    let order = OverrideOrder(console: console, game: game, player: player, change: .plain)
    var style = console.screen.style
    (style.isTerminal, style.isLong) = (true, false)
    return order.setSentence(answer, before: before).text(style)
  }
}
