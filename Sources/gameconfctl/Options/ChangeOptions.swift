// What every change takes.

import ArgumentParser
import GameConfAPI

struct ChangeOptions: ParsableArguments {
  @Option(help: "Why, for the audit log.")
  var reason: String?

  @Flag(help: "Check everything and change nothing.")
  var dryRun = false

  @Option(help: ArgumentHelp("Repeating a change with the same key does it once.", valueName: "key"))
  var idempotencyKey: String?

  /// A change without a reason, meant seriously.
  static var plain: ChangeOptions {
    var options = ChangeOptions()
    (options.reason, options.dryRun, options.idempotencyKey) = (nil, false, nil)
    return options
  }

  /// What goes into the query of a call; its reason too where the call takes no body of JSON.
  func query(of endpoint: Endpoint) -> [(String, String)] {
    var query: [(String, String)] = dryRun ? [("dry_run", "true")] : []
    if let reason, endpoint.query.contains(.reason) { query.append(("reason", reason)) }
    return query
  }

  var headers: [(name: String, value: String)] { idempotencyKey.map { [("Idempotency-Key", $0)] } ?? [] }

  /// What a change says it did, or would do.
  func told(_ sentence: String) -> String { dryRun ? "nothing was changed; without --dry-run: \(sentence)" : sentence }
}

struct YesOption: ParsableArguments {
  @Flag(name: [.customShort("y"), .long], help: "Do it without being asked.")
  var yes = false
}
