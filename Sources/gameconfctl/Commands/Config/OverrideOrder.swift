// Overrides a value or removes an override, and prints the outcome; shared by config, flags and themes.

import GameConfAPI
import GameConfCore

struct OverrideOrder {
  var console: Console
  var game: String
  var player: String?
  var change: ChangeOptions
  /// True if Boolean values are shown as on and off.
  var isSwitch = false
  /// Further items for the query of the call that sets an override.
  var query: [(String, String)] = []

  private var whom: Sentence { player.map { "player \($0)" } ?? "the game" }

  /// Prints a note on a terminal if a change applies to every player although the environment names one player.
  private func noteScope() {
    guard player == nil, !console.isJSON, console.screen.isTerminal, let named = EnvironmentDefaults.present.player else { return }
    console.screen.note("for the game; --player \(named) for that player alone")
  }

  private var layer: String { player == nil ? "override.game" : "override.player" }

  private func variables(_ key: String) -> [String: String] {
    var variables = ["game": game, "key": key]
    if let player { variables["player"] = player }
    return variables
  }

  private var caller: [(String, String)] { player.map { [("player", $0)] } ?? [] }

  /// Reads the value of a key that is in force at present.
  func present(_ key: String) async throws(CtlFailure) -> ValueAnswer {
    try await console.daemon.ask(Calls.value, ["game": game, "key": key], query: caller).answer
  }

  struct Assignment {
    var key: String
    var value: Value
    /// The value that was in force before the change; nil if it is unknown.
    var before: ValueAnswer?
  }

  /// Overrides several keys at one revision. If one of them is refused, no key is overridden.
  func set(_ assignments: [Assignment], window: WindowText?) async throws(CtlFailure) {
    if assignments.count == 1 {
      return try await set(assignments[0].key, to: assignments[0].value, window: window, before: assignments[0].before)
    }
    let remark = await console.remark(onPlayer: player, in: game)
    let rows = assignments.map { ImportRow(key: $0.key, player: player, value: $0.value, from: window?.from, until: window?.until) }
    let reply: DaemonReply<ImportAnswer>
    do throws(CtlFailure) {
      reply = try await console.daemon.ask(
        Calls.importOverrides, ["game": game], body: ImportRequest(overrides: rows, reason: change.reason), change: change)
    } catch {
      throw console.isJSON ? error : Self.withoutRows(error)
    }
    if console.isJSON { return console.show(reply.value) {} }
    for var record in reply.answer.overrides {
      // The daemon returns a secret value only to some users. This user has just typed the value, so it is shown.
      if record.value == .null { record.value = assignments.first { $0.key == record.key }?.value ?? .null }
      let replaced = reply.answer.replaced.first { $0.key == record.key }
      var answer = OverrideAnswer(
        game: game, revision: reply.answer.revision, isDryRun: change.dryRun, override: record, replaced: replaced)
      answer.inForce = reply.answer.inForce.first { $0.key == record.key }
      reportOverride(answer, before: assignments.first { $0.key == record.key }?.before)
    }
    noteScope()
    if let remark { console.screen.note(remark) }
  }

  /// Overrides one key and prints the outcome.
  /// - Parameter before: The value that was in force; nil if it is unknown.
  func set(_ key: String, to value: Value, window: WindowText?, before: ValueAnswer?) async throws(CtlFailure) {
    let remark = await console.remark(onPlayer: player, in: game)
    let body = PutOverride(value: value, reason: change.reason, from: window?.from, until: window?.until)
    let reply: DaemonReply<OverrideAnswer>
    do throws(CtlFailure) {
      reply = try await console.daemon.ask(
        player == nil ? Calls.putOverride : Calls.putPlayerOverride, variables(key), query: query, body: body, change: change)
    } catch {
      throw console.isJSON ? error : adding(wayOut: error, of: key)
    }
    if console.isJSON { return console.show(reply.value) {} }
    reportOverride(reply.answer, before: before)
    noteScope()
    if let remark { console.screen.note(remark) }
  }

  /// Removes from a failure the pointers to rows of the request, because the user typed keys and not rows.
  private static func withoutRows(_ failure: CtlFailure) -> CtlFailure {
    guard case .problem(var problem) = failure, problem.code == .rowsRefused else { return failure }
    for at in problem.errors.indices { problem.errors[at].pointer = nil }
    if problem.errors.count == 1, let only = problem.errors.first, let code = only.code {
      (problem.detail, problem.codeText, problem.errors) = ("\(only.detail) Nothing was changed.", code, [])
    } else {
      problem.detail = "\(problem.errors.count) keys cannot be set, so nothing was changed."
    }
    return .problem(problem)
  }

  /// Prints the override that was set, and the value in force if it differs.
  private func reportOverride(_ answer: OverrideAnswer, before: ValueAnswer?) {
    console.report(setSentence(answer, before: before))
  }

  /// Returns words that name the author of the replaced override; empty if no override was replaced or if it was this user's own.
  private func whose(_ replaced: WireOverride?) -> Sentence {
    guard let replaced, let uid = replaced.author.uid, uid != Int64(console.uid) else { return "" }
    let reason = replaced.reason.map { ": “\($0)”" } ?? ""
    return "; it replaces the override that \(replaced.author.label) set \(time: replaced.at)\(reason)"
  }

