// gameconfctl store check

import ArgumentParser
import GameConfAPI

struct StoreCheckRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the whole database; exits with 7 if something is wrong.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    var desk = connection.desk()
    desk.daemon.timeoutSeconds = max(connection.timeout, StoreGroup.patienceSeconds)
    desk.daemon.doing?.what = "checking the database"
    let reply = try await desk.daemon.ask(Calls.storeCheck)
    desk.show(reply.value, asJSON: connection.json) {
      desk.screen.say(reply.answer.isWhole ? "the database is whole" : "the database is damaged")
      for fault in reply.answer.faults { desk.screen.say(SafeText.escaped(fault)) }
    }
    if !reply.answer.isWhole { throw CtlFailure.reported(.degraded) }
  }
}
