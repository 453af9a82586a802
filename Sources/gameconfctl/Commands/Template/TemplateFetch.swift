// gameconfctl template fetch

import ArgumentParser
import GameConfAPI

struct TemplateFetch: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "fetch", abstract: "Request a fetch of a game's template from its source by gameconf-fetch.",
    discussion:
      "The fetch waits until the game's remote_min_fetch_interval has passed since the last one. “template versions” shows the result.")

  @Argument(help: "The game.", completion: .games) var game: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let body = ReasonRequest(reason: change.reason)
    let reply = try await console.daemon.ask(Calls.fetchTemplate, ["game": game], body: body, change: change)
    console.show(reply.value) {
      let wait = reply.answer.waitSeconds
      let length = InstantStyle.length(milliseconds: UInt64(max(0, wait)) * 1000) ?? "\(wait) s"
      let when = wait > 0 ? "in \(length), when remote_min_fetch_interval has passed" : "now"
      console.report("\(reply.answer.source) is fetched \(when)")
    }
  }
}
