// The tables with rows about a player, which a reset and a forget delete and an admin can list.
import GameConfCore
import Testing

@testable import GameConfStorage

@Suite("The rows about a player")
struct PlayerRowsTests {
  /// The tables that are not shown with a player's rows, and the reasons.
  private static let elsewhere: [String: String] = [
    "overrides": "listed by key, and exported", "override_counts": "of a game", "slot_revisions": "shown as the revision of a key",
    "player_revisions": "a number, also of players who are forgotten", "game_revisions": "of a game", "numbers": "of the store",
    "templates": "of a game", "template_activations": "of a game", "game_clocks": "of a game", "catalogs": "of a game",
    "bests": "listed by event", "boards": "of a game", "board_rows": "listed by leaderboard", "forgotten_players": "of nobody any more",
    "forgotten_lines": "of nobody any more", "play_owners": "counts the rows of plays", "play_values": "shared by players",
    "play_users": "of a user", "audit": "listed by the audit log", "audit_keys": "finds lines of the audit log",
    "audit_packs": "listed by the audit log", "answers": "found by requests, without the player", "answer_shares": "of a user",
    "scenarios": "of games",
  ]

  @Test("every table is shown with a player's rows, or has a reason why not")
  func shown() async throws {
    let tested = try StoreUnderTest(.sqlite)
    let id = PlayerID(game: "g", player: "ada")
    try await tested.write { transaction in
      _ = try transaction.write(
        PlayerWrite(state: PlayerState(createdAt: Instant(seconds: 1))), of: id, over: try transaction.player(id))
    }
    let shown = try await tested.store.read { try $0.storedRows(of: id) }.members.map(\.name)
    let tables = Set(StoredTable.all.map(\.name))
    #expect(tables.subtracting(shown).subtracting(Self.elsewhere.keys).isEmpty, "shown or not, and why?")
    #expect(Set(Self.elsewhere.keys).subtracting(tables).isEmpty && Set(shown).isSubset(of: tables))
    #expect(Set(shown).isDisjoint(with: Self.elsewhere.keys))
  }

  @Test("each kind of stored state with rows about players names the state served from them, and each served state has one kind")
  func served() {
    let named = StateKinds.all.filter { kind in kind.storedTables.contains { $0.column("player") != nil } }
    let exceptions = ["RevisionRows"]
    for kind in named where !exceptions.contains("\(kind)") { #expect(kind is any PlayerStateRows.Type, "\(kind)") }
    #expect(StateKinds.ofPlayers.map { $0.served } == PlayerServedState.allCases)
    // Rows that remained after a player is forgotten would be served for no player.
    #expect(PlayerRemoval.forget.served == Set(PlayerServedState.allCases))
  }
}
