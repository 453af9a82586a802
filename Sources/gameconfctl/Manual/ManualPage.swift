// Generates the man pages from ArgumentParser's description of each command.

import ArgumentParser
import GameConfAPI

/// One man page in the language roff: `gameconfctl(1)`, or the page of a command group such as `gameconfctl-config(1)`. Options that many
/// commands share are only in `gameconfctl(1)`.
struct ManualPage {
  var name: String
  var text: String

  /// The commands and command groups of the first level, without hidden ones.
  static var nouns: [any ParsableCommand.Type] {
    GameConfCtl.configuration.subcommands.filter { $0.configuration.shouldDisplay }
  }

  static var all: [ManualPage] { [overview] + nouns.map(page) }

  static func page(of noun: String) -> ManualPage? { nouns.first { $0.names.contains(noun) }.map(page) }

  private static func page(of noun: any ParsableCommand.Type) -> ManualPage {
    let word = noun.configuration.commandName ?? ""
    let name = "gameconfctl-\(word)"
    var text = head(name) + ".SH NAME\n\(Roff.escaped(name)) \\- \(Roff.escaped(lowered(noun.configuration.abstract)))\n"
    let verbs = noun.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    if verbs.isEmpty {
      let shape = CommandShape(of: noun)
      text += ".SH SYNOPSIS\n" + synopsis("gameconfctl \(word)", shape) + ".SH DESCRIPTION\n"
      text += Roff.escaped(noun.configuration.abstract) + "\n"
      if !shape.discussion.isEmpty { text += ".PP\n" + Roff.paragraphs(shape.discussion) }
      text += arguments(of: shape)
    } else {
      text += ".SH SYNOPSIS\n.B \(Roff.escaped("gameconfctl \(word)"))\n.I VERB\n.RI [ argument ...]\n.RI [ option ...]\n"
      if !noun.configuration.discussion.isEmpty { text += ".SH DESCRIPTION\n" + Roff.paragraphs(noun.configuration.discussion) }
      text += ".SH COMMANDS\n"
      for verb in verbs { text += section(of: verb, below: word) }
    }
    let others = noun.configuration.aliases
    if !others.isEmpty { text += ".SH NOTES\n\(Roff.escaped("“\(word)” may be typed as \(quotedList(others)) too."))\n" }
    return ManualPage(name: name, text: text + ".SH SEE ALSO\n.BR gameconfctl (1),\n.BR gameconfd (8)\n")
  }

  private static func section(of verb: any ParsableCommand.Type, below noun: String) -> String {
    let shape = CommandShape(of: verb)
    let whole = "\(noun) \(verb.configuration.commandName ?? "")"
    var text = ".SS \(Roff.quoted(whole))\n" + synopsis("gameconfctl \(whole)", shape)
    text += ".PP\n" + Roff.escaped(verb.configuration.abstract) + "\n"
    if !shape.discussion.isEmpty { text += ".PP\n" + Roff.paragraphs(shape.discussion) }
    text += arguments(of: shape)
    if !verb.configuration.aliases.isEmpty {
      text += ".PP\n" + Roff.escaped("Also \(quotedList(verb.configuration.aliases)).") + "\n"
    }
    return text
  }

  private static func quotedList(_ words: [String]) -> String { words.map { "“\($0)”" }.joined(separator: ", ") }

  private static func head(_ name: String) -> String {
    ".TH \(Roff.quoted(name.uppercased())) 1 \"\" \(Roff.quoted("gameconfd \(ReleaseVersion.version)")) \"gameconfd\"\n"
  }

  /// Returns the synopsis of a command: its words and its own options, as a user types them.
  private static func synopsis(_ whole: String, _ shape: CommandShape) -> String {
    var text = ".B \(Roff.escaped(whole))\n"
    for word in shape.positionals {
      let name = Roff.escaped(word.name) + (word.isRepeating ? "..." : "")
      text += word.isOptional || word.isRepeating ? ".RI [ \(name) ]\n" : ".I \(name)\n"
    }
    for option in own(shape.options) {
      let name = Roff.escaped(option.names.first { $0.hasPrefix("--") } ?? option.names.first ?? "")
      let value = option.valueName.map { " \\fI\(Roff.escaped($0))\\fR" } ?? ""
      text += option.isOptional ? "[\\fB\(name)\\fR\(value)]\n" : "\\fB\(name)\\fR\(value)\n"
    }
    return text
  }

  private static func arguments(of shape: CommandShape) -> String {
    var text = ""
    for word in shape.positionals where !word.help.isEmpty {
      text += ".TP\n.I \(Roff.escaped(word.name))\n\(Roff.escaped(word.help))\(words(word.completion))\n"
    }
    for option in own(shape.options) { text += item(option) }
    return text
  }

  private static func item(_ option: CommandShape.Option) -> String {
    let names = option.names.map { "\\fB\(Roff.escaped($0))\\fR" }.joined(separator: ", ")
    let value = option.valueName.map { " \\fI\(Roff.escaped($0))\\fR" } ?? ""
    let usual = option.defaultValue.map { " (default: \($0))" } ?? ""
    return ".TP\n\(names)\(value)\n\(Roff.escaped(option.help + usual))\(words(option.completion))\n"
  }

