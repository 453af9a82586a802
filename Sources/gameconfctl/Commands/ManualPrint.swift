// gameconfctl manual: the man page, made from the commands themselves.

import ArgumentParser
import GameConfAPI

struct ManualPrint: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Print the man page gameconfctl(1).", shouldDisplay: false)

  func run() throws { Desk.screen.write(Manual.page) }
}

/// The man page in roff.
enum Manual {
  /// Columns that preformatted help fills.
  private static let columns = 76

  static var page: String {
    var page = """
      .TH GAMECONFCTL 1 "" "gameconfd \(Release.version)" "gameconfd"
      .SH NAME
      gameconfctl \\- look after the games that gameconfd serves
      .SH SYNOPSIS
      .B gameconfctl
      .I NOUN
      .RI [ VERB ]
      .RI [ GAME ]
      .RI [ argument ...]
      .RI [ option ...]
      .SH DESCRIPTION

      """
    page += escaped(GameConfCtl.configuration.discussion) + "\n.SH COMMANDS\n"
    for (name, command) in leaves(of: GameConfCtl.self, named: "") {
      page += ".SS \(escaped(name))\n.nf\n"
      page += escaped(GameConfCtl.helpMessage(for: command, columns: columns)) + "\n.fi\n"
    }
    return page + ending
  }

  private static func leaves(of command: any ParsableCommand.Type, named name: String) -> [(String, any ParsableCommand.Type)] {
    let subcommands = command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    if subcommands.isEmpty { return [(name, command)] }
    return subcommands.flatMap { leaves(of: $0, named: name + (name.isEmpty ? "" : " ") + ($0.configuration.commandName ?? "")) }
  }

  /// Text that roff prints as it stands.
  static func escaped(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
      var safe = ""
      if line.hasPrefix(".") || line.hasPrefix("'") { safe += "\\&" }
      for character in line {
        switch character {
        case "\\": safe += "\\e"
        case "-": safe += "\\-"
        default: safe.append(character)
        }
      }
      return safe
    }.joined(separator: "\n")
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
    The command line does not fit together.
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
    .B GAMECONF_SOCKET
    The games socket. If it is set alone, admin.sock beside it is the admin socket.
    .TP
    .B GAMECONF_ADMIN_SOCKET
    The admin socket. If it is set alone, games.sock beside it is the games socket.
    .TP
    .B XDG_RUNTIME_DIR
    Its folder gameconfd is searched after /run/gameconfd.
    .SH FILES
    .TP
    .I /run/gameconfd/admin.sock
    For people and tools; whoever reads or changes through it has a role.
    .TP
    .I /run/gameconfd/games.sock
    For games. What both answer is read here when the admin socket is absent or not permitted.
    .SH EXAMPLES
    .nf
    gameconfctl config list wheresthedot
    gameconfctl config set wheresthedot arcade_time_limit_base 3.5 \\-\\-for 2h \\-\\-reason "too hard"
    gameconfctl config explain wheresthedot arcade_time_limit_base \\-\\-player p1
    gameconfctl flags off wheresthedot arcade_mode_enabled
    gameconfctl player show wheresthedot p1
    gameconfctl ads force wheresthedot p1 game_over \\-\\-reason "demo"
    gameconfctl audit follow wheresthedot
    .fi
    .SH SEE ALSO
    .BR gameconfd (8)

    """
}
