// gameconfctl scenario run

import ArgumentParser
import GameConfAPI
import GameConfCore
import Glibc

struct ScenarioRun: DaemonCommand {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Begin a scenario, run a command, and undo the scenario.",
    discussion: """
      The command finds the prefix of the scenario's players' ids in GAMECONF_PLAYER_PREFIX. The exit status is the command's. \
      Without a command the scenario stays in force until Ctrl-C. If gameconfctl itself is killed, the daemon undoes the scenario \
      when its lease is over.
      """)

  @Argument(help: "The scenario's file; - is standard input.", completion: .file(extensions: ["yaml"])) var file: String
  @Argument(parsing: .postTerminator, help: "The command and its arguments, after --.") var command: [String] = []
  @Option(help: "The reason, for the audit log.") var reason: String?
  @OptionGroup var agreement: YesOption
  @OptionGroup var connection: ConnectionOptions

  func run(on console: Console) async throws {
    StopSignals.record()
    let begun = try await ScenarioFile(file, reason: reason).begin(console.daemon, isDryRun: false).answer
    for warning in begun.warnings { console.screen.note("warning: \(warning)") }
    let run = LeasedScenario(console: console, scenario: begun.scenario)
    let outcome: Result<Int32, CtlFailure>
    do throws(CtlFailure) {
      if command.isEmpty {
        console.screen.line("GAMECONF_PLAYER_PREFIX=\(begun.scenario.prefix)")
        console.screen.note("the scenario is in force; Ctrl-C takes it back")
        try await run.holdUntilStopped()
        outcome = .success(0)
      } else {
        outcome = .success(try await run.hold(while: command))
      }
    } catch { outcome = .failure(error) }
    await run.takeBack()
    let status = try outcome.get()
    if status != 0 { throw CtlFailure.command(status) }
  }
}

/// A scenario that is in force as long as this process lives, because the process renews the scenario's lease.
struct LeasedScenario {
  let console: Console
  let scenario: WireScenario

  private static let lookMilliseconds: Int64 = 50
  private static let attemptsMax = 5

  /// Renews the scenario's lease until a stop signal arrives.
  func holdUntilStopped() async throws(CtlFailure) { _ = await hold { StopSignals.received == 0 ? nil : 0 } }

  /// Renews the scenario's lease until a command has ended.
  /// - Returns: The command's exit status; 128 plus the signal's number if a signal ended it.
  func hold(while command: [String]) async throws(CtlFailure) -> Int32 {
    let child = try ChildCommand(command, environment: [("GAMECONF_PLAYER_PREFIX", scenario.prefix), ("GAMECONF_SCENARIO", scenario.id)])
    var passed: Int32 = 0
    return await hold {
      let received = StopSignals.received
      if received != passed {
        // On a terminal, Ctrl-C reaches the child process too. If this process sent it a second signal, that would cut the child's cleanup
        // short.
        if received != SIGINT || isatty(STDIN_FILENO) == 0 { child.signal(received) }
        passed = received
      }
      return child.status
    }
  }

  /// Ends the scenario. If the daemon cannot be reached, notes when the lease will end it.
  func takeBack() async {
    var failure: CtlFailure?
    for _ in 0..<Self.attemptsMax {
      do throws(CtlFailure) {
        _ = try await console.daemon.send(Calls.endScenario, ["scenario": scenario.id], change: .plain)
        return
      } catch { failure = error }
      try? await Task.sleep(for: .milliseconds(200))
    }
    console.screen.note(
      "gameconfctl: the daemon takes the scenario back at \(time: scenario.leaseUntil) or a lease later; it cannot be reached now:"
    )
    for line in failure?.lines ?? [] { console.screen.note(line) }
  }

  /// Renews the scenario's lease until `outcome` returns a status. Renewals are three times as frequent as the lease requires.
  private func hold(_ outcome: () -> Int32?) async -> Int32 {
    let pause = Duration.milliseconds(max(100, scenario.leaseSeconds * 1000 / 3))
    var next = ContinuousClock.now + pause
    var hasReported = false
    while true {
      if let status = outcome() { return status }
      if ContinuousClock.now >= next {
        next = ContinuousClock.now + pause
        do throws(CtlFailure) {
          _ = try await console.daemon.ask(Calls.renewScenario, ["scenario": scenario.id])
          hasReported = false
        } catch {
          if !hasReported {
            for line in error.lines { console.screen.note("gameconfctl: the lease is not renewed: " + line) }
          }
          hasReported = true
        }
      }
      try? await Task.sleep(for: .milliseconds(Self.lookMilliseconds))
    }
  }
}
