// gameconfctl player make

import ArgumentParser
import GameConfAPI

struct PlayerMake: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make a test player in one line: scores, settings, purchases and values.",
    discussion: """
      Each option does the same as its own command: player score, player settings, iap premium, iap buy and config set. A known player \
      is made new first, as by player reset; gameconfctl asks first.
      """)

  @OptionGroup var whom: PlayerOptions
  @Option(help: ArgumentHelp("The sum of all scores.", valueName: "points")) var points: String?
  @Option(help: ArgumentHelp("The number of games played.", valueName: "number")) var games: String?
  @Option(help: ArgumentHelp("The best score of a mode; may be given again.", valueName: "mode=points")) var best: [String] = []
  @Option(help: ArgumentHelp("A setting of the player; may be given again.", valueName: "key=value")) var setting: [String] = []
  @Flag(help: "The player has bought the game's premium product.") var premium = false
  @Option(help: ArgumentHelp("A product the player has bought; may be given again.", valueName: "product"), completion: .products)
  var buy: [String] = []
  @Option(help: ArgumentHelp("A value that is overridden for the player; may be given again.", valueName: "key=value"))
  var set: [String] = []
  @Option(help: "The reason, for the audit log.") var reason: String?
  @OptionGroup var agreement: YesOption
  @OptionGroup var connection: ConnectionOptions

  func validate() throws { for each in setting { _ = try Self.pair(each) } }

  func run(on console: Console) async throws {
    let found = try await console.daemon.ask(
      Calls.resetPlayer, whom.variables, query: [("dry_run", "true")], body: ReasonRequest(reason: nil))
    var lines: [[String]] = []
    if found.answer.isKnown {
      try console.screen.confirm(
        "Player \(whom.player) of \(whom.game) is known. Make it new first: \(PlayerReset.words(found.answer))?", isAgreed: agreement.yes)
      lines.append(line("player", "reset", ["--yes"]))
    }
    for words in lines + (try steps()) {
      var step = try GameConfCtl.parseAsRoot(words)
      if var asyncStep = step as? any AsyncParsableCommand { try await asyncStep.run() } else { try step.run() }
    }
  }

  /// Returns the command lines that create the player's state. The reset of a known player is not among them.
  func steps() throws -> [[String]] {
    var lines: [[String]] = []
    let scores = (points.map { ["--lifetime", $0] } ?? []) + (games.map { ["--games", $0] } ?? []) + best.flatMap { ["--best", $0] }
    if !scores.isEmpty { lines.append(line("player", "score", scores)) }
    for each in setting {
      let (key, value) = try Self.pair(each)
      lines.append(line("player", "settings", words: [key, value]))
    }
    if premium { lines.append(line("iap", "premium", words: ["on"])) }
    for product in buy { lines.append(line("iap", "buy", words: [product])) }
    if !set.isEmpty { lines.append(["config", "set", "--player", whom.player] + shared + ["--", whom.game] + set) }
    return lines
  }

  private func line(_ group: String, _ command: String, _ options: [String] = [], words: [String] = []) -> [String] {
    [group, command] + options + shared + ["--", whom.game, whom.player] + words
  }

  /// The options of this command that are passed on to each command that it runs.
  private var shared: [String] {
    (connection.socket.map { ["--socket", $0] } ?? []) + (connection.timeout.map { ["--timeout", String($0)] } ?? [])
      + (connection.json ? ["--json"] : [])
      + (reason.map { ["--reason", $0] } ?? [])
  }

  private static func pair(_ text: String) throws -> (String, String) {
    guard let equals = text.firstIndex(of: "="), equals != text.startIndex else {
      throw ValidationError("--setting takes a key and a value, such as sound_enabled=off.")
    }
    return (String(text[..<equals]), String(text[text.index(after: equals)...]))
  }
}
