// Reads that need what is kept of a player: from memory on the event loop, else by one indexed read.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

/// A caller with what is kept of the player.
struct ResolvedCaller {
  /// The caller as the resolver wants it.
  var caller: Caller
  /// What the player chose, in force or not.
  var settings: [String: Value] = [:]
  /// The settings that are not in force, and why.
  var skipped: [SkippedSetting] = []
  /// The player's revision; nil without a player, and when the store could not be asked.
  var playerRevision: UInt64?
  /// Why the store could not be asked; nil when it could, or did not have to be.
  var fault: Problem?

  /// The layers that could not be asked.
  var degraded: [String] { fault == nil ? [] : [Layer.setting.rawValue] }
}

/// Answers reads about players.
struct PlayerReads: Sendable {
  let recent: RecentPlayers
  let clock: any HostClock

  /// Answers for a caller; one without a player never waits for anything. When the store cannot be asked, the answer does without the
  /// player's settings and registered context.
  func reply(
    _ asked: RequestCaller, of game: GameSnapshot, _ answer: @escaping @Sendable (ResolvedCaller) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    guard let player = asked.caller.player else { return .now(try answer(ResolvedCaller(caller: asked.caller))) }
    let id = PlayerID(game: game.game, player: player)
    let host = clock.now
    if let known = recent.cached(id) { return .now(try answer(Self.resolved(asked, known, id, of: game, host: host))) }
    return .task { () async throws(Problem) in
      let known: StoredPlayer
      do throws(StoreError) {
        known = try await recent.read(id)
      } catch {
        return try answer(ResolvedCaller(caller: asked.caller, fault: Problem(error)))
      }
      return try answer(Self.resolved(asked, known, id, of: game, host: host))
    }
  }

  /// Answers about the player in the path; the store's trouble is the answer when it cannot be asked.
  func reply(
    to request: Request, _ answer: @escaping @Sendable (PlayerView) throws(Problem) -> Answer
  ) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = PlayerID(game: game.game, player: try request.pathPlayer())
    let context = try request.locale().map { ObjectValue([("locale", .string($0))]) }
    let host = clock.now
    if let known = recent.cached(id) { return .now(try answer(PlayerView(known, id, of: game, host: host, context: context))) }
    return .task { () async throws(Problem) in
      let known: StoredPlayer
      do throws(StoreError) { known = try await recent.read(id) } catch { throw Problem(error) }
      return try answer(PlayerView(known, id, of: game, host: host, context: context))
    }
  }

  private static func resolved(
    _ asked: RequestCaller, _ known: StoredPlayer, _ id: PlayerID, of game: GameSnapshot, host: Instant
  ) -> ResolvedCaller {
    let view = PlayerView(known, id, of: game, host: host, context: asked.caller.context)
    var caller = view.caller
    if asked.givesLocale { caller.locales = asked.caller.locales }
    return ResolvedCaller(
      caller: caller, settings: view.state.settings, skipped: view.skipped, playerRevision: UInt64(clamping: known.revision))
  }
}

extension Request {
  /// The language that `?locale=` asks for; nil when none is.
  func locale() throws(Problem) -> String? {
    guard let locale = query("locale") else { return nil }
    if LocaleTag.isWellFormed(locale) { return locale }
    throw .query(.malformedQueryParameter, "locale", "“\(locale)” is not a language tag such as fr or fr-CA.")
  }
}

extension PlayerView {
  /// The revisions that every answer about the player carries.
  func answer(_ wire: Value) -> Answer {
    .json(wire, revision: UInt64(clamping: game.revision), playerRevision: UInt64(clamping: stored.revision))
  }
}
