// A player's progress: the milestones that are unlocked, and the themes that the player may choose.

/// A player's progress towards a milestone: the counter's value, the value to reach, and the instant at which it was reached.
public struct MilestoneProgress: Sendable, Hashable {
  /// The catalog's declaration. Its threshold may name a parameter, which ``target`` resolves.
  public var milestone: Milestone
  /// The player's value of the counter that the milestone compares with its threshold.
  public var value: Int64
  /// The value of the counter at which the milestone unlocks, resolved for the player; nil if the threshold's parameter has no whole number
  /// as value.
  public var target: Int64?
  /// The instant at which the milestone was unlocked; nil until a change of the player unlocks it.
  public var unlockedAt: Instant?
  /// True if the counter is at or above the threshold now and the milestone is enabled. The milestone may not have been recorded as
  /// unlocked yet.
  public var isMet = false

  /// True if the milestone is unlocked. A milestone with ``unlockedAt`` stays unlocked if the threshold is later raised.
  public var isUnlocked: Bool { unlockedAt != nil || isMet }
}

/// The availability of a theme for a player, and the progress towards it.
public struct ThemeAvailability: Sendable, Hashable {
  /// The catalog's declaration, with the condition that unlocks the theme.
  public var theme: Theme
  /// True if the player may choose the theme.
  public var isUnlocked: Bool
  /// True if the theme is unlocked only because it is the game's default theme (``Theme/defaultKey``).
  public var isByDefault = false
  /// The progress towards the milestone that unlocks the theme; nil if the theme is not unlocked by a milestone.
  public var milestone: MilestoneProgress?
}

extension PlayerState {
  /// Returns the player's progress towards a milestone.
  public func standing(of milestone: Milestone, under terms: PlayerTerms) -> MilestoneProgress {
    MilestoneProgress(
      milestone: milestone, value: counted(milestone.metric, terms), target: milestone.threshold.resolved(terms.parameters),
      unlockedAt: milestones[milestone.id], isMet: isMet(milestone, terms))
  }

  /// Returns the availability of a theme for the player, with the progress towards its milestone.
  public func standing(of theme: Theme, under terms: PlayerTerms) -> ThemeAvailability {
    let isOwn = isUnlocked(theme.unlock, under: terms)
    let isDefault = !isOwn && Self.defaultTheme(under: terms) == theme.id
    var milestone: MilestoneProgress?
    if case .milestone(let id) = theme.unlock {
      milestone = terms.rules.milestone(id).map { standing(of: $0, under: terms) }
    }
    return ThemeAvailability(theme: theme, isUnlocked: isOwn || isDefault, isByDefault: isDefault, milestone: milestone)
  }

  /// Returns the ids of the themes that the player may choose.
  public func unlockedThemes(under terms: PlayerTerms) -> Set<String> {
    let standard = Self.defaultTheme(under: terms)
    return Set(terms.catalog.themes.lazy.filter { $0.id == standard || isUnlocked($0.unlock, under: terms) }.map(\.id))
  }

  /// Returns the id of the game's default theme, which a player who has not chosen a theme gets. It counts as unlocked for every player.
  private static func defaultTheme(under terms: PlayerTerms) -> String? {
    terms.parameters.value(ofParameter: Theme.defaultKey)?.stringValue
  }

  private func isUnlocked(_ unlock: Theme.Unlock, under terms: PlayerTerms) -> Bool {
    switch unlock {
    case .free: true
    // A milestone counts if its threshold is reached now, or if the milestone was unlocked earlier, even if the threshold was raised since.
    case .milestone(let id): milestones[id] != nil || terms.rules.milestone(id).map { isMet($0, terms) } ?? false
    case .entitlement(let name): terms.entitlements.held.contains(name)
    case .parameter(let key): terms.parameters.value(ofParameter: key) == .bool(true)
    }
  }

  /// Unlocks all milestones whose thresholds are reached, including those that depend on another milestone.
  /// - Returns: The milestones' ids, in the order in which they were unlocked.
  mutating func unlockMilestones(under terms: PlayerTerms) -> [String] {
    let rules = terms.rules
    var locked = rules.milestones(notIn: milestones)
    var unlocked: [String] = []
    // A milestone may depend on another, so the loop cycles through the list until a whole pass unlocks nothing (a fixed point). It is not
    // a closure, because capturing `self` would copy the state.
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
    // The parameter behind `enabled` is looked up last, because most milestones are not reached and then need no lookup.
    milestone.threshold.resolved(terms.parameters).map { counted(milestone.metric, terms) >= $0 } ?? false
      && milestone.enabled.isOn(terms.parameters)
  }

  /// Returns the milestone's id if its threshold is reached and it is enabled; else nil.
  /// - Parameter at: The milestone's index in the catalog.
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
  /// Returns the constant, or the player's value of the parameter; nil if that is not a whole number.
  func resolved(_ parameters: any ParameterLookup) -> Int64? {
    switch self {
    case .number(let number): number
    case .parameter(let key): parameters.value(ofParameter: key)?.losslessInteger
    }
  }
}
