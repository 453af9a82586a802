// gameconfctl iap approve, decline, resolve, refund, revoke, expire, renew, cancel, retry, recover: one command for the table of acts.

import ArgumentParser

/// What the command of an act has for itself: its name, and the options that choose the act.
protocol ActOptions: ParsableArguments {
  static var configuration: CommandConfiguration { get }
  var act: TransactionAct { get }
}

/// The command of one act on a transaction.
struct IapAct<Options: ActOptions>: AsyncParsableCommand {
  static var configuration: CommandConfiguration { Options.configuration }

  @OptionGroup var of: TransactionArguments
  @OptionGroup var options: Options
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func run() async throws { try await options.act.perform(of.whom.counter(change, connection), on: of.transaction) }
}

enum IapActs {
  struct Approve: ActOptions {
    static let configuration = CommandConfiguration(commandName: "approve", abstract: "Approve a purchase that waits for a parent.")
    var act: TransactionAct { .approve }
  }

  struct Decline: ActOptions {
    static let configuration = CommandConfiguration(commandName: "decline", abstract: "Decline a purchase that waits for a parent.")
    var act: TransactionAct { .decline }
  }

  struct Resolve: ActOptions {
    static let configuration = CommandConfiguration(
      commandName: "resolve", abstract: "Resolve the interruption of a purchase, which then succeeds.")
    var act: TransactionAct { .resolve }
  }

  struct Refund: ActOptions {
    static let configuration = CommandConfiguration(
      commandName: "refund", abstract: "Refund a purchase, so that the player loses what it gave; or decline a requested refund.")
    @Flag(help: "Decline the refund: only the history changes.") var decline = false
    var act: TransactionAct { decline ? .refundDecline : .refund }
  }

  struct Revoke: ActOptions {
    static let configuration = CommandConfiguration(
      commandName: "revoke", abstract: "Revoke a purchase or a grant without a refund, as when family sharing ends.")
    var act: TransactionAct { .revoke }
  }

  struct Expire: ActOptions {
    static let configuration = CommandConfiguration(commandName: "expire", abstract: "End a subscription now.")
    var act: TransactionAct { .expire }
  }

  struct Renew: ActOptions {
    static let configuration = CommandConfiguration(commandName: "renew", abstract: "End a subscription's period now and begin the next.")
    var act: TransactionAct { .renew }
  }

  struct Cancel: ActOptions {
    static let configuration = CommandConfiguration(
      commandName: "cancel", abstract: "Switch a subscription's renewal off; the paid period lasts to its end.")
    @Flag(help: "Switch renewal on again.") var undo = false
    var act: TransactionAct { undo ? .renewalOn : .cancel }
  }

  struct Retry: ActOptions {
    static let configuration = CommandConfiguration(
      commandName: "retry", abstract: "End a subscription's period now with a renewal that fails; billing is retried.")
    @Option(
      help: ArgumentHelp("Access meanwhile: product, always or never; default the store's setting.", valueName: "word"))
    var grace: String?
    var act: TransactionAct { .retry(grace: grace) }
  }

  struct Recover: ActOptions {
    static let configuration = CommandConfiguration(commandName: "recover", abstract: "Let the retried billing succeed.")
    var act: TransactionAct { .recover }
  }
}
