// gameconfctl config import

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfFormats

struct ConfigImport: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import a set of overrides, as a whole or not at all.",
    discussion: """
      The file is the output of config export, or a property list of UserDefaults whose keys begin with rc.override. If every row names a \
      player, as with --player, testers may import it too.
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Option(help: ArgumentHelp("Import all rows for this player.", valueName: "id"), completion: .players)
  var player: String?
  @Flag(help: "Remove the overrides that are not in the file.") var replace = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var console = console
    console.daemon.timeoutSeconds = max(console.daemon.timeoutSeconds, ConfigGroup.patienceSeconds)
    let bytes = try FileBytes.read(file)
    var request: ImportRequest
    if PropertyList.isLikely(bytes) {
      let (config, _) = try await console.daemon.config(game, .nobody)
      let members = try OverrideFile.members(ofPropertyList: bytes, path: file)
      request = ImportRequest(overrides: try OverrideFile.rows(of: members, path: file, declared: config))
    } else {
      request = try OverrideFile.request(ofJSON: bytes, path: file, game: game)
    }
    if replace { request.mode = .replace }
    if let player {
      for at in request.overrides.indices { request.overrides[at].player = player }
    }
    if let reason = change.reason { request.reason = reason }
    if request.mode == .replace, !change.dryRun {
      try console.screen.confirm(
        "Replace every override of \(game) with the \(request.overrides.count) of the file?",
        isAgreed: change.agreement.yes)
    }
    console.daemon.waiting?.what = "importing \(request.overrides.count) overrides"
    let reply = try await console.daemon.ask(Calls.importOverrides, ["game": game], body: request, change: change)
    console.show(reply.value) {
      let answer = reply.answer
      let removed = answer.removed > 0 ? ", \(answer.removed) removed" : ""
      console.report("\(answer.imported, "override") imported\(removed); revision \(answer.revision)")
    }
  }
}
