// gameconfctl config set

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigSet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Force a value, for the game or one player, for good or for a time.",
    discussion: """
      The value is read by the key's declared type: on, off, yes and no are booleans too, a text stays what it is. Lists and objects are \
      JSON, also from a file as @FILE.

      Times are RFC 3339, such as 2026-12-01T00:00:00Z, or count from now: +30m. Lengths are such as 90s, 2h, 1d12h.
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key.", completion: .keys) var key: String
  @Argument(help: "The value; absent with --value-json.", completion: .values) var value: String?
  @Option(help: ArgumentHelp("The value as JSON, or @FILE, whatever the key's type.", valueName: "json"))
  var valueJson: String?
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @Option(name: .customLong("for"), help: ArgumentHelp("For so long.", valueName: "length"))
  var duration: String?
  @Option(help: ArgumentHelp("Beginning then.", valueName: "time"))
  var from: String?
  @Option(help: ArgumentHelp("Ending then.", valueName: "time"))
  var until: String?
  @Flag(help: "End your own window that holds now where this one begins.")
  var replace = false
  @Option(help: ArgumentHelp("With --replace: end this window, whoever set it; asks.", valueName: "id"))
  var window: String?
  @OptionGroup var agreement: YesOption
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if replace, duration == nil, until == nil { throw ValidationError("--replace is for a window; say --for or --until.") }
    if replace, from != nil { throw ValidationError("--replace begins now; leave --from out.") }
    if window != nil, !replace { throw ValidationError("--window names the window that --replace ends; say both.") }
    guard (value == nil) != (valueJson == nil) else { throw ValidationError("Say the value once: as an argument or with --value-json.") }
  }

  func run() async throws {
    var edit = OverrideOrder(desk: connection.desk(), game: game, player: player, change: change, asJSON: connection.json)
    let window = try await self.span(edit)
    if replace {
      edit.query = [("replace", "true")] + (self.window.map { [("window", $0)] } ?? [])
      if let id = self.window, !change.dryRun {
        try edit.desk.screen.confirm(
          "End window \(SafeText.escaped(id)) of \(SafeText.escaped(key)) in \(SafeText.escaped(game)) now?", isAgreed: agreement.yes)
      }
    }
    var before: ValueAnswer?
    let wanted: Value
    if let valueJson {
      wanted = try ValueText.json(valueJson)
    } else {
      let declared = try await declaredType(edit)
      before = declared.present
      wanted = try ValueText.value(value ?? "", type: declared.type)
    }
    try await edit.set(key, to: wanted, window: window, before: before)
  }

  private func span(_ edit: OverrideOrder) async throws(CtlFailure) -> WindowText? {
    if duration == nil, from == nil, until == nil { return nil }
    let now = WindowText.needsClock(duration: duration, from: from, until: until) ? try await edit.clock() : nil
    return try WindowText(duration: duration, from: from, until: until, now: now)
  }

  /// The key's type, with its value unless that is secret.
  private func declaredType(_ edit: OverrideOrder) async throws(CtlFailure) -> (type: ParameterType, present: ValueAnswer?) {
    do throws(CtlFailure) {
      let present = try await edit.present(key)
      return (ParameterType(rawValue: present.type) ?? .string, present.isMasked ? nil : present)
    } catch {
      guard case .problem(let problem) = error, problem.code == .secretKey else { throw error }
      let catalog = try await edit.desk.daemon.ask(Calls.catalog, ["game": game]).answer
      return (catalog.type(of: key) ?? .string, nil)
    }
  }
}
