// gameconfctl themes milestone

import ArgumentParser
import GameConfAPI
import GameConfCore

struct ThemesMilestone: ChangeCommand {
  static let configuration = CommandConfiguration(
    commandName: "milestone", abstract: "Print the numbers that unlock themes, or override one.",
    discussion: "A theme without a milestone prints -.")

  @Argument(help: "The game.", completion: .games) var game: String
  @Argument(help: "The theme; all themes if left out.", completion: .themes) var theme: String?
  @Argument(help: "The number that unlocks it.") var value: String?
  @Flag(help: "Remove the override, as themes reset does.") var reset = false
  @Option(help: ArgumentHelp("For this player only.", valueName: "id"), completion: .players)
  var player: String?
  @OptionGroup var span: WindowOptions
  @OptionGroup var change: ChangeOptions
  @OptionGroup var connection: ConnectionOptions

  func validate() throws {
    if reset, theme == nil { throw ValidationError("--reset needs a theme.") }
    if reset, value != nil { throw ValidationError("Give either a number or --reset.") }
    if value == nil, span.hasEnd || span.from != nil { throw ValidationError("--for, --from and --until need a number.") }
  }

  func run(on console: Console) async throws {
    let edit = OverrideOrder(console: console, game: game, player: player, change: change)
    let catalog = try await edit.console.daemon.ask(Calls.catalog, ["game": game]).answer
    guard let theme else { return try await list(catalog, edit) }
    let threshold = try catalog.knownThreshold(ofTheme: theme, in: game)
    guard value != nil || reset else { return try await print(threshold, edit) }
    let key = try threshold.key(ofTheme: theme)
    if reset { return try await edit.reset(key, window: nil) }
    let before = try await edit.present(key)
    let number = try ValueText.value(value ?? "", type: ParameterType(rawValue: before.type) ?? .integer)
    try await edit.set(key, to: number, window: try await span.window(by: edit.console.daemon), before: before)
  }

  private func print(_ threshold: CatalogAnswer.Threshold, _ edit: OverrideOrder) async throws(CtlFailure) {
    let screen = edit.console.screen
    switch threshold {
    case .none(let unlock):
      screen.write("-\n")
      screen.note("no number unlocks it; its unlock is \(unlock)")
    case .number(let number): screen.write("\(number)\n")
    case .parameter(let key):
      let answer = try await edit.present(key)
      var caller = CallerOptions.nobody
      caller.player = player
      let overridden = edit.console.isJSON ? nil : await edit.console.overridden(answer, in: game, caller)
      edit.console.show(answer.wire) {
        screen.show(bare: ValueStyle.bare(answer.value, isTerminal: screen.isTerminal) + "\n")
        if let overridden { screen.note(overridden) }
      }
    }
  }

  private func list(_ catalog: CatalogAnswer, _ edit: OverrideOrder) async throws(CtlFailure) {
    var caller = CallerOptions.nobody
    caller.player = player
    let (config, _) = try await edit.console.daemon.config(game, caller)
    let rows = Self.rows(catalog, config)
    let wire = Value.list(rows.map { ["theme": .string($0.theme), "milestone": $0.value, "key": $0.key.map(Value.string) ?? .null] })
    edit.console.show(wire) { edit.console.screen.show(Self.table(rows)) }
  }

  struct MilestoneRow: Equatable {
    var theme: String
    var unlock: String
    /// The threshold that the milestone sets; null if the theme has no threshold.
    var value: Value
    var key: String?
    var isOverridden: Bool
  }

  static func rows(_ catalog: CatalogAnswer, _ config: ConfigAnswer) -> [MilestoneRow] {
    var values: [String: ValueAnswer] = [:]
    if case .full(let all) = config.values {
      for value in all { values[value.key] = value }
    }
    return catalog.part("themes").compactMap { theme in
      guard let id = theme["id"]?.stringValue, let threshold = catalog.threshold(ofTheme: id) else { return nil }
      let unlock = theme["unlock"].map(CatalogPage.words) ?? "-"
      return switch threshold {
      case .none: MilestoneRow(theme: id, unlock: unlock, value: .null, key: nil, isOverridden: false)
      case .number(let number): MilestoneRow(theme: id, unlock: unlock, value: .integer(number), key: nil, isOverridden: false)
      case .parameter(let key):
        MilestoneRow(
          theme: id, unlock: unlock, value: values[key]?.value ?? .null, key: key, isOverridden: values[key]?.isOverridden ?? false)
      }
    }
  }

  static func table(_ rows: [MilestoneRow]) -> Table {
    Table(rows, whenEmpty: "no themes", markMeaning: "overridden", isMarked: { $0.isOverridden }) {
      Column("theme") { $0.theme }
      Column("milestone") { $0.value == .null ? "-" : ValueStyle.cell($0.value) }
      Column("unlock") { $0.unlock }
      Column("key") { $0.key }
    }
  }
}
