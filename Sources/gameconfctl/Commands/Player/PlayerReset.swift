// gameconfctl player reset

import ArgumentParser
import GameConfAPI

struct PlayerReset: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "reset", abstract: "Make a player new again: remove scores, history, settings, purchases, clock and overrides.",
    discussion: "gameconfctl lists what is removed, and asks first. The audit log still names the player; player forget removes that too.")

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let request = ReasonRequest(reason: change.reason)
    let found = try await console.daemon.ask(Calls.resetPlayer, whom.variables, query: [("dry_run", "true")], body: request)
    let what = Self.words(found.answer)
    if change.dryRun || !found.answer.isKnown {
      return console.show(found.value) {
        if found.answer.isKnown {
          console.report("player \(whom.player) would be new again: \(what)")
        } else {
          console.screen.say("player \(whom.player) is new: nothing is known")
        }
      }
    }
    try console.screen.confirm("Make player \(whom.player) of \(whom.game) new again: \(what)?", isAgreed: change.agreement.yes)
    let reply = try await console.daemon.ask(Calls.resetPlayer, whom.variables, body: request, change: change)
    console.show(reply.value) { console.screen.say("player \(whom.player) is new again: \(Self.words(reply.answer))") }
  }

  static func words(_ answer: PlayerResetAnswer) -> String {
    let single = ["behaviour": "how the store behaves", "clock": "the clock"]
    let others = answer.overridesOfOthers.sorted { $0.key < $1.key }.map { "\($0.value) set by \($0.key)" }
    let parts = answer.removed.sorted { $0.key < $1.key }.map { name, count in
      let words = single[name] ?? "\(name) \(count)"
      return words + (name == "overrides" && !others.isEmpty ? " (\(others.joined(separator: ", ")))" : "")
    }
    return parts.isEmpty ? "scores and counters removed" : parts.joined(separator: ", ") + " removed"
  }
}
