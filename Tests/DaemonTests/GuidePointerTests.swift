// The JSON pointers and member paths in guides, evaluated on real answers.

import GameConfCore
import Testing

@Suite("Pointers in the guides")
struct GuidePointerTests {
  /// The paths of an answer's members that a document's code reads: JSON pointers given to the library, and subscripts of an `answer`.
  private func paths(in document: String) throws -> [(text: String, steps: [String])] {
    let text = String(decoding: try #require(TemporaryFolder.read(Built.tree + "/" + document)), as: UTF8.self)
    let pointers = try text.matches(of: /gameconf_answer_[a-z]+\(&?[a-z]+, "(\/[^"]*)"/).map { match in
      (String(match.1), try #require(JSONPointer.steps(of: String(match.1))))
    }
    let subscripts = text.matches(of: /\banswer((?:\["[a-z_]+"\])+)/).map { match in
      (String(match.0), match.1.matches(of: /"([a-z_]+)"/).map { String($0.1) })
    }
    return pointers + subscripts
  }

  @Test("every JSON pointer and member path in the README and the guides finds a member of a real answer")
  func pointers() throws {
    let daemon = try RunningDaemon()
    let over: Value = ["event": "game_over", "mode": "classic", "score": 55, "reason": "timeUp"]
    let event = try daemon.ask("POST", "/v1/games/wheresthedot/players/p1/events", body: over)
    #expect(event.status == 200, "\(event.text)")
    let answers = [event.json, try daemon.read(at: "/v1/games/wheresthedot/config")]
    var found: Set<String> = []
    for document in DocumentationTests.documents {
      for (text, steps) in try paths(in: document) {
        let isFound = answers.contains { steps.reduce($0 as Value?) { value, step in value?[step] } != nil }
        #expect(isFound, "\(document): \(text) leads nowhere in \(event.text)")
        found.insert(text)
      }
    }
    // The forms that the guides use are recognized.
    let known: Set = [
      "/ads/game_over/show", #"answer["ads"]["game_over"]["show"]"#, #"answer["unlocked"]["themes"]"#, #"answer["values"]"#,
    ]
    #expect(found.isSuperset(of: known), "\(found.sorted())")
  }
}