  /// Returns a sentence that lists the values of an argument; empty unless they are a fixed set.
  private static func words(_ source: CompletionSource) -> String {
    guard case .words(let words) = source, !words.isEmpty else { return "" }
    return Roff.escaped(" One of \(words.joined(separator: ", ")).")
  }

  /// Returns a command's options without those that `gameconfctl(1)` describes.
  private static func own(_ options: [CommandShape.Option]) -> [CommandShape.Option] {
    let common = Set(commonOptions.flatMap(\.names))
    return options.filter {
      $0.names.allSatisfy { !common.contains($0) } && !$0.names.contains("--help") && !$0.names.contains("--version")
    }
  }

  private static let commonOptions =
    [ConnectionOptions.self as any ParsableArguments.Type, ChangeOptions.self, YesOption.self].flatMap { CommandShape(of: $0).options }
    .filter { !$0.names.contains("--help") }

  private static func lowered(_ sentence: String) -> String {
    let text = sentence.hasSuffix(".") ? String(sentence.dropLast()) : sentence
    return text.prefix(1).lowercased() + text.dropFirst()
  }

  /// The page `gameconfctl(1)`, with the options that many commands share.
  static var overview: ManualPage {
    var text =
      head("gameconfctl") + """
        .SH NAME
        gameconfctl \\- show and change the games that gameconfd serves
        .SH SYNOPSIS
        .B gameconfctl
        .I NOUN
        .RI [ VERB ]
        .RI [ GAME ]
        .RI [ argument ...]
        .RI [ option ...]
        .SH DESCRIPTION

        """
    text += Roff.paragraphs(GameConfCtl.configuration.discussion) + ".SH COMMANDS\nEach noun has a man page of its own.\n"
    for noun in nouns {
      text += ".TP\n.BR \(Roff.escaped("gameconfctl-\(noun.configuration.commandName ?? "")")) (1)\n"
      text += Roff.escaped(noun.configuration.abstract) + "\n"
      let verbs = noun.configuration.subcommands.compactMap { $0.configuration.shouldDisplay ? $0.configuration.commandName : nil }
      if !verbs.isEmpty { text += Roff.escaped("Verbs: \(verbs.joined(separator: ", ")).") + "\n" }
    }
    text +=
      ".SH OPTIONS\nThese are common. Every command that changes something takes \\fB\\-\\-reason\\fR and \\fB\\-\\-dry\\-run\\fR; one that "
    text += "deletes asks first, unless \\fB\\-\\-yes\\fR is given.\n"
    for option in commonOptions { text += item(option) }
    return ManualPage(name: "gameconfctl", text: text + ending)
  }

  private static let ending = """
    .SH EXIT STATUS
    .TP
    .B 0
    Done.
    .TP
    .B 1
    Refused: the daemon or a file says what would be right.
    .TP
    .B 2
    The command line is wrong.
    .TP
    .B 3
    No daemon answers.
    .TP
    .B 4
    Not allowed.
    .TP
    .B 5
    No such game, key or entry.
    .TP
    .B 6
    It conflicts with the present state.
    .TP
    .B 7
    Something is degraded, or the store is unavailable.
    .SH ENVIRONMENT
    .TP
    .B GAMECONF_GAME
    The game, if the line does not name a served one. Commands that delete permanently ignore it.
    .TP
    .B GAMECONF_PLAYER
    The player, if the command needs one and the line leaves it out; never for \\-\\-player. Commands that delete permanently ignore it.
    .TP
    .B GAMECONF_SOCKET
    The games socket. If it is set alone, admin.sock beside it is the admin socket.
    .TP
    .B GAMECONF_ADMIN_SOCKET
    The admin socket. If it is set alone, games.sock beside it is the games socket.
    .TP
    .B GAMECONF_BRIDGE_TOKEN
    The token of gameconfctl bridge, without \\-\\-token\\-file.
    .TP
    .B XDG_RUNTIME_DIR
    Its folder gameconfd is searched after /run/gameconfd.
    .TP
    .B GAMECONF_COMPLETION_MS
    The milliseconds that Tab waits for the daemon; default 150.
    .TP
    .B NO_COLOR
    If set, output has no colours. In a pipe it never has.
    .SH FILES
    .TP
    .I /run/gameconfd/admin.sock
    For people and tools. A caller needs a role.
    .TP
    .I /run/gameconfd/games.sock
    For games. gameconfctl uses it for reading if the admin socket is absent or not permitted.
    .SH EXAMPLES
    .nf
    gameconfctl config list wheresthedot
    gameconfctl config set wheresthedot arcade_time_limit_base 3.5 \\-\\-for 2h
    gameconfctl config explain wheresthedot arcade_time_limit_base
    gameconfctl flags off wheresthedot arcade_mode_enabled
    gameconfctl player show wheresthedot p1
    gameconfctl ads force wheresthedot p1 \\-\\-reason demo
    gameconfctl iap buy wheresthedot p1 premium
    gameconfctl player clock kidsdoku2 p1 advance P1M
    gameconfctl gate check kidsdoku2 p1 premium_puzzles number=1..27
    gameconfctl audit follow wheresthedot
    .fi
    .SH SEE ALSO
    .BR gameconfd (8)

    """
}
