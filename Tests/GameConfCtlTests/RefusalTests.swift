// The uniform form of refusals: the fault and the remedy, from gameconfctl and from the daemon.

import ArgumentParser
import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("Refusals")
struct RefusalTests {
  @Test("a refusal names the command's options instead of query parameters, except with --json")
  func options() async {
    let problem = Problem(.changedSince, "The value has been changed since; force=true reverts the line all the same.")
    let daemon = RecordedDaemon(["POST /v1/games/g/audit/7/revert": .problem(problem)])
    let said = await run("audit", "revert", "g", "7", admin: daemon)
    #expect(said.status == 6 && said.err.contains("; --force reverts the line") && !said.err.contains("=true"), "\(said)")
    #expect(await run("audit", "revert", "g", "7", "--json", admin: daemon).err.contains("force=true"))
  }

  @Test(
    "an invalid command line is refused with its first fault and a valid form",
    arguments: [
      (["config", "get"], "the game and the key are missing: gameconfctl config get <game> <key>"),
      (["config", "get", "g", "speed", "x"], "“x” is one word too many: gameconfctl config get <game> <key>"),
      (
        ["config", "set", "g", "speed", "4", "--playr", "p"],
        "“--playr” is not an option of gameconfctl config set. Did you mean “--player”?"
      ),
      (
        ["config", "set", "g", "speed", "4", "-x"],
        "“-x” is not an option of gameconfctl config set. “gameconfctl config set --help” shows them."
      ),
      (["config", "set", "g", "speed", "4", "--from"], "“--from” needs a value: --from <time>"),
      (["config", "set", "g", "speed", "4", "--reason", "--json"], "“--reason” needs a value: --reason <reason>"),
      (["config", "list", "g", "--overridden=yes"], "“--overridden” takes no value"),
      (["config", "set", "g", "speed"], "Give the value once: as an argument or with --value-json."),
      (["audit", "list", "--limit", "many"], "--limit takes a whole number, not “many”"),
      (["audit", "list", "--limit", "1001"], "--limit must be from 1 to 1000"),
      (["health", "--timeout", "soon"], "--timeout takes a number of seconds, not “soon”"),
      (["iap", "clock", "g", "advanc", "P1D"], "move: “advanc” is not one of set, advance, rate, reset. Did you mean “advance”?"),
      (["iap", "clock", "g", "P1D"], "move: “P1D” is not one of set, advance, rate, reset. Did you mean “advance P1D”?"),
      (["store", "move"], "“--to” is missing: gameconfctl store move --to postgres|sqlite [<place>]"),
      (["store", "move", "--to", "postgre"], "--to: “postgre” is not one of postgres, sqlite. Did you mean “postgres”?"),
      (["--verbose"], "“--verbose” is not an option of gameconfctl. “gameconfctl --help” shows them."),
      (["scenario", "run", "--", "true"], "the file is missing: gameconfctl scenario run <file>"),
    ] as [([String], String)])
  func usage(arguments: [String], message: String) async {
    let daemon = RecordedDaemon()
    let outcome = await run(arguments, admin: daemon)
    #expect(outcome.status == 2 && outcome.out == "")
    let isJSON = arguments.contains("--json")
    #expect(isJSON ? outcome.err.contains("USAGE") : outcome.err == "gameconfctl: \(message)\n", "\(outcome.err)")
    #expect(daemon.calls.isEmpty)
  }

