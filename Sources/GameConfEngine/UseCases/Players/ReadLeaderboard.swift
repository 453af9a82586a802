// Reads a leaderboard: its first rows, and one player's rank.
public import GameConfCore
public import GameConfStorage

/// A player's rank on a list of a leaderboard: exact up to ``BoardLimits/exactRankMax``, and a lower bound beyond it.
public struct LeaderboardRank: Sendable, Hashable {
  /// The player's entry on the list, with its score.
  public var row: BoardRow
  /// The rank, from 1, if it is counted exactly; nil beyond ``BoardLimits/exactRankMax``.
  public var rank: Int?
  /// A lower bound of the rank, if the rank itself is not counted.
  public var rankAtLeast: Int64?
}

/// The first rows of one list of a leaderboard, with one player's rank if requested.
public struct LeaderboardPage: Sendable, Hashable {
  /// The definition of the leaderboard in the catalog.
  public var board: Leaderboard
  /// The value of the catalog's `per` that selects the list; nil if the leaderboard has one list.
  public var per: String?
  /// The first rows of the list, best first.
  public var rows: [BoardRow]
  /// The rank of the requested player; nil without a requested player, or if the player is not on the list.
  public var standing: LeaderboardRank?
}

extension PlayerService {
  /// Returns the first rows of one list of a leaderboard, with a player's rank if requested.
  /// - Parameters:
  ///   - player: The player whose rank is requested and whose parameters select the list.
  ///   - per: The value of the catalog's `per` that selects the list; nil for the current list of the player, or of the game without a
  ///     player.
  ///   - limit: The most rows; nil for the catalog's number, which is also the maximum.
  ///   - histograms: The histograms of scores, by which a rank is estimated that is not counted exactly.
  public func leaderboard(
    _ id: String, of game: String, player: String?, per: String?, limit: Int?, host: Instant, estimatingBy histograms: BoardHistograms
  ) async throws(ChangeRefusal) -> LeaderboardPage {
    guard let snapshot = world.world[game] else { throw .unknownGame(game) }
    guard let board = snapshot.table.playerRules.leaderboard(id) else {
      throw .unknownBoard(id, in: game, known: snapshot.catalog.leaderboards.map(\.id))
    }
    let terms = try await terms(player, snapshot, host: host)
    guard board.isShown(terms.parameters) else {
      if case .parameter(let key) = board.enabled { throw .boardOff(id, parameter: key) }
      throw .boardOff(id, parameter: nil)
    }
    var place = terms.place(on: board)
    if let per, !board.per.isEmpty { place.per = per }
    let list = BoardList(game: game, place: place)
    let count = min(limit ?? .max, board.rows(terms.parameters))
    do throws(StoreError) {
      let (rows, row, before) = try await store.read(deadlineMilliseconds: BoardLimits.deadlineMilliseconds) { view in
        let rows = try view.rows(of: list, limit: count)
        guard let player, let row = try view.row(of: PlayerID(game: game, player: player), at: nil, in: list) else {
          return (rows, BoardRow?.none, 0)
        }
        return (rows, row, try view.rows(before: row, in: list, max: BoardLimits.exactRankMax))
      }
      var shown = LeaderboardPage(board: board, per: board.per.isEmpty ? nil : place.per, rows: rows)
      guard let row else { return shown }
      var standing = LeaderboardRank(row: row)
      if before < BoardLimits.exactRankMax {
        standing.rank = before + 1
      } else {
        let above = try await histograms.histogram(of: list, now: host).above(row.score)
        standing.rankAtLeast = max(above, Int64(BoardLimits.exactRankMax)) + 1
      }
      shown.standing = standing
      return shown
    } catch { throw .store(error) }
  }

  private func terms(_ player: String?, _ game: GameSnapshot, host: Instant) async throws(ChangeRefusal) -> PlayerTerms {
    if let player {
      return try await view(PlayerID(game: game.game, player: player), host: host).terms
    }
    let rules = game.table.playerRules
    let now = game.clock.now(host: host)
    let caller = Caller(locales: rules.locales(for: nil), now: now)
    return PlayerTerms(rules: rules, player: "", parameters: CallerLookup(table: game.table, caller: caller), now: now)
  }
}
