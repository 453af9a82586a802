// gameconfctl store check

import ArgumentParser
import GameConfAPI

struct StoreCheck: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the whole database; exits with 7 when something is wrong.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    var desk = connection.desk()
    desk.daemon.timeoutSeconds = max(connection.timeout, StoreGroup.patienceSeconds)
    let reply = try await desk.daemon.ask(Calls.storeCheck)
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.write((reply.answer.isWhole ? "the database is whole" : "the database is damaged") + "\n")
      for fault in reply.answer.faults { desk.screen.write(SafeText.escaped(fault) + "\n") }
    }
    if !reply.answer.isWhole { throw CtlFailure.reported(.degraded) }
  }
}
