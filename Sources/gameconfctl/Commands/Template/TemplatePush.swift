// gameconfctl template push

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfFormats
import GameConfTransport

struct TemplatePush: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "push", abstract: "Check a template and activate it as the next version.",
    discussion: "A template with any fault is refused as a whole, unless --skip-invalid leaves the faults out.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The file; - is standard input.", completion: .file()) var file: String
  @Flag(help: "Only store it; activate it later by hand.") var manual = false
  @Option(help: ArgumentHelp("Activate it then, such as 2026-12-01T00:00:00Z, 18:00 or “tomorrow 9:00”.", valueName: "time"))
  var at: String?
  @Flag(help: "Leave out flags, keys and conditions that are not valid, and list them, instead of refusing the file.")
  var skipInvalid = false
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if manual, at != nil { throw ValidationError("--manual and --at exclude each other; give one of them") }
  }

  func run(on console: Console) async throws {
    var query: [(String, String)] = []
    if manual { query.append(("activate", "manual")) }
    if let at { query.append(("activate", try await console.daemon.time(at, "--at").text)) }
    var document = try Self.document(file)
    var account: (changed: [ConversionReport.ConversionNote], leftOut: [ConversionReport.ConversionNote]) = ([], [])
    if skipInvalid, let pruned = try await admitted(document, console) {
      document = JSONWriter.bytes(pruned.value)
      account = (pruned.changed, pruned.leftOut)
      if !console.isJSON {
        for entry in account.changed { console.screen.note("changed: \(entry.message)") }
        for entry in account.leftOut { console.screen.note("left out: \(entry.message)") }
      }
    }
    if !manual, !change.dryRun, !change.agreement.yes {
      var trial = ChangeOptions.plain
      trial.dryRun = true
      let removed = try await Self.send(document, to: game, [], trial, console).answer.removed
      if !removed.isEmpty {
        console.screen.note("no longer in the template: \(removed.joined(separator: ", "))")
        try console.screen.confirm("Remove these remote values of \(game)?", isAgreed: false)
      }
    }
    var reply = try await Self.send(document, to: game, query, change, console)
    if skipInvalid, case .object(var members) = reply.value {
      members["changed"] = .list(account.changed.map(\.value))
      members["left_out"] = .list(account.leftOut.map(\.value))
      reply.value = .object(members)
    }
    TemplateWords.show(reply, console)
  }

  /// Removes the faulty parts of a template, as the daemon reports them, until the daemon accepts the rest in a dry run. Returns nil for a
  /// document that is not JSON: it is sent unchanged, and the daemon reports the fault.
  private func admitted(_ document: [UInt8], _ console: Console) async throws -> FaultFreeDocument? {
    guard let value = try? JSONReader.value(from: document, limits: JSONLimits(depthMax: 128, bytesMax: FileBytes.bytesMax)) else {
      return nil
    }
    var pruned = FaultFreeDocument(value)
    var trial = ChangeOptions.plain
    trial.dryRun = true
    while true {
      do {
        _ = try await Self.send(JSONWriter.bytes(pruned.value), to: game, [], trial, console)
        return pruned
      } catch CtlFailure.problem(let problem) where problem.code == .schemaViolation {
        guard pruned.remove(problem.errors.map { ($0.pointer ?? "", $0.detail) }) else { throw CtlFailure.problem(problem) }
        guard !pruned.isEmpty else { throw CtlFailure.refused(["\(file): nothing of it holds"] + pruned.leftOut.map { "\($0.message)" }) }
      }
    }
  }

  /// Returns the template in a file as JSON; YAML is converted.
  static func document(_ file: String) throws(CtlFailure) -> [UInt8] {
    let bytes = try FileBytes.read(file)
    let document: [UInt8]
    do throws(FormatFault) { document = try TemplateText.json(of: bytes) } catch { throw .refused(["\(error.diagnostic(of: file))"]) }
    if document.allSatisfy({ $0 <= 0x20 }) { throw .refused(["\(file) is empty; a template without values says “parameters”: {}."]) }
    return document
  }

  static func send(
    _ document: [UInt8], to game: String, _ query: [(String, String)], _ change: ChangeOptions, _ console: Console
  ) async throws -> DaemonReply<TemplateAnswer> {
    let body = OutgoingRequest.Body.bytes(document, mediaType: "application/json")
    return try await console.daemon.upload(
      Calls.putTemplate, ["game": game], query: query, body: body, change: change, timeoutSeconds: console.daemon.timeoutSeconds)
  }
}
