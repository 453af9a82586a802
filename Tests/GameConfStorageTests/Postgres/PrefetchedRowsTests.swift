// The rows of players that are read together with the locks.
import Testing

@testable import GameConfStorage

@Suite("Rows read together with the locks")
struct PrefetchedRowsTests {
  private static let ada = PlayerID(game: "g", player: "ada")
  private static let eve = PlayerID(game: "g", player: "eve")

  private static func mode(_ id: PlayerID, _ known: Set<String>, readsPlayers: Bool = false) -> WriteMode {
    var mode = WriteMode(scope: .players([id]), readsPlayers: readsPlayers)
    mode.knownBoards = known
    return mode
  }

  @Test(
    "a player's row of a leaderboard is read with the locks unless every transaction about that player already knows the row",
    arguments: [
      ([mode(ada, [])], ["ada top", "ada week"]),
      ([mode(ada, ["top"])], ["ada week"]),
      ([mode(ada, ["top", "week", "month"])], []),
      ([mode(ada, ["top", "week"]), mode(ada, ["top"])], ["ada week"]),
      ([mode(ada, ["top", "week"]), mode(eve, ["week"])], ["eve top"]),
      ([mode(ada, [], readsPlayers: true), mode(eve, ["top", "week"])], ["ada top", "ada week"]),
    ])
  func boards(modes: [WriteMode], requested: [String]) throws {
    var known = BoardNumberCache()
    for board in ["top", "week"] { known.note([.text("g"), .text(board), .text("")]) }
    let questions = PrefetchedRows(boards: known).questions(about: BatchScope(modes))
    let ofPlayers = modes.contains(where: \.readsPlayers) ? 3 : 0
    #expect(questions.count == ofPlayers + (requested.isEmpty ? 0 : 1))
    guard let question = questions.dropFirst(ofPlayers).first else { return }
    guard case .texts(let players) = question.arguments[1], case .texts(let boards) = question.arguments[2] else {
      Issue.record("\(question.arguments)")
      return
    }
    #expect(zip(players, boards).map { "\($0) \($1)" } == requested)
  }
}
