// gameconfctl template push

import ArgumentParser
import GameConfAPI
import GameConfFormats
import GameConfTransport

struct TemplatePush: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Check a template and activate it as the next version.",
    discussion: "A template with any fault is refused as a whole.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Flag(help: "Only store it; activate it later by hand.") var manual = false
  @Option(help: ArgumentHelp("Activate it then, such as 2026-12-01T00:00:00Z, 18:00 or “tomorrow 9:00”.", valueName: "time"))
  var at: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if manual, at != nil { throw ValidationError("--manual and --at exclude each other; give one of them") }
  }

  func run() async throws {
    let desk = connection.desk()
    var query: [(String, String)] = []
    if manual { query.append(("activate", "manual")) }
    if let at { query.append(("activate", try await desk.daemon.time(at, "--at").text)) }
    let document = try Self.document(file)
    if !manual, !change.dryRun, !change.agreement.yes {
      var trial = ChangeOptions.plain
      trial.dryRun = true
      let removed = try await Self.send(document, to: game, [], trial, desk, timeout: connection.timeout).answer.removed
      if !removed.isEmpty {
        desk.screen.note("no longer in the template: " + removed.map { SafeText.escaped($0) }.joined(separator: ", "))
        try desk.screen.confirm("Remove these remote values of \(SafeText.escaped(game))?", isAgreed: false)
      }
    }
    let reply = try await Self.send(document, to: game, query, change, desk, timeout: connection.timeout)
    TemplateWords.show(reply, desk, change, asJSON: connection.json)
  }

  /// The file's template in JSON.
  static func document(_ file: String) throws(CtlFailure) -> [UInt8] {
    let bytes = try FileBytes.read(file)
    do throws(FormatFault) { return try TemplateText.json(of: bytes) } catch { throw .refused([error.told(of: file)]) }
  }

  static func send(
    _ document: [UInt8], to game: String, _ query: [(String, String)], _ change: ChangeOptions, _ desk: Desk, timeout: Double
  ) async throws -> Reply<TemplateAnswer> {
    let body = OutgoingRequest.Body.bytes(document, mediaType: "application/json")
    return try await desk.daemon.upload(
      Calls.putTemplate, ["game": game], query: query, body: body, change: change, timeoutSeconds: timeout)
  }
}
