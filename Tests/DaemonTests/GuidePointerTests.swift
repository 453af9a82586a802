// The JSON pointers in guides, evaluated on the answer of a real event.

import GameConfCore
import Testing

@Suite("Pointers in the guides")
struct GuidePointerTests {
  @Test("every JSON pointer in the guides finds a member of an event's answer", arguments: ["LinkingTheLibrary.md"])
  func pointers(page: String) throws {
    let daemon = try RunningDaemon()
    let over: Value = ["event": "game_over", "mode": "classic", "score": 55, "reason": "timeUp"]
    let answer = try daemon.ask("POST", "/v1/games/wheresthedot/players/p1/events", body: over)
    #expect(answer.status == 200, "\(answer.text)")
    let text = try #require(TemporaryFolder.read(Built.tree + "/Sources/gameconfd/Documentation.docc/Guides/" + page))
    let pointers = String(decoding: text, as: UTF8.self).matches(of: /gameconf_answer_[a-z]+\(&[a-z]+, "(\/[^"]*)"/).map { String($0.1) }
    #expect(!pointers.isEmpty)
    for pointer in pointers {
      let found = try #require(JSONPointer.steps(of: pointer)).reduce(answer.json as Value?) { value, step in value?[step] }
      #expect(found != nil, "\(page): \(pointer) leads nowhere in \(answer.text)")
    }
  }
}
