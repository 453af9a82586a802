// gameconfctl config watch

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport

struct ConfigWatch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch", abstract: "Print every value that changes, as it changes, until interrupted.",
    discussion: "By the daemon's event stream where it has one, else by asking again and again.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Option(help: ArgumentHelp("As this player sees it.", valueName: "id"))
  var player: String?
  @Option(help: ArgumentHelp("How often to ask where there is no event stream.", valueName: "seconds"))
  var interval = 1.0
  @Option(help: ArgumentHelp("End after so many changed values.", valueName: "number"))
  var count: Int?
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    guard interval >= 0.05, interval <= 3600 else { throw ValidationError("--interval must be from 0.05 to 3600 seconds") }
    if let count, count < 1 { throw ValidationError("--count must be at least 1") }
  }

  func run() async throws {
    let desk = connection.desk()
    var left = count ?? .max
    do throws(CtlFailure) {
      let stream = try await desk.daemon.stream(Calls.watch, ["game": game], query: player.map { [("player", $0)] } ?? [])
      try await follow(stream.body, stream.path, desk, &left)
    } catch {
      guard case .problem(let problem) = error, problem.code == .notFound || problem.code == .methodNotAllowed else { throw error }
      try await ask(desk, &left)
    }
  }

  private func follow(_ body: ResponseBody, _ path: String, _ desk: Desk, _ left: inout Int) async throws(CtlFailure) {
    var parser = EventStreamParser()
    do throws(TransportError) {
      while left > 0, let piece = try await body.next() {
        for event in parser.feed(piece) {
          for line in Self.lines(of: event, asJSON: connection.json) where left > 0 {
            desk.screen.write(line + "\n")
            left -= 1
          }
        }
      }
    } catch {
      throw .transport(error, path: path)
    }
    if left > 0 { throw .transport(.connectionClosed, path: path) }
  }

  /// One line for each changed value of an event.
  static func lines(of event: ServerSentEvent, asJSON: Bool) -> [String] {
    guard let data = try? JSONReader.value(from: event.data) else { return [] }
    if asJSON { return [SafeText.json(["event": .string(event.event), "data": data], pretty: false)] }
    let revision = data["revision"]?.integerValue.map(String.init) ?? "-"
    let values = data["values"]?.objectValue?.members ?? []
    if values.isEmpty { return [] }
    return values.map { member in
      let value = member.value["value"] ?? member.value
      let source = member.value["source"]?.stringValue ?? "-"
      return [revision, SafeText.escaped(member.name), ValueLook.cell(value), SafeText.escaped(source)].joined(separator: "\t")
    }
  }

  private func ask(_ desk: Desk, _ left: inout Int) async throws(CtlFailure) {
    var before = try await config(desk)
    while left > 0 {
      do {
        try await Task.sleep(for: .seconds(interval))
      } catch {
        return
      }
      let now = try await config(desk)
      for change in Self.changes(from: before, to: now) where left > 0 {
        desk.screen.write(Self.line(change, revision: now.revision, asJSON: connection.json) + "\n")
        left -= 1
      }
      before = now
    }
  }

  private func config(_ desk: Desk) async throws(CtlFailure) -> ConfigAnswer {
    var caller = CallerOptions.nobody
    caller.player = player
    return try await desk.daemon.config(game, caller).0
  }

  /// The values that are not what they were, or come from elsewhere.
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
    return [String(revision), SafeText.escaped(value.key), ValueLook.cell(value.value), SafeText.escaped(value.source)]
      .joined(separator: "\t")
  }
}
