// The root command of gameconfctl, and the only place where the program ends.

import ArgumentParser
import GameConfAPI
import GameConfOutput
import Glibc

@main
struct GameConfCtl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "gameconfctl",
    abstract: "Show and change the games that gameconfd serves: values, overrides, flags, players, catalogs.",
    discussion: """
      gameconfctl calls gameconfd over its Unix sockets. On a terminal it prints tables. In a pipe a row is a line without a heading, its \
      cells separated by tabs; --json prints the daemon's answer. GAMECONF_GAME names the game if the line leaves it out, GAMECONF_PLAYER the player.

      Exit status: 0 done, 1 refused, 2 usage, 3 no daemon, 4 not allowed, 5 not found, 6 conflict, 7 degraded or store unavailable.
      """,
    version: ReleaseVersion.version,
    subcommands: [
      GamesList.self, StatusShow.self, HealthShow.self, CatalogsReload.self, VersionShow.self, ConfigGroup.self, FlagsGroup.self,
      ThemesGroup.self, PlayerGroup.self, PlayGroup.self, ScenarioGroup.self, IapGroup.self, AdsGroup.self, EventsGroup.self,
      LiveShow.self, LeaderboardGroup.self, GateGroup.self, TemplateGroup.self, CatalogGroup.self, AuditGroup.self, StoreGroup.self,
    ] + Faces.commands + [ManualPrint.self, CompletePrint.self])

  static func main() async {
    ProgramOutput.reserveDescriptors()
    if CommandLine.arguments.dropFirst().first == CompletePrint.configuration.commandName { CompletionDeadline.set() }
    Glibc.exit(await run(Array(CommandLine.arguments.dropFirst())))
  }

  /// Runs the command that the arguments name.
  /// - Returns: The exit status.
  static func run(_ arguments: [String]) async -> Int32 {
    let screen = Console.screen
    var filled = arguments
    do {
      if let shell = arguments.first.flatMap({ $0 == "--generate-completion-script" ? arguments.dropFirst().first : nil }),
        let script = CompletionScript(rawValue: shell)
      {
        screen.write(script.text)
        return ExitStatus.done.rawValue
      }
      filled = try await ArgumentFill.filled(arguments, .present)
      var command = try parseAsRoot(filled)
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
      return ExitStatus.done.rawValue
    } catch let failure as CtlFailure {
      return report(failure, asJSON: isJSON(arguments), on: screen)
    } catch {
      if exitCode(for: error).isSuccess {
        screen.say("\(lines: fullMessage(for: error))")
        return ExitStatus.done.rawValue
      }
      return report(CommandLineFault.failure(filled, parsed: message(for: error)), asJSON: isJSON(arguments), on: screen)
    }
  }

  /// Prints a final failure and ends the process.
  static func end(with failure: CtlFailure) -> Never {
    Glibc.exit(report(failure, asJSON: isJSON(Array(CommandLine.arguments.dropFirst())), on: .process))
  }

  /// Prints a failure, as JSON if that was requested.
  /// - Returns: The exit status.
  private static func report(_ failure: CtlFailure, asJSON: Bool, on screen: Screen) -> Int32 {
    if asJSON {
      if let wire = failure.wire { screen.writeError(SafeText.json(wire, pretty: false) + "\n") }
    } else {
      for (at, line) in failure.lines.enumerated() { screen.note((at == 0 ? "gameconfctl: " : "") + line) }
    }
    if case .command(let status) = failure { return status }
    return failure.status.rawValue
  }

  /// True if the user requested JSON (`--json`); failures are then printed as JSON too.
  private static func isJSON(_ arguments: [String]) -> Bool { arguments.prefix { $0 != "--" }.contains("--json") }
}
