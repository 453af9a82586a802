// gameconfctl player settings

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerSettings: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "settings", abstract: "Show a player's own settings and the values in force, or choose for the player.",
    discussion: "With a key alone only the value in force is printed. Lists and objects are JSON, also from a file as @FILE.")

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The key; all keys if left out.", completion: .settings) var key: String?
  @Argument(help: "The value to choose; on, off, yes and no are booleans too.", completion: .values) var value: String?
  @Flag(help: "Remove the player's setting.") var reset = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if reset, key == nil { throw ValidationError("--reset needs a key.") }
    if reset, value != nil { throw ValidationError("Give either a value or --reset.") }
  }

  func run() async throws {
    let desk = connection.desk()
    guard let key else {
      let page = try await desk.daemon.page(of: whom)
      return desk.show(.list(page.answer.settings.map(\.wire)), asJSON: connection.json) {
        desk.screen.show(PlayerPage.settings(page.answer.settings))
      }
    }
    if reset { return try await remove(key, desk) }
    if let value { return try await choose(key, value, desk) }
    let page = try await desk.daemon.page(of: whom)
    guard let setting = page.answer.settings.first(where: { $0.key == key }) else {
      let known = page.answer.settings.map(\.key)
      throw CtlFailure.problem(
        Problem(.notASetting, "“\(key)” is not a player setting.\(NearestNames.hint(for: key, among: known))"))
    }
    desk.show(setting.wire, asJSON: connection.json) {
      desk.screen.write(ValueLook.bare(setting.effective ?? .null, isTerminal: desk.screen.isTerminal) + "\n")
      if setting.value != nil, !setting.isInForce { desk.screen.note(PlayerWords.setting(setting)) }
    }
  }

  private func choose(_ key: String, _ text: String, _ desk: Desk) async throws(CtlFailure) {
    let remark = await desk.remark(onPlayer: whom.player, in: whom.game, asJSON: connection.json)
    let catalog = try await desk.daemon.ask(Calls.catalog, ["game": whom.game]).answer
    let value = try ValueText.value(text, type: catalog.type(of: key) ?? .string)
    let reply = try await desk.daemon.ask(
      Calls.putSetting, variables(key), body: PutSetting(value: value, reason: change.reason), change: change)
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.say(change.told(PlayerWords.setting(reply.answer)))
    }
    if let remark { desk.screen.note(remark) }
  }

  private func remove(_ key: String, _ desk: Desk) async throws(CtlFailure) {
    let reply = try await desk.daemon.tell(Calls.deleteSetting, variables(key), change: change)
    if change.dryRun {
      return desk.show(reply.value, asJSON: connection.json) {
        desk.screen.say(change.told("the choice of \(SafeText.escaped(key)) is removed"))
      }
    }
    let now = try await desk.daemon.ask(
      Calls.value, ["game": whom.game, "key": key], query: [("player", whom.player)])
    desk.show(now.value, asJSON: connection.json) {
      let (key, player) = (SafeText.escaped(key), SafeText.escaped(whom.player))
      desk.screen.say("\(key) is \(ValueLook.cell(now.answer.value)) for player \(player) (\(SafeText.escaped(now.answer.source)))")
    }
  }

  private func variables(_ key: String) -> [String: String] {
    whom.variables.merging(["key": key]) { first, _ in first }
  }
}
