// The protocols of a command that uses the daemon, and of one that changes something.

import ArgumentParser

/// A command that sends requests to the daemon and shows the response.
protocol DaemonCommand: AsyncParsableCommand {
  var connection: ConnectionOptions { get }
  /// The seconds to wait for a response without --timeout.
  static var usualSeconds: Double { get }
  /// Performs the command.
  /// - Parameter console: The daemon and the screen that the options name.
  func run(on console: Console) async throws
}

extension DaemonCommand {
  static var usualSeconds: Double { ConnectionOptions.usualSeconds }
  func run() async throws { try await run(on: connection.console(usual: Self.usualSeconds)) }
}

/// A command that changes something and can be run dry.
protocol ChangeCommand: DaemonCommand {
  var change: ChangeOptions { get }
}

extension ChangeCommand {
  func run() async throws { try await run(on: connection.console(dryRun: change.dryRun)) }
}
