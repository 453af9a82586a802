// A command that asks the daemon, and one that changes something.

import ArgumentParser

/// A command that asks the daemon and shows the answer.
protocol DaemonCommand: AsyncParsableCommand {
  var connection: ConnectionOptions { get }
  /// The seconds to wait for an answer without --timeout.
  static var usualSeconds: Double { get }
  /// Does what the command is for.
  /// - Parameter console: the daemon and the screen that the options name.
  func run(on console: Console) async throws
}

extension DaemonCommand {
  static var usualSeconds: Double { ConnectionOptions.usualSeconds }
  func run() async throws { try await run(on: connection.console(usual: Self.usualSeconds)) }
}

/// A command that changes something, so that it can be tried without a change.
protocol ChangeCommand: DaemonCommand {
  var change: ChangeOptions { get }
}

extension ChangeCommand {
  func run() async throws { try await run(on: connection.console(dryRun: change.dryRun)) }
}
