// The options of every command that changes something.

import ArgumentParser
import GameConfAPI

struct ChangeOptions: ParsableArguments {
  @Option(help: "The reason, for the audit log.")
  var reason: String?

  @Flag(help: "Check everything and change nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("A change repeated with the same key is done once.", valueName: "key"))
  var idempotencyKey: String?

  @OptionGroup var agreement: YesOption

  /// A change without a reason that is not a dry run.
  static var plain: ChangeOptions {
    var options = ChangeOptions()
    (options.reason, options.dryRun, options.idempotencyKey, options.agreement) = (nil, false, nil, .unset)
    return options
  }

  /// Returns the query of a call, with the reason if the call has no JSON body.
  func query(of endpoint: Endpoint) -> [(String, String)] {
    var query: [(String, String)] = dryRun ? [("dry_run", "true")] : []
    if let reason, endpoint.query.contains(.reason) { query.append(("reason", reason)) }
    return query
  }

  var headers: [(name: String, value: String)] { idempotencyKey.map { [("Idempotency-Key", $0)] } ?? [] }
}

/// The option `--yes`. Every change takes it, but only commands that destroy data ask for confirmation.
struct YesOption: ParsableArguments {
  @Flag(name: [.customShort("y"), .long], help: "Do it without being asked.")
  var yes = false

  static var unset: YesOption {
    var option = YesOption()
    option.yes = false
    return option
  }
}
