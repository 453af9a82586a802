// The protocols of commands that use the daemon, and of commands that change something.

import ArgumentParser

/// A command that sends requests to the daemon and shows its response.
protocol DaemonCommand: AsyncParsableCommand {
  var connection: ConnectionOptions { get }
  /// The timeout for a response in seconds, if the user does not set `--timeout`.
  static var usualSeconds: Double { get }
  /// Executes the command.
  /// - Parameter console: The daemon's client and the screen, as the command's options demand.
  func run(on console: Console) async throws
}

extension DaemonCommand {
  static var usualSeconds: Double { ConnectionOptions.usualSeconds }
  func run() async throws { try await run(on: connection.console(usual: Self.usualSeconds)) }
}

/// A command that changes something and supports `--dry-run`.
protocol ChangeCommand: DaemonCommand {
  var change: ChangeOptions { get }
}

extension ChangeCommand {
  func run() async throws { try await run(on: connection.console(dryRun: change.dryRun)) }
}
