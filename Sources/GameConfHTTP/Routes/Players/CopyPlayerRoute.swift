// The route that copies a player's state from another player or from rows in a file.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct CopyPlayerRoute {
  let services: DaemonServices

  func callAsFunction(_ call: CallContext<CopyPlayerRequest>) throws(Problem) -> TypedReply<CopyPlayerAnswer> {
    let (id, body) = (try call.request.playerID(), call.body)
    let source = try RequestCaller.player(body.from, pointer: "/from")
    return .task { () async throws(Problem) in
      let content = try await content(body, source, of: id, call.request.served.world)
      let reply: TypedReply<CopyPlayerAnswer> = try call.changingPlayer(
        .copy(content, from: source), services, reason: body.reason,
        answer: { changed, _, change in
          let copied = changed.outcome
          return CopyPlayerAnswer(
            playerRevision: changed.player.revision, removed: copied.removed.counts,
            copied: [
              "history": Int64(copied.historyEntries), "settings": Int64(copied.settings), "transactions": Int64(copied.transactions),
            ].filter { $0.value > 0 }, isDryRun: change.isDryRun)
        })
      return try await reply.value
    }
  }

  private func content(
    _ body: CopyPlayerRequest, _ source: String?, of id: PlayerID, _ world: World
  ) async throws(Problem) -> PlayerContent {
    if let rows = body.rows { return try PlayerRowsReader.content(rows, for: id) }
    guard let source else { return try PlayerRowsReader.content(ObjectValue(), for: id) }
    let rows: ObjectValue
    do throws(ChangeRefusal) {
      rows = try await services.players.storedRows(of: PlayerID(game: id.game, player: source))
    } catch { throw Problem(error) }
    if !rows.isEmpty { return try PlayerRowsReader.content(rows, for: id) }
    // The source player has overrides but no other state. The copy is empty, and the caller imports the overrides.
    if world[id.game]?.overrides.player(source).slots.isEmpty == false { return PlayerContent() }
    throw Problem(.unknownID, "Player “\(source)” is unknown in \(id.game), so there is nothing to copy.", pointer: "/from")
  }
}

/// Parses a player's database rows in the form in which `GET …/players/{player}/rows` answers them.
enum PlayerRowsReader {
  /// The maximum size of the rows in bytes. It is large enough for a full history and a full ledger.
  static let bytesMax = 8 << 20
  /// The maximum number of history lines in a player's rows: the newest lines, and those that are stored for each event.
  private static let linesMax = PlayerLimits.historyEntriesMax + PlayerLimits.eventChainsMax * Int(EventDefinition.historyMax)

  /// - Parameter id: The player to whom the rows are copied.
  static func content(_ rows: ObjectValue, for id: PlayerID) throws(Problem) -> PlayerContent {
    var content = PlayerContent()
    guard let player = rows["players"]?.listValue?.first else { throw fault("/rows/players", "The body has no row of a player.") }
    guard player["game"]?.stringValue == id.game else { throw fault("/rows/players/0/game", "The rows are not of \(id.game).") }
    content.clock = PlayerClock(offsetMilliseconds: player["offset_ms"]?.integerValue ?? 0)
    if let state = try json(player["state"], at: "/rows/players/0/state") {
      do throws(Fault) { content.state = try PlayerState(decoding: state) } catch {
        throw fault("/rows/players/0/state", error.message)
      }
    }
    if let ledger = try json(rows["ledgers"]?.listValue?.first?["ledger"], at: "/rows/ledgers/0/ledger") {
      do throws(Fault) { content.ledger = try Ledger(decoding: ledger, for: id.player) } catch {
        throw fault("/rows/ledgers/0/ledger" + error.pointer, error.message)
      }
      guard content.ledger?.game == id.game else { throw fault("/rows/ledgers/0/ledger/game", "The purchases are not of \(id.game).") }
    }
    content.lines = try lines(rows, newest: content.state?.entries ?? 0)
    return content
  }

  /// Returns the lines of the history, oldest first. Throws if a line's number occurs twice, or exceeds `newest`, the number of the newest
  /// line by the player's state.
  private static func lines(_ rows: ObjectValue, newest: Int64) throws(Problem) -> [HistoryEntry] {
    var lines: [HistoryEntry] = []
    for (at, row) in (rows["player_lines"]?.listValue ?? []).enumerated() {
      let place = "/rows/player_lines/\(at)"
      guard let number = row["entry"]?.integerValue, let line = try json(row["line"], at: place + "/line") else {
        throw fault(place, "A line of history has a number and what happened.")
      }
      do throws(Fault) { lines.append(try HistoryEntry(number: number, decoding: line)) } catch {
        throw fault(place + "/line", error.message)
      }
    }
    lines.sort { $0.number < $1.number }
    let numbers = lines.map(\.number)
    guard numbers.count <= linesMax, Set(numbers).count == numbers.count, numbers.last ?? 0 <= newest,
      numbers.first ?? 1 > 0
    else { throw fault("/rows/player_lines", "The lines of history do not fit the player: at most \(newest), each number once.") }
    return lines
  }

  /// Returns the JSON in a column of a row; nil if the column is empty.
  private static func json(_ cell: Value?, at pointer: String) throws(Problem) -> Value? {
    guard let cell, cell != .null else { return nil }
    guard let text = cell.stringValue else { throw fault(pointer, "This must be JSON, as a text.") }
    do throws(JSONError) { return try JSONReader.value(from: Array(text.utf8)) } catch { throw fault(pointer, error.message) }
  }

  private static func fault(_ pointer: String, _ message: String) -> Problem { Problem(.malformedRequest, message, pointer: pointer) }
}
