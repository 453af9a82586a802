// gameconfctl iap behaviour

import ArgumentParser
import GameConfAPI
import GameConfCore

struct IapBehaviour: ChangeCommand, WordCommand {
  enum Setting: String, ExpressibleByArgument, CaseIterable {
    case fail
    case askToBuy = "ask-to-buy"
    case interrupt, billing, grace, clear
  }

  static let configuration = CommandConfiguration(
    commandName: "behaviour", abstract: "Show or change how the store behaves for a player.",
    discussion: """
      fail CALL --error WORD [--times N]   let load_products, purchase, verification or restore fail
      ask-to-buy on|off                    purchases wait for approve or decline
      interrupt on|off                     purchases wait for resolve
      billing fail|ok                      renewals fail and are retried
      grace product|always|never           access while billing is retried
      clear [CALL]                         everything works again, or one call

      Errors are StoreKit's: not_allowed, network_error, user_cancelled, payment_declined, …
      """)

  @OptionGroup var whom: PlayerOptions
  @Argument(help: "The behaviour to change.") var setting: Setting?
  @Argument(help: "A call, or the new value.") var value: String?
  @Option(help: ArgumentHelp("The error of a failing call.", valueName: "word"))
  var error: String?
  @Option(help: ArgumentHelp("For this number of calls; default until cleared.", valueName: "number"))
  var times: Int64?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if setting != .fail, error != nil || times != nil { throw ValidationError("--error and --times are for fail.") }
    guard let setting else { return }
    guard let value else {
      if setting != .clear { throw ValidationError("\(setting.rawValue) needs a word: \(Self.words(setting).joined(separator: ", ")).") }
      return
    }
    guard Self.words(setting).contains(value) else {
      throw ValidationError("\(setting.rawValue) \(value): the words are \(Self.words(setting).joined(separator: ", ")).")
    }
    if setting == .fail, error == nil {
      let known = SimulatedCall(rawValue: value)?.errors.map(\.rawValue).joined(separator: ", ") ?? ""
      throw ValidationError("fail \(value) needs --error: \(known).")
    }
  }

  static func words(_ setting: Setting) -> [String] {
    switch setting {
    case .fail, .clear: SimulatedCall.allCases.map(\.rawValue)
    case .askToBuy, .interrupt: ["on", "off"]
    case .billing: ["fail", "ok"]
    case .grace: ShopBehaviour.Grace.allCases.map(\.rawValue)
    }
  }

  func run(on console: Console) async throws {
    let variables = whom.variables
    var reply = try await console.daemon.ask(Calls.storeBehaviour, variables)
    if let setting {
      let wanted = PutBehaviour(behaviour: changed(reply.answer.behaviour, setting), reason: change.reason)
      // The change names the revision that was read (compare-and-swap). Otherwise it could restore a simulated failure whose limited number
      // of calls was used up meanwhile. A change with an idempotency key names no revision: its repetition must be the same request, but
      // the first request has raised the revision.
      let revision = change.idempotencyKey == nil ? reply.answer.playerRevision : nil
      reply = try await console.daemon.ask(Calls.putStoreBehaviour, variables, body: wanted, change: change, ifRevision: revision)
      if change.dryRun, !console.isJSON { console.screen.note("dry run, nothing was changed") }
    }
    console.show(reply.value) { console.screen.show(ShopPage.behaviour(reply.answer.behaviour)) }
  }

  private func changed(_ behaviour: WireBehaviour, _ setting: Setting) -> WireBehaviour {
    var behaviour = behaviour
    switch (setting, value) {
    case (.fail, let call?): behaviour.fail[call] = SimulatedFailure(error: error ?? "", times: times)
    case (.clear, let call?): behaviour.fail[call] = nil
    case (.clear, nil): behaviour = WireBehaviour()
    case (.askToBuy, _): behaviour.asksToBuy = value == "on"
    case (.interrupt, _): behaviour.interruptsPurchases = value == "on"
    case (.billing, _): behaviour.failsBilling = value == "fail"
    case (.grace, let word?): behaviour.grace = word
    case (.fail, nil), (.grace, nil): break
    }
    return behaviour
  }
}
