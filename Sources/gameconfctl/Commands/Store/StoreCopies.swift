// gameconfctl store copies

import ArgumentParser
import GameConfAPI

struct StoreCopies: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "copies", abstract: "List the databases beside the one in use, or remove one.",
    discussion: """
      A damaged database stays until you remove it here. Of the databases that a restore replaced, the newest three of the last 30 days stay.
      """)

  @Option(help: "Remove the copy of this name.") var remove: String?
  @Flag(help: "Print what would be removed, and remove nothing.") var dryRun = false
  @OptionGroup var agreement: YesOption
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let reply = try await console.daemon.ask(Calls.storeCopies)
    guard let remove else {
      return console.show(reply.value) { console.screen.show(Self.table(reply.answer)) }
    }
    guard let copy = reply.answer.copies.first(where: { $0.name == remove || $0.path == remove }) else {
      throw CtlFailure.file(path: remove, detail: "is not one of the copies; “gameconfctl store copies” lists them")
    }
    if dryRun {
      return console.show(copy.wire) { console.screen.say("\(copy.path) would be removed") }
    }
    try console.screen.confirm(
      "Remove \(copy.path), \(copy.bytes) bytes, permanently?", isAgreed: agreement.yes)
    _ = try await console.daemon.send(Calls.storeCopyRemove, ["name": copy.name], change: ChangeOptions.plain)
    console.show(copy.wire) { console.screen.say("\(copy.path) is removed") }
  }

  static func table(_ answer: StoreCopiesAnswer) -> Table {
    Table(answer.copies, whenEmpty: "there are no copies beside the database") {
      Column("name") { $0.name }
      Column("kind") { $0.kind }
      Column("since", .when) { $0.at?.text ?? "" }
      Column("bytes") { $0.bytes }
    }
  }
}
