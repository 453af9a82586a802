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

  /// The options of a change without a reason, which is no dry run.
  static var plain: ChangeOptions {
    var options = ChangeOptions()
    (options.reason, options.dryRun, options.idempotencyKey, options.agreement) = (nil, false, nil, .unset)
    return options
  }

  /// Returns the options as the query of a call. The reason is in it only if the call takes the reason there.
  func query(of endpoint: Endpoint) -> [(String, String)] {
    var query: [(String, String)] = dryRun ? [("dry_run", "true")] : []
    if let reason, endpoint.query.contains(.reason) { query.append(("reason", reason)) }
    return query
  }

  var headers: [(name: String, value: String)] { idempotencyKey.map { [("Idempotency-Key", $0)] } ?? [] }
}

/// The option `--yes`. Every command that changes something accepts it, but only commands that destroy data ask for confirmation.
struct YesOption: ParsableArguments {
  @Flag(name: [.customShort("y"), .long], help: "Do it without being asked.")
  var yes = false

  static var unset: YesOption {
    var option = YesOption()
    option.yes = false
    return option
  }
}
