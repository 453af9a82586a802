// The revert of a session on the command line: the selected changes, the list before it, and the output.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Testing

@testable import gameconfctl

@Suite("Revert of a session on the command line")
struct SessionUndoTests {
  private static func entry(_ id: Int64, _ action: String, key: String? = nil, after: Value? = nil) -> AuditEntry {
    AuditEntry(
      id: id, at: Instant(seconds: 1), author: WireAuthor(uid: 1, name: "ada"), action: action, game: "g", key: key, player: "p",
      after: after)
  }

  @Test("audit revert of many changes prints the skipped ones first, then a line for each key, game by game")
  func words() async {
    var answer = RevertManyAnswer(
      game: "g", revision: 9,
      left: [SkippedChange(entry: Self.entry(3, "player.scores"), code: "NOT_REVERTIBLE", detail: "Set it again.")],
      entries: [Self.entry(0, "override.revert", key: "speed", after: 2.5), Self.entry(0, "override.revert", key: "lives")])
    answer.isDryRun = true
    let query = "author=7&session=s1"
    let daemon = RecordedDaemon([
      "GET /v1/games": .json(GamesAnswer(games: [GameSummary(game: "g", title: "G", revision: 8)])),
      "POST /v1/games/g/audit/revert?dry_run=true&\(query)": .json(answer),
      "POST /v1/games/g/audit/revert?\(query)": .json(answer),
    ])
    let words = ["audit", "revert", "--author", "7", "--session", "s1"]
    let dry = await run(words + ["--dry-run"], admin: daemon)
    #expect(dry.err == "line 3, player.scores of player p, stays: Set it again. [NOT_REVERTIBLE]\n")
    #expect(
      dry.out == """
        nothing was changed; without --dry-run: g: speed of player p is overridden with 2.5 again; revision 9
        nothing was changed; without --dry-run: g: lives of player p is no longer overridden; revision 9

        """)
    #expect(daemon.changes.allSatisfy { $0.call.contains("dry_run=true") })
    let done = await run(words, admin: daemon)
    #expect(done.out.hasPrefix("g: speed of player p is overridden with 2.5 again; revision 9\n"), "\(done)")
    #expect(daemon.changes.last?.call == "POST /v1/games/g/audit/revert?\(query)")
  }

  @Test(
    "audit revert needs either one entry or an author's changes, and refuses both together",
    arguments: [["--since", "30m"], ["g", "4", "--mine"], ["4", "--mine"], ["--mine", "--author", "bob"], ["--mine", "--force"], []])
  func usage(words: [String]) async {
    let daemon = RecordedDaemon()
    #expect(await run(["audit", "revert"] + words, admin: daemon).status == 2)
    #expect(daemon.calls == [])
  }
}
