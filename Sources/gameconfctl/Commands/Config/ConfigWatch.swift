// gameconfctl config watch

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport

struct ConfigWatch: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print every changed value as it changes, until interrupted.",
    discussion: "Reads the daemon's event stream, or polls if it has no stream.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("The values for this player.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Seconds between two requests, if there is no event stream.", valueName: "seconds"))
  var interval = 1.0
  @Option(help: ArgumentHelp("End after this number of changed values.", valueName: "number"))
  var count: Int?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard interval >= 0.05, interval <= 3600 else { throw ValidationError("--interval must be from 0.05 to 3600 seconds") }
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run(on console: Console) async throws {
    console.screen.endWithReader()
    var left = count ?? .max
    var feed = EventFeed(console.daemon, Calls.watch, ["game": game], query: player.map { [("player", $0)] } ?? [])
    do throws(CtlFailure) {
      var known: [String: Value]?
      while left > 0, let event = try await feed.next() {
        for line in Self.changedLines(of: event, beside: &known, asJSON: console.isJSON) where left > 0 {
          console.screen.write(line + "\n")
          left -= 1
        }
      }
    } catch {
      guard case .problem(let problem) = error, problem.code == .notFound || problem.code == .methodNotAllowed else { throw error }
      try await ask(console, &left)
    }
  }

  /// Returns the lines to print for an event of the daemon: for its first state no lines, and for a later state the values that differ.
  static func changedLines(of event: ServerSentEvent, beside known: inout [String: Value]?, asJSON: Bool) -> [String] {
    guard let data = try? JSONReader.value(from: event.data) else { return [] }
    let values = data["values"]?.objectValue?.members ?? []
    defer { for member in values { known?[member.name] = member.value } }
    guard event.event == "state" else { return lines(of: event, asJSON: asJSON) }
    guard let before = known else {
      known = [:]
      return []
    }
    let changed = values.filter { before[$0.name]?["value"] != $0.value["value"] || before[$0.name]?["source"] != $0.value["source"] }
    var rest = data.objectValue ?? ObjectValue()
    rest["values"] = .object(ObjectValue(changed.map { ($0.name, $0.value) }))
    return lines(of: ServerSentEvent(event: "change", data: SafeText.json(.object(rest), pretty: false)), asJSON: asJSON)
  }

  /// Returns one line for each value that an event reports as changed.
  static func lines(of event: ServerSentEvent, asJSON: Bool) -> [String] {
    guard let data = try? JSONReader.value(from: event.data) else { return [] }
    if asJSON { return [SafeText.json(["event": .string(event.event), "data": data], pretty: false)] }
    let revision: Sentence = data["revision"]?.integerValue.map { "\($0)" } ?? "-"
    let values = data["values"]?.objectValue?.members ?? []
    let removed = (data["removed"]?.listValue ?? []).compactMap(\.stringValue)
    let changed = values.map { member -> Sentence in
      "\(revision)\t\(member.name)\t\(ValueStyle.cell(member.value["value"] ?? member.value))\t\(member.value["source"]?.stringValue ?? "-")"
    }
    let gone: [Sentence] = removed.map { "\(revision)\t\($0)\t-\tremoved" }
    return (changed + gone + part(data, revision)).map { $0.text() }
  }

  /// Returns the lines for the part of an event that is about the player: themes, entitlements and ads.
  private static func part(_ data: Value, _ revision: Sentence) -> [Sentence] {
    func listed(_ names: [String]) -> String { names.isEmpty ? "-" : names.joined(separator: ",") }
    var lines: [Sentence] = []
    if let themes = data["themes"]?.objectValue {
      let unlocked = themes.members.filter { $0.value["unlocked"] == true }.map(\.name)
      lines.append("\(revision)\tthemes\t\(unlocked.joined(separator: ","))\tunlocked")
    }
    if let held = data["entitlements"]?["held"]?.objectValue {
      lines.append("\(revision)\tentitlements\t\(listed(held.names))\tsimulated")
    }
    for ad in data["ads"]?.objectValue?.members ?? [] {
      lines.append("\(revision)\tads \(ad.name)\t\(listed(["owed", "forced"].filter { ad.value[$0] == true }))\tplacement")
    }
    return lines
  }

  private func ask(_ console: Console, _ left: inout Int) async throws(CtlFailure) {
    var before = try await config(console)
    while left > 0 {
      do {
        try await Task.sleep(for: .seconds(interval))
      } catch {
        return
      }
      let now = try await config(console)
      for change in Self.changes(from: before, to: now) where left > 0 {
        console.screen.write(Self.line(change, revision: now.revision, asJSON: console.isJSON) + "\n")
        left -= 1
      }
      before = now
    }
  }

  private func config(_ console: Console) async throws(CtlFailure) -> ConfigAnswer {
    var caller = CallerOptions.nobody
    caller.player = player
    return try await console.daemon.config(game, caller).0
  }

  /// Returns the values that have another value or another source than before.
  static func changes(from before: ConfigAnswer, to now: ConfigAnswer) -> [ValueAnswer] {
    guard case .full(let old) = before.values, case .full(let new) = now.values else { return [] }
    let known = [String: ValueAnswer](old.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    return new.filter { value in
      guard let was = known[value.key] else { return true }
      return was.value != value.value || was.source != value.source
    }
  }

  static func line(_ value: ValueAnswer, revision: Int64, asJSON: Bool) -> String {
    if asJSON { return SafeText.json(value.wire, pretty: false) }
    let cells: Sentence = "\(revision)\t\(value.key)\t\(ValueStyle.cell(value.value))\t\(value.source)"
    return cells.text()
  }
}
