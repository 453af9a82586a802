// gameconfctl template show

import ArgumentParser
import GameConfAPI
import GameConfTransport

struct TemplateShow: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Print the template in force, or one version, byte for byte; on a terminal control characters are escaped.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("That version.", valueName: "number"))
  var version: Int64?
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    let call = version == nil ? Calls.template : Calls.templateVersion
    let stream = try await console.daemon.stream(call, ["game": game, "version": version.map(String.init) ?? ""])
    var bytes: [UInt8] = []
    do throws(TransportError) {
      while let piece = try await stream.body.next(timeoutSeconds: console.daemon.timeoutSeconds) { bytes += piece }
    } catch {
      throw CtlFailure.transport(error, path: stream.path)
    }
    let document = String(decoding: bytes, as: UTF8.self)
    console.screen.show(bare: document)
    // A template whose source cannot be fetched may be outdated. Standard error says so, because standard output contains only the
    // document.
    guard version == nil, let reply = try? await console.daemon.ask(Calls.templateVersions, ["game": game], query: [("limit", "1")]) else {
      return
    }
    if let source = reply.answer.source, !source.faults.isEmpty { console.screen.note(TemplateWords.sentence(source)) }
  }
}