  /// Rewords the refusal of a window that conflicts with another window: names the options and the command that help, instead of the query
  /// parameters.
  private func adding(wayOut failure: CtlFailure, of key: String) -> CtlFailure {
    guard case .problem(var problem) = failure, problem.code == .overlap, let window = problem.extensions["window"],
      let id = window["id"]?.stringValue, let from = window["from"]?.stringValue, let until = window["until"]?.stringValue,
      let begins = try? Instant(parsing: from), let ends = try? Instant(parsing: until)
    else { return failure }
    let holds = begins <= console.screen.clock()
    let span = holds ? "holds until" : "is to come, from \(console.screen.time(begins)) until"
    let isReplacing = query.contains { $0.0 == "replace" }
    let end = "--replace --window \(id) ends it"
    let replacing =
      !holds
      ? ""
      : isReplacing ? "It is another user's: \(end), or " : "--replace ends it if it is your own, \(end) even if it is not, or "
    let whose = player.map { " --player \($0)" } ?? ""
    problem.detail =
      "Window \(id) is in the way: it \(span) \(console.screen.time(ends)). \(replacing)“gameconfctl config reset \(game) \(key)\(whose) --window \(id)” removes it."
    return .problem(problem)
  }

  /// Returns the sentence about an override that was set, for the command and for the panel.
  func setSentence(_ answer: OverrideAnswer, before: ValueAnswer?) -> Sentence {
    let record = answer.override
    let key = record.key
    let revision: Sentence = "\(whose(answer.replaced)); revision \(answer.revision)"
    let was = before.map { ", was \(shown($0.value)) (\($0.source))" } ?? ""
    let done: Sentence = "\(key) is overridden with \(shown(record.value)) for \(whom)"
    guard let now = answer.inForce, now.source != layer || now.window?.id != record.window?.id else {
      let window: Sentence = record.window.map { " \(words($0))" } ?? ""
      return "\(done)\(window)\(was)\(revision)"
    }
    let inForce = now.isMasked ? "(secret)" : shown(now.value)
    if let window = record.window {
      return "\(key) will be overridden with \(shown(record.value)) for \(whom) \(words(window)); until then it is \(inForce)"
        + " (\(now.source))\(revision)"
    }
    guard let window = now.window else {
      return "\(done), but \(inForce) (\(now.source)) is in force: \(now.why)\(revision)"
    }
    let author = now.author.map { " of \($0.label)" } ?? ""
    return "\(key) stays \(inForce) for \(whom): window \(window.id ?? "-")\(author) is above it until"
      + " \(time: window.until); \(shown(record.value)) is stored and holds from then on\(revision)"
  }

  private func words(_ window: WireWindow) -> Sentence {
    let from: Sentence = window.from > console.screen.clock() ? "from \(time: window.from) " : ""
    return "\(from)until \(time: window.until)\(window.id.map { " (window \($0))" } ?? "")"
  }

  private func shown(_ value: Value) -> String {
    if isSwitch, let isOn = value.boolValue { return isOn ? "on" : "off" }
    return ValueStyle.phrase(value)
  }

  func reset(_ key: String, window: String?) async throws(CtlFailure) {
    let isOverridden = console.isJSON ? true : await self.isOverridden(key, window: window)
    let query = window.map { [("window", $0)] } ?? []
    let reply = try await console.daemon.send(
      player == nil ? Calls.deleteOverride : Calls.deletePlayerOverride, variables(key), query: query, change: change)
    if change.dryRun {
      let cleared = reply.answer?.cleared ?? 0
      console.show(reply.value) {
        if cleared == 0 {
          console.screen.say(nothingRemoved(key, window))
        } else {
          console.report("\(cleared, "override") of \(key) for \(whom) \(cleared == 1 ? "is" : "are") removed")
        }
      }
      return
    }
    let now = try await console.daemon.ask(Calls.value, ["game": game, "key": key], query: caller)
    let revision = reply.head["Gameconf-Revision"].map { "; revision \($0)" } ?? ""
    console.show(now.value) {
      let value = now.answer.isMasked ? "(secret)" : shown(now.answer.value)
      let state: Sentence = "\(value) for \(whom) (\(now.answer.source))"
      if isOverridden {
        console.screen.say("\(now.answer.key) is \(state)\(revision)")
      } else {
        console.screen.say("\(nothingRemoved(now.answer.key, window)); it is \(state)")
      }
    }
    noteScope()
    if !isOverridden, let player, let hint = await console.nearPlayers(player, in: game), !hint.isEmpty {
      console.screen.note("nothing is known of player \(player) in \(game).\(hint)")
    }
  }

  private func nothingRemoved(_ key: String, _ window: String?) -> Sentence {
    let what = window.map { "has no window \($0)" } ?? "is not overridden"
    return "nothing was removed: \(key) \(what) for \(whom)"
  }

  /// True if the key has an override to remove, or if the daemon does not report its overrides.
  private func isOverridden(_ key: String, window: String?) async -> Bool {
    let call = player == nil ? Calls.override : Calls.playerOverride
    guard let overrides = try? await console.daemon.ask(call, variables(key)).answer.overrides else { return true }
    return overrides.contains { window == nil || $0.window?.id == window }
  }
}
