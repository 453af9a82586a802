// Forces a value or takes one back, and says what became of it; what config, flags and themes share.

import GameConfAPI
import GameConfCore

struct OverrideEdit {
  var desk: Desk
  var game: String
  var player: String?
  var change: ChangeOptions
  var asJSON: Bool
  /// What the call that sets a value is asked with besides.
  var query: [(String, String)] = []

  private var whom: String { player.map { "player \(SafeText.escaped($0))" } ?? "the game" }

  private func variables(_ key: String) -> [String: String] {
    var variables = ["game": game, "key": key]
    if let player { variables["player"] = player }
    return variables
  }

  /// What is in force now.
  func present(_ key: String) async throws(CtlFailure) -> ValueAnswer {
    try await desk.daemon.ask(
      Calls.value, ["game": game, "key": key], query: player.map { [("player", $0)] } ?? []
    ).answer
  }

  /// What the daemon's clock shows.
  func clock() async throws(CtlFailure) -> Instant {
    try await desk.daemon.ask(Calls.status).answer.clock.now
  }

  /// - Parameter before: what was in force, when it is known.
  func set(_ key: String, to value: Value, window: WindowText?, before: ValueAnswer?) async throws(CtlFailure) {
    let body = PutOverride(value: value, reason: change.reason, from: window?.from, until: window?.until)
    let reply = try await desk.daemon.ask(
      player == nil ? Calls.putOverride : Calls.putPlayerOverride, variables(key), query: query, body: body, change: change)
    desk.show(reply.value, asJSON: asJSON) {
      desk.screen.write(change.told(setSentence(reply.answer, before: before)) + "\n")
    }
  }

  func setSentence(_ answer: OverrideAnswer, before: ValueAnswer?) -> String {
    let record = answer.override
    var sentence = "\(SafeText.escaped(record.key)) is overridden with \(ValueLook.cell(record.value)) for \(whom)"
    if let window = record.window {
      sentence += " from \(window.from.text) until \(window.until.text)"
      if let id = window.id { sentence += " (window \(SafeText.escaped(id)))" }
    }
    if let before { sentence += ", was \(ValueLook.cell(before.value)) (\(SafeText.escaped(before.source)))" }
    return sentence + "; revision \(answer.revision)"
  }

  func unset(_ key: String, window: String?) async throws(CtlFailure) {
    let query = window.map { [("window", $0)] } ?? []
    let reply = try await desk.daemon.tell(
      player == nil ? Calls.deleteOverride : Calls.deletePlayerOverride, variables(key), query: query, change: change)
    if change.dryRun {
      let cleared = reply.answer?.cleared ?? 0
      desk.show(reply.value, asJSON: asJSON) {
        desk.screen.write(change.told("\(cleared) of \(SafeText.escaped(key)) would be removed for \(whom)") + "\n")
      }
      return
    }
    let now = try await desk.daemon.ask(
      Calls.value, ["game": game, "key": key], query: player.map { [("player", $0)] } ?? [])
    let revision = reply.head["Gameconf-Revision"].map { "; revision \(SafeText.escaped($0))" } ?? ""
    desk.show(now.value, asJSON: asJSON) {
      let value = now.answer.isMasked ? "(secret)" : ValueLook.cell(now.answer.value)
      desk.screen.write(
        "\(SafeText.escaped(key)) is \(value) for \(whom) (\(SafeText.escaped(now.answer.source)))\(revision)\n")
    }
  }
}
