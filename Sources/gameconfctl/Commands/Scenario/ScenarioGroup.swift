// gameconfctl scenario

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfFormats

struct ScenarioGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scenario", abstract: "Set up values, players and purchases for a test run, and undo everything at its end.",
    subcommands: [ScenarioRun.self, ScenarioCheck.self, ScenariosList.self, ScenarioEnd.self], aliases: ["scenarios"])
}

/// A scenario file with the request that starts its scenario.
struct ScenarioFile {
  let document: ScenarioDocument
  let request: ScenarioRequest

  init(_ path: String, reason: String?) throws(CtlFailure) {
    let (document, faults) = ScenarioDocument.read(NamedFile(name: path, bytes: try FileBytes.read(path)))
    guard let document else { throw .refused(faults.map { "\($0)" }) }
    self.document = document
    do throws(Fault) {
      var request = try ScenarioRequest(wire: document.value)
      if let reason { request.reason = reason }
      self.request = request
    } catch { throw .refused(["\(document.fault(at: error.pointer, error.message))"]) }
  }

  /// Starts the scenario. If the daemon refuses it, the failure names the position in the file.
  func begin(_ daemon: DaemonClient, isDryRun: Bool) async throws(CtlFailure) -> DaemonReply<ScenarioAnswer> {
    do throws(CtlFailure) {
      return try await daemon.ask(Calls.beginScenario, query: isDryRun ? [("dry_run", "true")] : [], body: request)
    } catch {
      guard case .problem(var problem) = error, let pointer = problem.pointer, !pointer.isEmpty else { throw error }
      problem.detail = document.fault(at: pointer, problem.detail).description
      problem.pointer = nil
      throw .problem(problem)
    }
  }
}

extension ScenarioAnswer {
  /// The scenario's steps as a table, as they were performed, or as they are planned in a dry run.
  var table: Table {
    Table(steps, whenEmpty: "nothing is changed") {
      Column("game") { $0.game }
      Column("for") { step in
        guard let player = step.player else { return "everybody" }
        let name = String(decoding: player.utf8.dropFirst(scenario.prefix.utf8.count), as: UTF8.self)
        return name.isEmpty ? "its players" : name
      }
      Column("what") { $0.did }
      Column("name") { $0.name }
      Column("result") { step -> Sentence? in
        let clock = step.did == "clock" ? (step.result?.stringValue).flatMap { try? Instant(parsing: $0) } : nil
        return clock.map { "\(time: $0, .clock)" } ?? step.result.map { "\($0)" }
      }
    }
  }
}
