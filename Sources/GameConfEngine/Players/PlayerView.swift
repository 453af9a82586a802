// A player at an instant, from which all reads and decisions are computed.
public import GameConfCore
public import GameConfStorage

/// One player of one game at one instant; a pure function of the stored player, the game, and the host's time.
public struct PlayerView {
  /// The player's game and id.
  public let id: PlayerID
  /// The snapshot of the game in which the player is evaluated.
  public let game: GameSnapshot
  /// The player's row as read from the cache or the store.
  public let stored: StoredPlayer
  /// The player's simulated time: the game's time plus the player's offset.
  public let now: Instant
  /// The player's state; for an unknown player, a new one.
  public let state: PlayerState
  /// The player's purchases, with all events that are due by ``now``, such as renewals.
  public let ledger: Ledger
  /// The entitlements that ``ledger`` grants; empty for a player without a stored ledger.
  public let entitlements: EntitlementHistory
  /// The player's stored settings that are not in force, each with the reason.
  public let skipped: [SkippedSetting]
  private let parameters: CallerLookup
  private let host: Instant
  /// The themes that the player has unlocked; nil if the player has chosen no theme. A chosen theme is in force only if it is unlocked.
  private let themesOfChoice: Set<String>?

  /// Creates the view of a player.
  /// - Parameters:
  ///   - host: The host's time.
  ///   - context: The attributes of the call, which replace the player's registered ones of the same name; nil if the call has no context.
  ///   - budget: The number of steps for all rules of the player together; nil limits only each single expression.
  public init(
    _ stored: StoredPlayer, _ id: PlayerID, of game: GameSnapshot, host: Instant, context: ObjectValue? = nil,
    budget: EvaluationBudget? = nil
  ) {
    let rules = game.table.playerRules
    let now = stored.clock.now(game: game.clock.now(host: host))
    let state = stored.state ?? PlayerState(createdAt: now)
    self.id = id
    self.game = game
    self.stored = stored
    self.now = now
    self.host = host
    self.state = state
    if let ledger = stored.ledger {
      self.ledger = SettledLedgerCache.shared.settled(ledger, of: id, at: now)
      entitlements = EntitlementHistory(of: self.ledger, at: now, rules)
    } else {
      ledger = Ledger(game: id.game, player: id.player)
      entitlements = EntitlementHistory()
    }
    let merged = context.map { state.context(under: $0) } ?? state.context
    let locale = merged["locale"]?.stringValue
    var caller = Caller(
      player: id.player, context: merged, locales: locale == "*" ? [] : rules.locales(for: locale), now: now,
      overrides: game.overrides.player(id.player).values)
    caller.budget = budget
    (parameters, skipped, themesOfChoice) = Self.settle(caller, of: stored, under: entitlements, game, host: host)
  }

  /// Returns the caller with the settings in force. Unlocked themes may depend on other settings, so settings of themes are decided last.
  private static func settle(
    _ caller: Caller, of stored: StoredPlayer, under entitlements: EntitlementHistory, _ game: GameSnapshot, host: Instant
  ) -> (CallerLookup, [SkippedSetting], Set<String>?) {
    guard let state = stored.state, !state.settings.isEmpty else { return (CallerLookup(table: game.table, caller: caller), [], nil) }
    var caller = caller
    let ofThemes = state.settings.filter { game.table.entry($0.key)?.parameter.oneOf == .unlockedThemes }
    var skipped: [SkippedSetting] = []
    if state.settings.count > ofThemes.count {
      caller.settings = state.settings.filter { ofThemes[$0.key] == nil }
      (caller.settings, skipped) = game.table.effectiveSettings(of: caller)
    }
    var themes: Set<String>?
    if !ofThemes.isEmpty {
      let lookup = CallerLookup(table: game.table, caller: caller)
      themes = state.unlockedThemes(under: terms(lookup, entitlements, stored, game, host: host))
      caller.settings = state.settings
      (caller.settings, skipped) = game.table.effectiveSettings(of: caller, unlockedThemes: themes)
    }
    return (CallerLookup(table: game.table, caller: caller), skipped, themes)
  }

  private static func terms(
    _ parameters: CallerLookup, _ entitlements: EntitlementHistory, _ stored: StoredPlayer, _ game: GameSnapshot, host: Instant
  ) -> PlayerTerms {
    var terms = PlayerTerms(
      rules: game.table.playerRules, player: parameters.caller.player ?? "", parameters: parameters, entitlements: entitlements,
      now: parameters.caller.now, host: host, locales: parameters.caller.locales)
    terms.bestCounts = stored.place?.bestCounts ?? [:]
    return terms
  }
}

extension PlayerView {
  /// The caller for whom parameters are resolved: with the player's overrides and the settings in force.
  /// Attributes of the call's context replace registered ones of the same name.
  public var caller: Caller { parameters.caller }

  /// The inputs of decisions about changes of the player, with parameters as resolved for ``caller``.
  public var terms: PlayerTerms {
    var terms = Self.terms(parameters, entitlements, stored, game, host: host)
    // The closure captures two members. The whole view, if captured, would be copied for each decision.
    terms.valueSince = { [game, parameters] in Self.valueSince($0, for: parameters.caller, in: game) }
    terms.heldAt = { [ledger, grants = game.table.playerRules.grants] in ledger.held(at: $0, grants) }
    return terms
  }

  /// Returns the host's instant since which a parameter has its present value; nil if a rule, a setting or the catalog provides it.
  private static func valueSince(_ key: String, for caller: Caller, in game: GameSnapshot) -> Instant? {
    guard let resolution = game.table.resolve(key, for: caller) else { return nil }
    let override: OverrideRecord?
    switch resolution.layer {
    case .playerOverride: override = caller.player.flatMap { game.overrides.player($0).slots[key]?.inForce }
    case .gameOverride: override = game.overrides.game[key]?.inForce
    case .remote where resolution.reason == .static: return game.template?.since
    default: return nil
    }
    return override.map { record in max(record.at, record.window.flatMap { game.host(at: $0.from) } ?? record.at) }
  }

  /// The themes that the player may choose.
  public var unlockedThemes: Set<String> { themesOfChoice ?? state.unlockedThemes(under: terms) }
}
