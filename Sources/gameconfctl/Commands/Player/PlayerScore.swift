// gameconfctl player score

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerScore: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "score", abstract: "Show a player's scores, or set some.",
    discussion: "Milestones that the new scores reach unlock immediately. Earned ones stay, also if a score is lowered.")

  @OptionGroup var whom: PlayerOptions
  @Option(parsing: .unconditional, help: ArgumentHelp("Set the sum of all scores.", valueName: "points"))
  var lifetime: String?
  @Option(parsing: .unconditional, help: ArgumentHelp("Set how many games were played.", valueName: "number"))
  var games: String?
  @Option(help: ArgumentHelp("Set the best score of a mode; may be given again.", valueName: "mode=points"))
  var best: [String] = []
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    if lifetime == nil, games == nil, best.isEmpty {
      let reply = try await console.daemon.page(of: whom)
      return console.show(reply.answer.scores.wire) { console.screen.show(PlayerPage.table(reply.answer.scores)) }
    }
    let remark = await console.remark(onPlayer: whom.player, in: whom.game)
    let reply = try await console.daemon.ask(
      Calls.patchPlayer, whom.variables, body: try request(), change: change)
    console.show(reply.value) {
      let scores = reply.answer.scores
      var sentence: Sentence = "\(whom.player) has \(PlayerWords.scored(scores.lifetimeScore, in: scores.gamesPlayed))"
      if !scores.bestScores.isEmpty {
        sentence += ", best \(scores.bestScores.sorted { $0.key < $1.key }.map { "\($0.value) in \($0.key)" }.joined(separator: ", "))"
      }
      console.report(sentence)
      if let unlocked = PlayerWords.unlocked(reply.answer.unlocked) { console.screen.say(unlocked) }
    }
    if let remark { console.screen.note(remark) }
  }

  private func request() throws(CtlFailure) -> PatchPlayer {
    var request = PatchPlayer(reason: change.reason)
    if let lifetime { request.lifetimeScore = try ValueText.value(lifetime, type: .integer) }
    if let games { request.gamesPlayed = try ValueText.value(games, type: .integer) }
    for each in best {
      let parts = each.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2, !parts[0].isEmpty else { throw .usage("--best takes a mode and points, such as classic=30") }
      request.bestScores[parts[0]] = try ValueText.value(parts[1], type: .integer)
    }
    return request
  }
}
