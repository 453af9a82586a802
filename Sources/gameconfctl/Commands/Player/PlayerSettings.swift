// gameconfctl player settings

import ArgumentParser
import GameConfAPI
import GameConfCore

struct PlayerSettings: ChangeCommand {
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

  func run(on console: Console) async throws {
    guard let key else {
      let page = try await console.daemon.page(of: whom)
      return console.show(.list(page.answer.settings.map(\.wire))) {
        console.screen.show(PlayerPage.settings(page.answer.settings))
      }
    }
    if reset { return try await remove(key, console) }
    if let value { return try await choose(key, value, console) }
    let page = try await console.daemon.page(of: whom)
    guard let setting = page.answer.settings.first(where: { $0.key == key }) else {
      let known = page.answer.settings.map(\.key)
      throw CtlFailure.problem(
        Problem(.notASetting, "“\(key)” is not a player setting.\(NearestNames.hint(for: key, among: known))"))
    }
    console.show(setting.wire) {
      console.screen.show(bare: ValueStyle.bare(setting.effective ?? .null, isTerminal: console.screen.isTerminal) + "\n")
      if setting.value != nil, !setting.isInForce { console.screen.note(PlayerWords.setting(setting)) }
    }
  }

  private func choose(_ key: String, _ text: String, _ console: Console) async throws(CtlFailure) {
    let remark = await console.remark(onPlayer: whom.player, in: whom.game)
    let catalog = try await console.daemon.ask(Calls.catalog, ["game": whom.game]).answer
    let value = try ValueText.value(text, type: catalog.type(of: key) ?? .string)
    let reply = try await console.daemon.ask(
      Calls.putSetting, variables(key), body: PutSetting(value: value, reason: change.reason), change: change)
    console.show(reply.value) {
      console.report(PlayerWords.setting(reply.answer))
    }
    if let remark { console.screen.note(remark) }
  }

  private func remove(_ key: String, _ console: Console) async throws(CtlFailure) {
    let reply = try await console.daemon.send(Calls.deleteSetting, variables(key), change: change)
    if change.dryRun {
      return console.show(reply.value) {
        console.report("the choice of \(key) is removed")
      }
    }
    let now = try await console.daemon.ask(
      Calls.value, ["game": whom.game, "key": key], query: [("player", whom.player)])
    console.show(now.value) {
      console.screen.say("\(key) is \(now.answer.value) for player \(whom.player) (\(now.answer.source))")
    }
  }

  private func variables(_ key: String) -> [String: String] {
    whom.variables.merging(["key": key]) { first, _ in first }
  }
}
