// The progress of a player: milestones by what was counted, and themes by what unlocks them.

/// The progress of a player towards a milestone.
public struct MilestoneProgress: Sendable, Hashable {
  /// The milestone.
  public var milestone: Milestone
  /// The counted value.
  public var value: Int64
  /// The value that is needed, as resolved for the player; nil when that cannot be resolved.
  public var target: Int64?
  /// The instant when it was unlocked; nil while it is not.
  public var unlockedAt: Instant?
  /// True if it is reached now, whether or not an event has announced it.
  public var isMet = false

  /// True if it is unlocked; earned is kept, also when `target` has risen above `value`.
  public var isUnlocked: Bool { unlockedAt != nil || isMet }
}

/// The availability of a theme for a player, and what it takes.
public struct ThemeAvailability: Sendable, Hashable {
  /// The theme.
  public var theme: Theme
  /// True if it is unlocked.
  public var isUnlocked: Bool
  /// True if it is unlocked only while it is the game's ``Theme/defaultKey``.
  public var isByDefault = false
  /// The milestone that unlocks it; nil for every theme that is unlocked otherwise.
  public var milestone: MilestoneProgress?
}

extension PlayerState {
  /// The progress of the player towards a milestone.
  public func standing(of milestone: Milestone, under terms: PlayerTerms) -> MilestoneProgress {
    MilestoneProgress(
      milestone: milestone, value: counted(milestone.metric, terms), target: milestone.threshold.resolved(terms.parameters),
      unlockedAt: milestones[milestone.id], isMet: isMet(milestone, terms))
  }

  /// The availability of a theme for the player.
  public func standing(of theme: Theme, under terms: PlayerTerms) -> ThemeAvailability {
    let isOwn = isUnlocked(theme.unlock, under: terms)
    let isDefault = !isOwn && Self.defaultTheme(under: terms) == theme.id
    var milestone: MilestoneProgress?
    if case .milestone(let id) = theme.unlock {
      milestone = terms.rules.milestone(id).map { standing(of: $0, under: terms) }
    }
    return ThemeAvailability(theme: theme, isUnlocked: isOwn || isDefault, isByDefault: isDefault, milestone: milestone)
  }

  /// The themes the player may choose.
  public func unlockedThemes(under terms: PlayerTerms) -> Set<String> {
    let standard = Self.defaultTheme(under: terms)
    return Set(terms.catalog.themes.lazy.filter { $0.id == standard || isUnlocked($0.unlock, under: terms) }.map(\.id))
  }

  /// The theme of whoever has chosen none: unlocked for everybody while it is that.
  private static func defaultTheme(under terms: PlayerTerms) -> String? {
    terms.parameters.value(ofParameter: Theme.defaultKey)?.stringValue
  }

  private func isUnlocked(_ unlock: Theme.Unlock, under terms: PlayerTerms) -> Bool {
    switch unlock {
    case .free: true
    // While the threshold is met, and for good once a recorded event met it.
    case .milestone(let id): milestones[id] != nil || terms.rules.milestone(id).map { isMet($0, terms) } ?? false
    case .entitlement(let name): terms.entitlements.held.contains(name)
    case .parameter(let key): terms.parameters.value(ofParameter: key) == .bool(true)
    }
  }

  /// Unlocks every milestone that is reached, until nothing new unlocks.
  /// - Returns: the ids, in the order they unlocked.
  mutating func unlockMilestones(under terms: PlayerTerms) -> [String] {
    let rules = terms.rules
    var locked = rules.milestones(notIn: milestones)
    var unlocked: [String] = []
    // Round and round, since one may wait on another, until a whole round unlocks nothing. Not in a closure: that copies the whole state.
    var (place, missed) = (0, 0)
    while missed < locked.count {
      if place == locked.count { place = 0 }
      if let id = reached(locked[place], terms) {
        milestones[id] = terms.now
        unlocked.append(id)
        locked.remove(at: place)
        missed = 0
      } else {
        place += 1
        missed += 1
      }
    }
    if !unlocked.isEmpty, milestones.count > PlayerLimits.milestonesMax {
      let known = Set(rules.catalog.milestones.map(\.id))
      milestones = milestones.filter { known.contains($0.key) }
    }
    return unlocked
  }

  private func isMet(_ milestone: Milestone, _ terms: PlayerTerms) -> Bool {
    // The switch comes last, since most milestones are not reached.
    milestone.threshold.resolved(terms.parameters).map { counted(milestone.metric, terms) >= $0 } ?? false
      && milestone.enabled.isOn(terms.parameters)
  }

  /// The id of the milestone at that position, when it is reached.
  private func reached(_ at: Int, _ terms: PlayerTerms) -> String? {
    isMet(terms.catalog.milestones[at], terms) ? terms.catalog.milestones[at].id : nil
  }

  private func counted(_ metric: Milestone.Metric, _ terms: PlayerTerms) -> Int64 {
    switch metric {
    case .lifetimeScore: lifetimeScore
    case .gamesPlayed: gamesPlayed
    case .events(let name): eventCounts[name] ?? 0
    case .bestScore(let mode): bestScores[mode] ?? 0
    case .unlocked(let other): milestones[other] == nil ? 0 : 1
    case .bests(let count): terms.bestCounts[count] ?? 0
    }
  }
}

extension Milestone.Threshold {
  /// The number, or the parameter's value for the player.
  func resolved(_ parameters: any ParameterLookup) -> Int64? {
    switch self {
    case .number(let number): number
    case .parameter(let key): parameters.value(ofParameter: key)?.losslessInteger
    }
  }
}
