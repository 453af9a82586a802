// gameconfctl audit

import ArgumentParser
import GameConfAPI
import GameConfCore

struct AuditGroup: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "audit", abstract: "Show who changed what, when and why, and revert changes.",
    subcommands: [AuditListing.self, AuditFollow.self, AuditShow.self, AuditRevert.self])
}

/// The options that select entries of the audit log.
struct AuditFilter: ParsableArguments {
  @Option(help: ArgumentHelp("Only changes of this key; also by a catalog or a template.", valueName: "key"), completion: .keys)
  var key: String?
  @Option(help: ArgumentHelp("Only changes for this player.", valueName: "id"), completion: .players)
  var player: String?
  @Option(help: ArgumentHelp("Only changes by this user.", valueName: "name or uid"))
  var author: String?
  @Option(help: ArgumentHelp("Only changes since then, such as 2h, yesterday or 9:00.", valueName: "time"))
  var since: String?
  @Option(help: ArgumentHelp("Only changes before then, written the same way.", valueName: "time"))
  var until: String?

  @Flag(help: "Only your own changes.")
  var mine = false
  @Option(help: ArgumentHelp("Only changes of this session; “this” is the current one.", valueName: "name"))
  var session: String?

  func validate() throws {
    if mine, author != nil { throw ValidationError("--mine and --author both name the author; give one of them.") }
  }

  var namesAuthor: Bool { mine || author != nil || session != nil }
  /// True if the filter has no condition.
  var isEmpty: Bool { !namesAuthor && key == nil && player == nil && since == nil && until == nil }

  /// Returns the filter as the query of a request. A duration in the filter is subtracted from the time of the daemon's clock.
  func query(of console: Console, in game: String?) async throws(CtlFailure) -> [(String, String)] {
    let author = mine ? String(console.uid) : author
    let session = session == "this" ? console.daemon.session : session
    let key = await console.daemon.key(withAlias: key, in: game) ?? key
    var query = [("key", key), ("player", player), ("author", author), ("session", session)].compactMap { name, text in
      text.map { (name, $0) }
    }
    for (name, text) in [("since", since), ("until", until)] {
      if let text { query.append((name, try await console.daemon.time(text, "--" + name, side: .past).text)) }
    }
    return query
  }
}

/// The arguments that name one entry of the audit log. Its id is unique across games, so the game is optional.
struct AuditEntryArgument: ParsableArguments {
  @Argument(help: "The game; optional.", completion: .games) var game: String?
  @Argument(help: "The entry.") var id: Int64?

  func check() throws {
    guard id == nil, game.flatMap(Int64.init) == nil else { return }
    throw ValidationError((game.map { "“\($0)” is not an entry" } ?? "Name the entry") + ": “audit list” shows the ids.")
  }

  /// The game of a command line that names a game and no entry; nil if it names neither.
  /// - Throws: `ValidationError` if the command line names an entry.
  var gameAlone: String? {
    get throws {
      if let id { throw ValidationError("Name either line \(id) or the author of the changes.") }
      guard let game else { return nil }
      if Int64(game) != nil { throw ValidationError("Name either line \(game) or the author of the changes.") }
      return game
    }
  }

  /// The id of the named entry, and the game if one is named.
  private var named: (game: String?, id: Int64) { id.map { (game, $0) } ?? (nil, game.flatMap(Int64.init) ?? 0) }

  /// Reads the entry from the daemon. Returns it decoded, and as the JSON that arrived.
  func entry(_ daemon: DaemonClient) async throws(CtlFailure) -> (entry: AuditEntry, value: Value) {
    let (game, id) = named
    if let game {
      let reply = try await daemon.ask(Calls.auditEntry, ["game": game, "id": String(id)])
      return (reply.answer, reply.value)
    }
    // No call reads a single entry without its game. So the newest entry whose id is at most `id` is read. It is the wanted one, if that
    // exists.
    let query = [("before", String(id == .max ? id : id + 1)), ("limit", "1")]
    let reply = try await id > 0 ? daemon.ask(Calls.auditAll, query: query) : nil
    guard let reply, let entry = reply.answer.entries.first, entry.id == id, let value = reply.value["entries"]?.listValue?.first else {
      throw .problem(
        Problem(.unknownID, "The audit log has no line \(id); it may have been deleted. “gameconfctl audit list” shows the stored ones."))
    }
    return (entry, value)
  }

  /// Returns the entry's id and its game.
  /// - Throws: If the entry belongs to no game; such an entry cannot be reverted.
  func place(_ daemon: DaemonClient) async throws(CtlFailure) -> (game: String, id: Int64) {
    if let game = named.game { return (game, named.id) }
    let entry = try await entry(daemon).entry
    guard let game = entry.game else {
      throw .problem(Problem(.notRevertible, "Line \(entry.id) says \(entry.action) and belongs to no game; it cannot be reverted."))
    }
    return (game, entry.id)
  }
}
