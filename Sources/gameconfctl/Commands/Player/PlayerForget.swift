// gameconfctl player forget

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerForget: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "forget", abstract: "Remove everything about a player, permanently.",
    discussion: """
      gameconfctl lists what is removed, and asks first. The audit log records that a player was forgotten, not which one. Purchases that moved to other players stay \
      with them, without this player's name (counted as transfers).
      """)

  @OptionGroup var whom: PlayerOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let call = whom.isOnlyStored ? Calls.forgetStored : Calls.forgetPlayer
    let found = try await console.daemon.ask(call, whom.variables, query: [("dry_run", "true")] + whom.storedQuery)
    let what = Self.words(found.answer)
    if change.dryRun {
      return console.show(found.value) {
        console.report("player \(whom.player) is forgotten: \(what)")
      }
    }
    try console.screen.confirm("Forget player \(whom.player) in \(whom.game): \(what)?", isAgreed: change.agreement.yes)
    _ = try await console.daemon.send(call, whom.variables, query: whom.storedQuery, change: change)
    console.show(found.answer.wire) { console.screen.say("player \(whom.player) is forgotten: \(what)") }
  }

  static func words(_ answer: ForgetAnswer) -> Sentence {
    let parts = answer.removed.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
    let lines: Sentence =
      answer.auditLines > 0
      ? "; \(answer.auditLines, "line of the audit log keeps", "lines of the audit log keep") a digest of the id" : ""
    return "\(parts.isEmpty ? "nothing stays stored" : parts.joined(separator: ", "))\(lines)"
  }
}
