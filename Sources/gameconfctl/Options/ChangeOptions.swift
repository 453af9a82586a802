// The options of every change.

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

  /// A change without a reason, meant seriously.
  static var plain: ChangeOptions {
    var options = ChangeOptions()
    (options.reason, options.dryRun, options.idempotencyKey, options.agreement) = (nil, false, nil, .asking)
    return options
  }

  /// The query of a call; with the reason too where the call takes no body of JSON.
  func query(of endpoint: Endpoint) -> [(String, String)] {
    var query: [(String, String)] = dryRun ? [("dry_run", "true")] : []
    if let reason, endpoint.query.contains(.reason) { query.append(("reason", reason)) }
    return query
  }

  var headers: [(name: String, value: String)] { idempotencyKey.map { [("Idempotency-Key", $0)] } ?? [] }
}

/// Every command that changes something takes it; only those ask that take away what cannot be brought back.
struct YesOption: ParsableArguments {
  @Flag(name: [.customShort("y"), .long], help: "Do it without being asked.")
  var yes = false

  static var asking: YesOption {
    var option = YesOption()
    option.yes = false
    return option
  }
}
