// gameconfctl audit

import ArgumentParser

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
  @Option(help: ArgumentHelp("Only changes from then on.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Only changes before then.", valueName: "time"))
  var until: String?

  var query: [(String, String)] {
    [("key", key), ("player", player), ("author", author), ("since", since), ("until", until)].compactMap { name, text in
      text.map { (name, $0) }
    }
  }
}
