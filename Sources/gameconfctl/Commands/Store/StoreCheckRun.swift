// gameconfctl store check

import ArgumentParser
import GameConfAPI

struct StoreCheckRun: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the whole database; exits with 7 if something is wrong.")

  @OptionGroup var connection: ConnectionOptions

  func run() async throws {
    var console = connection.console()
    console.daemon.timeoutSeconds = max(connection.seconds, StoreGroup.patienceSeconds)
    console.daemon.waiting?.what = "checking the database"
    let reply = try await console.daemon.ask(Calls.storeCheck)
    console.show(reply.value, asJSON: connection.json) {
      console.screen.say(reply.answer.isWhole ? "the database is whole" : "the database is damaged")
      for fault in reply.answer.faults { console.screen.say(SafeText.escaped(fault)) }
    }
    if !reply.answer.isWhole { throw CtlFailure.reported(.degraded) }
  }
}
