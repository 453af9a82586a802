// The program gameconf-fetch: reads templates over HTTPS or from Firebase and uploads them to the daemon, which itself has no network
// access.

import GameConfAPI
import GameConfCore
import GameConfOutput
import GameConfSystemd
import Glibc
import Logging

/// The entry point of gameconf-fetch. It parses the arguments, then checks the settings or runs the service.
@main
struct GameConfFetch {
  private enum FetchExitStatus: Int32 {
    case done = 0
    case refused = 1
    case usage = 2
  }

  private static let usage = """
    usage: gameconf-fetch [--config FILE] [--socket PATH] [--check]

    Reads the templates of games from HTTPS or Firebase and pushes them to gameconfd.

      --config FILE   read settings from this file (\(FetchSettings.standardPath))
      --socket PATH   use this admin socket ($GAMECONF_ADMIN_SOCKET, or /run/gameconfd/admin.sock)
      --check         check settings, keys and authorities, print the faults, and exit
      --version, --help

    """

  static func main() async {
    ProgramOutput.reserveDescriptors()
    signal(SIGPIPE, SIG_IGN)
    var path = FetchSettings.standardPath
    var socket = environment("GAMECONF_ADMIN_SOCKET") ?? "/run/gameconfd/admin.sock"
    var checksOnly = false
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--help": end(.done, usage, STDOUT_FILENO)
      case "--version": end(.done, "gameconf-fetch \(ReleaseVersion.version)\n", STDOUT_FILENO)
      case "--check": checksOnly = true
      case "--config", "--socket":
        guard let value = arguments.popFirst() else { end(.usage, "gameconf-fetch: \(argument) needs a value\n", STDERR_FILENO) }
        if argument == "--config" { path = value } else { socket = value }
      default: end(.usage, "gameconf-fetch: “\(argument)” is not an option; --help lists them\n" + usage, STDERR_FILENO)
      }
    }
    let settings = settings(path)
    if checksOnly { check(settings) }
    if let why = WebClient.begin() { end(.refused, "gameconf-fetch: \(why)\n", STDERR_FILENO) }
    LoggingSystem.bootstrap { _ in JournalLogHandler(identifier: "gameconf-fetch", hashPlayer: { _ in "-" }) }
    await serve(settings.sources, AdminSocketClient(socketPath: socket), Logger(label: "gameconf-fetch"))
  }

  private static func settings(_ path: String) -> FetchSettings {
    let bytes: [UInt8]
    do throws(Fault) { bytes = try KeyFile.read(path, as: .settings, bytesMax: FetchSettings.fileBytesMax) } catch {
      end(.usage, "gameconf-fetch: \(path): \(error.message)\n", STDERR_FILENO)
    }
    let settings = FetchSettings(NamedFile(name: path, bytes: bytes), credentials: environment("CREDENTIALS_DIRECTORY"))
    if settings.faults.isEmpty { return settings }
    end(.usage, settings.faults.map { "gameconf-fetch: \($0)\n" }.joined(), STDERR_FILENO)
  }

  /// Checks the files of keys and certificate authorities, because the parser of the settings does not read them. Then exits.
  private static func check(_ settings: FetchSettings) -> Never {
    var faults = ""
    for source in settings.sources {
      if let file = source.authoritiesFile {
        do throws(Fault) { try AuthoritiesFile.check(file) } catch {
          faults += "gameconf-fetch: the authorities \(file) of \(source.game) are refused: \(error.message)\n"
        }
      }
      guard case .firebase(let firebase) = source.kind else { continue }
      do throws(Fault) {
        let key = try ServiceAccountKey(try KeyFile.read(firebase.keyFile, as: .key))
        _ = try KeySignature.rs256("", key: key.privateKey)
      } catch { faults += "gameconf-fetch: the key \(firebase.keyFile) of \(source.game) is refused: \(error.message)\n" }
    }
    if faults.isEmpty { end(.done, "\(settings.sources.count) sources, no faults\n", STDOUT_FILENO) }
    end(.refused, faults, STDERR_FILENO)
  }

  private static func serve(_ sources: [FetchSource], _ link: AdminSocketClient, _ logger: Logger) async {
    let log = FetchLog(logger, sources: sources.count)
    log.ready()
    await withTaskGroup(of: Void.self) { group in
      var wakes: [String: AsyncStream<WakeReason>.Continuation] = [:]
      for source in sources {
        let (stream, wake) = AsyncStream<WakeReason>.makeStream(bufferingPolicy: .bufferingNewest(64))
        wakes[source.game] = wake
        let loop = SourceLoop(reader: SourceReader(source), link: link, log: log)
        group.addTask { await loop.run(stream, wake) }
      }
      let all = wakes
      group.addTask { await follow(link, all) }
    }
  }

  private static let firstPauseMilliseconds = 100
  private static let pauseMillisecondsMax = 5_000

  /// Follows the daemon's event stream, which carries admins' requests to fetch. Reconnects with exponential backoff.
  private static func follow(_ link: AdminSocketClient, _ wakes: [String: AsyncStream<WakeReason>.Continuation]) async {
    var last: String?
    var pause = firstPauseMilliseconds
    while !Task.isCancelled {
      try? await link.watch(after: &last) {
        pause = firstPauseMilliseconds
        for wake in wakes.values { wake.yield(.daemonIsThere) }
      } requested: { requested in
        wakes[requested.game]?.yield(.requested(leastMilliseconds: requested.leastMilliseconds))
      }
      try? await Task.sleep(for: .milliseconds(pause))
      pause = min(pause * 2, pauseMillisecondsMax)
    }
  }

  private static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  private static func end(_ status: FetchExitStatus, _ text: String, _ descriptor: Int32) -> Never {
    if descriptor == STDERR_FILENO {
      // The reason for a failed start goes to the journal with the level of an error.
      for line in text.split(separator: "\n") {
        ServiceMessage.write(String(line), at: .error, plain: String(line), identifier: "gameconf-fetch")
      }
      exit(status.rawValue)
    }
    // The text contains paths and addresses from settings, so control characters are escaped.
    ProgramOutput.say(TerminalText.escaped(text, keepingLines: true), to: descriptor, by: "gameconf-fetch")
    exit(status.rawValue)
  }
}
