// Tests which player ids are reserved for scenarios.

import GameConfCore
import Testing

@Suite("Player ids of scenarios")
struct ScenarioNamesTests {
  @Test(
    "the player ids of a scenario contain its id",
    arguments: [
      ("scn-0123456789ab-p", "0123456789ab"), ("scn-0123456789ab-", "0123456789ab"), ("scn-0123456789ab-a-b", "0123456789ab"),
      ("scn-0123456789ab", nil), ("scn-0123456789a-p", nil), ("scn-0123456789abc-p", nil), ("scn-0123456789AB-p", nil), ("scn-", nil),
      ("scn", nil), ("", nil), ("p", nil), ("xscn-0123456789ab-p", nil), ("scn-0123456789ab\u{301}-p", nil),
    ] as [(String, String?)])
  func known(player: String, scenario: String?) {
    #expect(ScenarioNames.scenario(ofPlayer: player) == scenario)
    #expect(ScenarioNames.prefix(ofPlayer: player) == scenario.map { "scn-\($0)-" })
  }
}
