// The lines of live requests on a terminal.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("Live requests on the command line")
struct LiveWordsTests {
  private func text(_ kind: LiveLineKind, _ fill: (inout LiveLine) -> Void) -> String {
    var line = LiveLine(kind, at: Instant(seconds: 0), game: "g")
    line.reader = "game"
    fill(&line)
    return LiveWords.line(line).text()
  }

  @Test("a line about a game's read has the key, the route, the value, its source and its revision")
  func read() {
    let line = text(.read) { line in
      (line.door, line.key, line.value, line.source, line.revision) = ("value", "k", 3.5, "override.game", 8)
    }
    #expect(line == "1970-01-01T00:00:00Z\tgame\t-\treads k by value: 3.5 (override.game, revision 8)")
    let all = text(.read) { ($0.door, $0.count, $0.revision) = ("config", 3_000, 9) }
    #expect(all.hasSuffix("reads all 3000 values by config at revision 9"))
    let secret = text(.read) { ($0.door, $0.key, $0.value, $0.isMasked) = ("value", "k", .some(.null), true) }
    #expect(secret.hasSuffix("reads k by value: (secret)"))
  }

  @Test("text that a player wrote is escaped in a line about a live request", arguments: ["\u{1b}[2J", "\u{202E}", "a\nb"])
  func escaped(evil: String) {
    let line = text(.event) { ($0.player, $0.event, $0.score) = (evil, evil, .string(evil)) }
    #expect(!line.contains(evil) && line.split(separator: "\n").count == 1)
    let refusal = text(.refusal) { ($0.key, $0.code, $0.detail) = (evil, evil, evil) }
    #expect(!refusal.contains(evil))
  }

  @Test("the number of omitted lines is printed, and a line about an ad has the reason why it is not shown")
  func others() {
    #expect(text(.leftOut) { $0.count = 1 }.hasSuffix("1 line left out: they came faster than they were taken"))
    #expect(text(.ad) { ($0.placement, $0.shows, $0.reason) = ("p", false, "pacing") }.hasSuffix("ad at p is not shown: pacing"))
    #expect(text(.watch) { ($0.what, $0.revision) = ("sent", 8) }.hasSuffix("watcher is sent the values at revision 8"))
  }
}
