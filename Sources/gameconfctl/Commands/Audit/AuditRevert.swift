// gameconfctl audit revert

import ArgumentParser
import GameConfAPI

struct AuditRevert: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "revert", abstract: "Take a change back: what stood before it stands again.")

  @OptionGroup var named: NamedEntry
  @Flag(help: "Although it has changed since.") var force = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    let desk = connection.desk()
    let (game, id) = try await named.place(desk.daemon)
    let reply = try await desk.daemon.ask(
      Calls.revert, ["game": game, "id": String(id)], query: (force ? [("force", "true")] : []),
      body: ReasonRequest(reason: change.reason), change: change)
    desk.show(reply.value, asJSON: connection.json) { desk.screen.say(change.told(Self.sentence(reply.answer, entry: id))) }
  }

  static func sentence(_ answer: RevertAnswer, entry id: Int64) -> String {
    // A dry run may tell no more than that it would be done.
    guard let key = answer.entry.key else { return "entry \(id) is taken back; revision \(answer.revision)" }
    let what = SafeText.escaped(key) + (answer.entry.player.map { " of player \(SafeText.escaped($0))" } ?? "")
    let after = answer.entry.after.map { "is overridden with \(ValueLook.cell($0)) again" } ?? "is no longer overridden"
    return "\(what) \(after); revision \(answer.revision)"
  }
}
