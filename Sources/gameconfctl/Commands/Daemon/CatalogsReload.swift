// gameconfctl reload

import ArgumentParser
import GameConfAPI

struct CatalogsReload: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "reload", abstract: "Read the catalogs again; exits with 7 if one is bad and the last accepted one stays in force.")

  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(
      Calls.reload, body: ReasonRequest(reason: change.reason), change: change)
    console.show(reply.value) {
      if change.dryRun { console.screen.note("nothing was changed; without --dry-run: this is what a reload would do") }
      console.screen.show(Self.table(reply.answer))
      for game in reply.answer.games {
        // The fault of a file begins with the file's name. A fault of the whole catalog names no game, so the game is added.
        for fault in game.faults { console.screen.note("\(fault.contains(".yaml") ? fault : "\(game.game): \(fault)")") }
      }
    }
    if let note = Self.lostReason(change, reply.answer), !console.isJSON { console.screen.note(note) }
    if reply.answer.games.contains(where: { $0.outcome == .degraded || $0.outcome == .refused }) { throw CtlFailure.reported(.degraded) }
  }

  /// Returns a note if the given reason is not in the audit log, because no catalog changed. A daemon with `--watch` may have reloaded the
  /// files before.
  static func lostReason(_ change: ChangeOptions, _ answer: ReloadAnswer) -> Sentence? {
    guard change.reason != nil, !change.dryRun, !answer.games.contains(where: { $0.outcome == .changed }) else { return nil }
    return "no catalog has changed, so the reason is not recorded; with --watch the daemon reads a saved file by itself"
  }

  static func table(_ answer: ReloadAnswer) -> Table {
    Table(answer.games, whenEmpty: "there are no catalogs") {
      Column("game") { $0.game }
      Column("outcome") { $0.outcome.rawValue }
      Column("revision") { $0.revision }
      Column("faults") { $0.faults.count }
    }
  }
}
