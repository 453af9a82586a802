// gameconfctl config set

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ConfigSet: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Override one or several values, for the game or one player, permanently or for a time.",
    discussion: """
      Several are written KEY=VALUE each; all are set at one revision, or nothing is changed.

      The value is read by the key's declared type. A boolean may be on, off, yes or no. A text is taken unchanged. Lists and objects are \
      JSON, also from a file as @FILE. @- reads JSON of any type from standard input, such as “config get --raw” prints.

      Times are in the host's time zone: 18:00, tomorrow, “next monday 9:00”, “2026-12-01 18:00”; or RFC 3339, such as \
      2026-12-01T00:00:00Z; or from now, such as +30m. A day alone means its midnight. Lengths are such as 90s, 2h, 1d12h, “2 days”.
      """)

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The key, or KEY=VALUE.", completion: .keys) var key: String
  @Argument(help: "The value; leave it out with --value-json.", completion: .values) var value: String?
  @Argument(help: "More keys, KEY=VALUE each.", completion: .keys) var more: [String] = []
  @Option(help: ArgumentHelp("The value as JSON, or @FILE, whatever the key's type.", valueName: "json"))
  var valueJson: String?
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var span: WindowOptions
  @Flag(help: "End your own current window where this one begins.")
  var replace = false
  @Option(
    help: ArgumentHelp(
      "Give this window the value and leave its beginning and end; with --replace: end it, even of another user, which asks first.",
      valueName: "id"))
  var window: String?
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if replace, !span.hasEnd { throw ValidationError("--replace is for a window; give --for or --until.") }
    if replace, span.from != nil { throw ValidationError("--replace begins now; leave --from out.") }
    if window != nil, !replace, span.hasEnd || span.from != nil {
      throw ValidationError("--window alone leaves that window's beginning and end: leave out --from, --for and --until, or add --replace.")
    }
    if let assignments = try assignments() {
      if valueJson != nil { throw ValidationError("Give the value once: as an argument or with --value-json.") }
      if assignments.count > 1, replace || self.window != nil { throw ValidationError("--replace and --window are for one key.") }
      return
    }
    if let extra = more.first { throw ValidationError("“\(extra)”: several keys are written KEY=VALUE each.") }
    guard (value == nil) != (valueJson == nil) else { throw ValidationError("Give the value once: as an argument or with --value-json.") }
  }

  /// Returns the assignments of a command line whose words have the form KEY=VALUE. Returns nil if the key and the value are two words: a
  /// key contains no equals sign.
  private func assignments() throws -> [(key: String, text: String)]? {
    guard key.contains("=") else { return nil }
    var found: [(key: String, text: String)] = []
    for word in [key] + (value.map { [$0] } ?? []) + more {
      guard let equals = word.firstIndex(of: "="), equals != word.startIndex else {
        throw ValidationError("“\(word)”: several keys are written KEY=VALUE each.")
      }
      let name = String(word[..<equals])
      if found.contains(where: { $0.key == name }) { throw ValidationError("“\(name)” is given more than once.") }
      found.append((name, String(word[word.index(after: equals)...])))
    }
    return found
  }

  func run(on console: Console) async throws {
    var edit = OverrideOrder(console: console, game: game, player: player, change: change)
    let window = try await span.window(by: edit.console.daemon)
    edit.query = (replace ? [("replace", "true")] : []) + (self.window.map { [("window", $0)] } ?? [])
    if replace {
      if let id = self.window, !change.dryRun {
        try edit.console.screen.confirm(
          "End window \(id) of \(key) in \(game) now?", isAgreed: change.agreement.yes
        )
      }
    }
    if let valueJson { return try await edit.set(key, to: try ValueText.json(valueJson), window: window, before: nil) }
    var wanted: [OverrideOrder.Assignment] = []
    for (key, text) in try assignments() ?? [(key, value ?? "")] {
      let declared = try await declaredType(of: key, edit)
      wanted.append(
        OverrideOrder.Assignment(
          key: declared.present?.key ?? key, value: try ValueText.value(text, type: declared.type), before: declared.present))
    }
    try await edit.set(wanted, window: window)
  }

  /// Returns the type of a key, with the value in force unless the key is secret.
  private func declaredType(of key: String, _ edit: OverrideOrder) async throws(CtlFailure) -> (type: ParameterType, present: ValueAnswer?)
  {
    do throws(CtlFailure) {
      let present = try await edit.present(key)
      return (ParameterType(rawValue: present.type) ?? .string, present.isMasked ? nil : present)
    } catch {
      guard case .problem(let problem) = error, problem.code == .secretKey else { throw error }
      let catalog = try await edit.console.daemon.ask(Calls.catalog, ["game": game]).answer
      return (catalog.type(of: key) ?? .string, nil)
    }
  }
}
