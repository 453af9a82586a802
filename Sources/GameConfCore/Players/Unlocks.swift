// The newly unlocked milestones, achievements and themes, with display names in the player's language.

/// The milestones, achievements and themes that a change of a player newly unlocked. Their names are resolved at that moment and stored, so
/// that a repeated request gets the same response.
public struct Unlocks: Sendable, Hashable {
  /// An unlocked milestone, achievement or theme.
  public struct UnlockedItem: Sendable, Hashable {
    /// The id of the item in the catalog.
    public var id: String
    /// The display name in the player's language; nil if the catalog declares no name.
    public var name: String?

    /// Creates an item, by default without a display name.
    public init(_ id: String, _ name: String? = nil) {
      self.id = id
      self.name = name
    }
  }

  /// The newly unlocked milestones that are not achievements, in the order of unlocking.
  public var milestones: [UnlockedItem]
  /// The newly unlocked achievements, in the order of unlocking.
  public var achievements: [UnlockedItem]
  /// The themes that the milestones and achievements unlock, in the catalog's order.
  public var themes: [UnlockedItem]

  /// Creates a list of newly unlocked items, by default an empty one.
  public init(milestones: [UnlockedItem] = [], achievements: [UnlockedItem] = [], themes: [UnlockedItem] = []) {
    self.milestones = milestones
    self.achievements = achievements
    self.themes = themes
  }

  /// True if the change unlocked nothing.
  public var isEmpty: Bool { milestones.isEmpty && achievements.isEmpty && themes.isEmpty }
}

extension PlayerTerms {
  /// Returns newly unlocked milestones with their display names, and the themes that they unlock.
  func unlocks(by milestones: [String]) -> Unlocks {
    if milestones.isEmpty { return Unlocks() }
    var unlocks = Unlocks()
    for id in milestones {
      let milestone = rules.milestone(id)
      let item = Unlocks.UnlockedItem(id, milestone?.name.first(in: locales))
      if milestone?.isAchievement == true { unlocks.achievements.append(item) } else { unlocks.milestones.append(item) }
    }
    unlocks.themes = named { theme in
      guard case .milestone(let id) = theme.unlock else { return false }
      return milestones.contains(id)
    }
    return unlocks
  }

  /// Returns the themes that satisfy a predicate, with their display names.
  private func named(_ isMeant: (Theme) -> Bool) -> [Unlocks.UnlockedItem] {
    catalog.themes.filter(isMeant).map { Unlocks.UnlockedItem($0.id, $0.name.first(in: locales)) }
  }

  /// Returns the themes with these ids, with their display names, in the catalog's order.
  public func named(themes ids: Set<String>) -> [Unlocks.UnlockedItem] { named { ids.contains($0.id) } }
}

extension LocalizedText {
  /// Returns the text in the first of these languages that has a text, else the text of the alphabetically first locale.
  public func first(in locales: [String]) -> String? {
    locales.lazy.compactMap { self[$0] }.first ?? self.min { $0.key < $1.key }?.value
  }
}
