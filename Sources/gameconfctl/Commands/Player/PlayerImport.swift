// gameconfctl player import

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerImport: ChangeCommand, DestructiveCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import a player from player export: scores, history, settings, ads, purchases, clock and overrides.",
    discussion: "The player may have another id than the exported one. A known player is made new first; gameconfctl asks first.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let bytes = try FileBytes.read(file)
    let exported: Value
    do throws(JSONError) {
      exported = try JSONReader.value(
        from: bytes, limits: JSONLimits(depthMax: 64, bytesMax: FileBytes.bytesMax))
    } catch { throw CtlFailure.refused(["\(file) is not JSON at byte \(error.offset): \(error.message)"]) }
    guard let rows = exported["rows"]?.objectValue else {
      throw CtlFailure.refused(["\(file) is not a file of player export: it has no “rows”"])
    }
    let handover = PlayerStateCopy(
      console: console, game: whom.game, player: whom.player, change: change)
    try await handover(CopyPlayerRequest(rows: rows, reason: change.reason), overrides: exported["overrides"], of: file)
  }
}
