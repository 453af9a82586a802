// gameconfctl store check

import ArgumentParser
import GameConfAPI

struct StoreCheckRun: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the whole database; exits with 7 if something is wrong.")

  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    var console = console
    console.daemon.timeoutSeconds = max(console.daemon.timeoutSeconds, StoreGroup.patienceSeconds)
    console.daemon.waiting?.what = "checking the database"
    let reply = try await console.daemon.ask(Calls.storeCheck)
    console.show(reply.value) {
      console.screen.say(reply.answer.isWhole ? "the database is whole" : "the database is damaged")
      for fault in reply.answer.faults { console.screen.say("\(fault)") }
    }
    if !reply.answer.isWhole { throw CtlFailure.reported(.degraded) }
  }
}
