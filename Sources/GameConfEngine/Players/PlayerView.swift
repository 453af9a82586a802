// A player as things stand at an instant: what every read and every decision is made from.
public import GameConfCore

/// One player of one game at one instant; a pure value of what the store has, the game, and the host's time.
public struct PlayerView {
  /// Who.
  public let id: PlayerID
  /// The game as it stands.
  public let game: GameSnapshot
  /// What the store has.
  public let stored: StoredPlayer
  /// The player's simulated time: the game's, and the player's offset on it.
  public let now: Instant
  /// What the player has done and chosen; of one nothing is known of, a fresh one's.
  public let state: PlayerState
  /// The player's purchases with everything that is due by now.
  public let ledger: Ledger
  /// What they grant.
  public let entitlements: HeldEntitlements
  /// On whose behalf parameters are resolved: with the player's overrides, the settings that are in force, and the themes that are unlocked.
  /// A context of the call stands over the registered one, attribute by attribute.
  public let caller: Caller
  /// The settings that are stored and not in force, and why.
  public let skipped: [SkippedSetting]
  /// What changes of the player are decided under: parameters as resolved for ``caller``.
  public let terms: PlayerTerms

  /// A player at an instant.
  /// - Parameters:
  ///   - host: the host's time.
  ///   - context: what the call says of the caller.
  public init(_ stored: StoredPlayer, _ id: PlayerID, of game: GameSnapshot, host: Instant, context: ObjectValue? = nil) {
    let now = stored.clock.now(game: game.clock.now(host: host))
    let state = stored.state ?? PlayerState(createdAt: now)
    self.id = id
    self.game = game
    self.stored = stored
    self.now = now
    self.state = state
    if let ledger = stored.ledger {
      self.ledger = ledger.settled(at: now)
      entitlements = HeldEntitlements(of: self.ledger, at: now, catalog: game.catalog)
    } else {
      ledger = Ledger(game: id.game, player: id.player)
      entitlements = HeldEntitlements()
    }
    let merged = context.map { state.context(under: $0) } ?? state.context
    let locale = merged["locale"]?.stringValue
    let caller = Caller(
      player: id.player, context: merged, locales: locale == "*" ? [] : LocaleLookup.order(for: locale, among: game.catalog.locales),
      now: now, overrides: game.overrides.player(id.player).values)
    (self.caller, skipped) = Self.settle(caller, of: state, under: entitlements, game)
    terms = Self.terms(of: self.caller, id, entitlements, game)
  }

  /// The caller with the settings that are in force. Which themes are unlocked may hang on other settings, so those are settled first.
  private static func settle(
    _ caller: Caller, of state: PlayerState, under entitlements: HeldEntitlements, _ game: GameSnapshot
  ) -> (Caller, [SkippedSetting]) {
    let id = PlayerID(game: game.game, player: caller.player ?? "")
    var caller = caller
    let ofThemes = state.settings.filter { game.table.entry($0.key)?.parameter.oneOf == .unlockedThemes }
    var skipped: [SkippedSetting] = []
    if state.settings.count > ofThemes.count {
      caller.settings = state.settings.filter { ofThemes[$0.key] == nil }
      (caller.settings, skipped) = game.table.effectiveSettings(of: caller)
    }
    caller.unlockedThemes = state.unlockedThemes(under: terms(of: caller, id, entitlements, game))
    if !ofThemes.isEmpty {
      caller.settings = state.settings
      (caller.settings, skipped) = game.table.effectiveSettings(of: caller)
    }
    return (caller, skipped)
  }

  private static func terms(
    of caller: Caller, _ id: PlayerID, _ entitlements: HeldEntitlements, _ game: GameSnapshot
  ) -> PlayerTerms {
    PlayerTerms(
      catalog: game.catalog, player: id.player, parameters: CallerLookup(table: game.table, caller: caller), entitlements: entitlements,
      now: caller.now)
  }
}