  @Test("all commands report the same mistake with the same words, code and exit status")
  func alike() async {
    let unknown = Problem(.unknownKey, "“soud” is not a parameter of g. Did you mean “sound”?")
    let empty = ConfigAnswer(game: "g", revision: 7, values: .full([]))
    let daemon = RecordedDaemon([
      "GET /v1/games/g/config?keys=soud&detail=full": .json(empty), "GET /v1/games/g/config/soud": .problem(unknown),
      "GET /v1/games/g/config?detail=full": .json(Sample.config),
      "GET /v1/games/g/config?keys=speed&detail=full": .json(
        ConfigAnswer(game: "g", revision: 7, values: .full([Sample.value(isListed: true)]))),
    ])
    let set = await run("config", "set", "g", "soud", "on", admin: daemon)
    #expect(set.status == 5 && set.err == "gameconfctl: “soud” is not a parameter of g. Did you mean “sound”? [UNKNOWN_KEY]\n")
    for verb in ["on", "off", "reset"] { #expect(await run("flags", verb, "g", "soud", admin: daemon) == set) }
    let other = await run("flags", "off", "g", "speed", admin: daemon)
    #expect(other.err == "gameconfctl: “speed” is not a flag of g; “gameconfctl config set g speed VALUE” sets it.\n" && other.status == 1)
    #expect(daemon.changes.isEmpty)
  }

  @Test(
    "a refusal names the position in a file or a value, and no position for a typed argument",
    arguments: [
      ("/value", nil), ("/value/2/x", "/2/x"), ("/period", nil), ("/args/number", nil), ("/overrides/3/value", "/overrides/3/value"),
      ("/parameters/a", "/parameters/a"), ("", nil),
    ] as [(String, String?)])
  func places(pointer: String, place: String?) {
    let lines = CtlFailure.problem(Problem(.typeMismatch, "no", pointer: pointer)).lines
    #expect(lines == ["no\(place.map { " (at \($0))" } ?? "") [TYPE_MISMATCH]"])
  }

  @Test("a refusal for lack of a role names a command that the user may use, and no route")
  func roles() async {
    let refusal = { (isTester: Bool) in
      Response.problem(
        Problem(
          .notPermitted, "PUT /v1/games/{game}/overrides/{key} is for admins: uid 7 is not among them.",
          extensions: ["needs": "admins", "uid": 7, "tester": .bool(isTester)]))
    }
    let daemon = { (isTester: Bool) in
      RecordedDaemon([
        "GET /v1/games/g/config/speed": .json(Sample.value()), "PUT /v1/games/g/overrides/speed": refusal(isTester),
        "POST /v1/games/g/template/rollback": refusal(isTester),
      ])
    }
    let tester = await run("config", "set", "g", "speed", "4", admin: daemon(true))
    #expect(
      tester.err == "gameconfctl: This is for admins, and uid 7 is a tester. For one player you may: add --player P. [NOT_PERMITTED]\n")
    let other = await run("config", "set", "g", "speed", "4", admin: daemon(false))
    #expect(
      other.err
        == "gameconfctl: This is for admins, and uid 7 is not one of them. Ask an admin to do it, or join the group that “gameconfctl status --all” names. [NOT_PERMITTED]\n"
    )
    #expect(tester.status == 4 && other.status == 4)
    let games = RecordedDaemon(["GET /v1/games/g/audit?limit=50": .problem(Problem(.adminOnly, "GET … is answered on the admin socket"))])
    #expect(
      await run("audit", "list", "g", admin: games).err
        == "gameconfctl: --socket names the games socket, which does not serve this call. Leave it out, or name the admin socket. [ADMIN_ONLY]\n"
    )
  }

  @Test("every command that changes something accepts the option -y")
  func yes() {
    func leaves(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
      let parts = command.configuration.subcommands
      return parts.isEmpty ? [command] : parts.flatMap { leaves($0) }
    }
    for command in leaves(GameConfCtl.self) {
      let shape = CommandShape(of: command)
      if shape.option("--reason") != nil || shape.option("--idempotency-key") != nil {
        #expect(shape.option("-y") != nil && shape.option("--yes") != nil, "\(command)")
      }
    }
  }

  @Test("a change for the whole game is noted on a terminal if the environment names a player")
  func scope() async {
    let daemon = {
      RecordedDaemon([
        "GET /v1/games/g/config/speed": .json(Sample.value()), "GET /v1/games/g/config/speed?player=p": .json(Sample.value()),
        "PUT /v1/games/g/overrides/speed": .json(Sample.override("speed", 4.0)), "GET /v1/games": .json(GamesAnswer(games: [])),
        "PUT /v1/games/g/players/p/overrides/speed": .json(Sample.override("speed", 4.0, player: "p")),
      ])
    }
    let anna = ["GAMECONF_PLAYER": "anna"]
    let note = "for the game; --player anna for that player alone\n"
    #expect(await run("config", "set", "g", "speed", "4", admin: daemon(), isTerminal: true, environment: anna).err == note)
    #expect(await run("config", "set", "g", "speed", "4", admin: daemon(), environment: anna).err == "")
    #expect(await run("config", "set", "g", "speed", "4", admin: daemon(), isTerminal: true).err == "")
    #expect(
      await run("config", "set", "g", "speed", "4", "--player", "p", admin: daemon(), isTerminal: true, environment: anna).err.contains(
        note) == false)
  }
}
