// The entry point of gameconfd: reads the settings, then checks them or serves.

import GameConfAPI
import GameConfCore
import GameConfOutput
import GameConfSystemd
import Glibc

@main
struct GameConfDaemon {
  enum DaemonExitStatus: Int32 {
    case done = 0
    case refused = 1
    case usage = 2
  }

  static func main() async {
    ProgramOutput.reserveDescriptors()
    signal(SIGPIPE, SIG_IGN)
    // SIGHUP is ignored until the daemon can reload, because the start reads all files anyway.
    signal(SIGHUP, SIG_IGN)
    HeapMemory.limitEnds()
    var environment: [String: String] = [:]
    var at = environ
    while let entry = at.pointee {
      let parts = String(cString: entry).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { environment[String(parts[0])] = String(parts[1]) }
      at += 1
    }
    let arguments = Array(CommandLine.arguments.dropFirst())
    if arguments.contains("--help") { end(.done, saying: DaemonSetting.usage, to: STDOUT_FILENO) }
    if arguments.contains("--version") { end(.done, saying: "gameconfd \(ReleaseVersion.version)\n", to: STDOUT_FILENO) }
    if arguments.first == MoveStore.name { MoveStore.run(Array(arguments.dropFirst()), environment: environment) }
    let settings: Settings
    do throws(Faults) {
      settings = try Settings(arguments: arguments, environment: environment)
    } catch {
      refuse(.usage, because: error.messages)
    }
    if settings.checksOnly { await check(settings, environment: environment) }
    do throws(Fault) {
      try await DaemonProcess(settings: settings, environment: environment).run()
    } catch {
      refuse(.refused, because: [error.message])
    }
  }

  /// Reports the findings of a start without starting, and exits with a failure if the start would fail.
  private static func check(_ settings: Settings, environment: [String: String]) async -> Never {
    let found = await Preflight(settings, environment: environment)
    // `systemctl reload` runs this check while the daemon runs; the check must not report that as a fault. Each finding goes to the journal
    // with its level.
    for line in found.warnings { ServiceMessage.write(line, at: .notice, plain: "warning: \(line)", identifier: name) }
    for line in found.good { say(TerminalText.escaped(line) + "\n", to: STDOUT_FILENO) }
    for line in found.faults { ServiceMessage.write(line, at: .error, plain: line, identifier: name) }
    exit(found.faults.isEmpty ? DaemonExitStatus.done.rawValue : DaemonExitStatus.refused.rawValue)
  }

  private static func say(_ text: String, to descriptor: Int32) {
    // File names and file contents may come from other users, so control characters are escaped.
    ProgramOutput.say(TerminalText.escaped(text, keepingLines: true), to: descriptor, by: "gameconfd")
  }

  private static let name = "gameconfd"

  /// Reports the reasons for which the daemon does not start, and exits.
  private static func refuse(_ status: DaemonExitStatus, because reasons: [String]) -> Never {
    for reason in reasons {
      ServiceMessage.write(
        "the start is refused: \(reason)", at: .error, plain: "\(name): \(reason)", identifier: name, id: .startRefused)
    }
    exit(status.rawValue)
  }

  private static func end(_ status: DaemonExitStatus, saying text: String, to descriptor: Int32) -> Never {
    say(text, to: descriptor)
    exit(status.rawValue)
  }
}
