// gameconfctl iap approve, decline, resolve, refund, revoke, expire, renew, cancel, retry, recover: one generic command over the table of
// acts.

import ArgumentParser

/// The options of the command for one act on a transaction. Each act has its own type, because ArgumentParser distinguishes commands only
/// by their types.
protocol ActOptions: ParsableArguments {
  /// The act for which the command is named.
  static var act: ShopCommand { get }
  static var commandName: String { get }
  /// The act that the command performs with the options that were typed.
  var chosen: ShopCommand { get }
}

extension ActOptions {
  static var commandName: String { act.word }
  var chosen: ShopCommand { Self.act }
}

struct IapAct<Options: ActOptions>: ChangeCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: Options.commandName, abstract: Options.act.help)
  }

  @OptionGroup var of: TransactionArguments
  @OptionGroup var options: Options
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws { try await options.chosen.perform(of.whom.shop(change, console), on: of.transaction) }
}

enum IapActs {
  struct Approve: ActOptions { static let act = ShopCommand.approve }
  struct Decline: ActOptions { static let act = ShopCommand.decline }
  struct Resolve: ActOptions { static let act = ShopCommand.resolve }
  struct Revoke: ActOptions { static let act = ShopCommand.revoke }
  struct Expire: ActOptions { static let act = ShopCommand.expire }
  struct Renew: ActOptions { static let act = ShopCommand.renew }
  struct Recover: ActOptions { static let act = ShopCommand.recover }

  struct Refund: ActOptions {
    static let act = ShopCommand.refund
    @Flag(help: "Decline the refund: only the history changes.") var decline = false
    var chosen: ShopCommand { decline ? .refundDecline : .refund }
  }

  struct Cancel: ActOptions {
    static let act = ShopCommand.cancel
    @Flag(help: "Switch renewal on again.") var undo = false
    var chosen: ShopCommand { undo ? .renewalOn : .cancel }
  }

  struct Retry: ActOptions {
    static let act = ShopCommand.retry(grace: nil)
    static let commandName = "retry"
    @Option(
      help: ArgumentHelp("Access meanwhile: product, always or never; default the store's setting.", valueName: "word"))
    var grace: String?
    var chosen: ShopCommand { .retry(grace: grace) }
  }
}
