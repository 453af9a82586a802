// gameconfctl audit

import ArgumentParser
import GameConfAPI

struct AuditGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "See who changed what, when and why, and take it back.",
    subcommands: [AuditListing.self, AuditFollow.self, AuditShow.self, AuditRevert.self])
}

/// Which entries are wanted.
struct AuditFilter: ParsableArguments {
  @Option(help: ArgumentHelp("Only changes of this key.", valueName: "key"), completion: .keys)
  var key: String?
  @Option(help: ArgumentHelp("Only changes for this player.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Only changes by this user.", valueName: "name or uid"))
  var author: String?
  @Option(help: ArgumentHelp("Only changes from then on: an instant, or how long ago (2h).", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Only changes before then; the same.", valueName: "time"))
  var until: String?

  /// What is asked for; lengths count back from what the daemon's clock shows.
  func query(of daemon: Daemon) async throws(CtlFailure) -> [(String, String)] {
    let isRelative = [since, until].contains { $0.map(ClockText.isLength) ?? false }
    let now = isRelative ? try await daemon.ask(Calls.status).answer.clock.now : nil
    let since = try since.map { (text) throws(CtlFailure) in try ClockText.past(text, "--since", now: now).text }
    let until = try until.map { (text) throws(CtlFailure) in try ClockText.past(text, "--until", now: now).text }
    return [("key", key), ("player", player), ("author", author), ("since", since), ("until", until)].compactMap { name, text in
      text.map { (name, $0) }
    }
  }
}
