// Changes of a player's state that are not events: scores set by an admin, the player's own settings, and the registered context.

/// New scores that an admin sets for a player; a member that is nil is not changed.
public struct ScoreChange: Sendable, Hashable {
  /// The new sum of all scores, not validated yet.
  public var lifetimeScore: Value?
  /// The new number of events with a score, not validated yet.
  public var gamesPlayed: Value?
  /// The new best scores by game mode, not validated yet. The best scores of modes without an entry do not change.
  public var bestScores: [String: Value]

  /// Creates a change of scores, by default one that changes nothing.
  public init(lifetimeScore: Value? = nil, gamesPlayed: Value? = nil, bestScores: [String: Value] = [:]) {
    self.lifetimeScore = lifetimeScore
    self.gamesPlayed = gamesPlayed
    self.bestScores = bestScores
  }
}

extension PlayerState {
  /// Sets scores and unlocks the milestones that they reach. Milestones that are already unlocked stay unlocked.
  /// - Returns: The ids of newly unlocked milestones, their display names, and the history entry.
  /// - Throws: `.scoreNotWhole`, `.scoreNegative`, `.unknownMode`, `.tooManyBestScores`.
  public mutating func change(
    _ change: ScoreChange, under terms: PlayerTerms
  ) throws(Refusal) -> (milestones: [String], unlocked: Unlocks, entry: HistoryEntry) {
    var state = self
    var details = ObjectValue()
    if let score = try change.lifetimeScore?.score(at: "/lifetime_score") {
      state.lifetimeScore = score
      details["lifetime_score"] = .integer(score)
    }
    if let games = try change.gamesPlayed?.score(at: "/games_played") {
      state.gamesPlayed = games
      details["games_played"] = .integer(games)
    }
    for (mode, value) in change.bestScores.sorted(by: { $0.key < $1.key }) {
      let place = "/best_scores/" + JSONPointer.escaped(mode)
      guard terms.catalog.modes.contains(mode) else {
        throw .unknownMode(mode, hint: NearestNames.hint(for: mode, among: terms.catalog.modes), at: place)
      }
      let score = try value.score(at: place)
      state.bestScores[mode] = score
      details["best_score.\(mode)"] = .integer(score)
    }
    var dropped: [Int64] = []
    if state.bestScores.count > PlayerLimits.bestScoresMax {
      // The player's best of all modes stays, also if its mode is dropped.
      dropped = state.bestScores.filter { !terms.catalog.modes.contains($0.key) }.map(\.value)
      state.bestScores = state.bestScores.filter { terms.catalog.modes.contains($0.key) }
      if state.bestScores.count > PlayerLimits.bestScoresMax { throw .tooManyBestScores }
    }
    if !change.bestScores.isEmpty { state.bestScore = (Array(state.bestScores.values) + dropped).max() }
    let milestones = state.unlockMilestones(under: terms)
    if !milestones.isEmpty { details["unlocked"] = .list(milestones.map(Value.string)) }
    let entry = state.note(.score, details, at: terms.now)
    self = state
    return (milestones, terms.unlocks(by: milestones), entry)
  }

  /// Stores the player's choice for a setting, or removes the choice if the value is nil. The caller has validated the value.
  /// - Returns: The history entry; nil if nothing changed.
  /// - Throws: `.settingsTooLarge`.
  public mutating func choose(_ value: Value?, for key: String, now: Instant) throws(Refusal) -> HistoryEntry? {
    if settings[key] == value { return nil }
    var chosen = settings
    chosen[key] = value
    if value != nil {
      let bytes = chosen.reduce(0) { $0 + $1.key.utf8.count + JSONWriter.bytes($1.value).count }
      guard bytes <= PlayerLimits.settingsBytesMax, chosen.count <= PlayerLimits.settingsMax else {
        throw .settingsTooLarge(bytes: bytes, count: chosen.count)
      }
    }
    settings = chosen
    return note(.setting, ["key": .string(key), "removed": .bool(value == nil)], at: now)
  }

  /// Replaces the player's registered context, which applies to requests that send no context.
  /// - Parameter player: The player's id, with which a `targetingKey` in the context must agree.
  /// - Returns: The history entry; nil if nothing changed.
  /// - Throws: `.contextTooLarge`, `.contextOfAnother`.
  public mutating func register(_ context: ObjectValue, of player: String, now: Instant) throws(Refusal) -> HistoryEntry? {
    var registered = context
    if let key = registered["targetingKey"] {
      guard key.isSame(as: player) else { throw .contextOfAnother(key.stringValue ?? "") }
      registered["targetingKey"] = nil
    }
    let bytes = JSONWriter.bytes(.object(registered)).count
    guard bytes <= PlayerLimits.contextBytesMax else { throw .contextTooLarge(bytes: bytes) }
    if registered == self.context { return nil }
    self.context = registered
    return note(.context, [:], at: now)
  }

  /// Returns the registered context merged with a request's context, whose attributes replace registered ones of the same name.
  public func context(under given: ObjectValue) -> ObjectValue {
    var merged = context
    for member in given.members { merged[member.name] = member.value }
    return merged
  }
}
