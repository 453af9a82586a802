// The newly unlocked things, as they are reported: by id, with names in the player's language.

/// Things that were newly unlocked; the names are those of the moment, so that a repeat is sent the same.
public struct Unlocks: Sendable, Hashable {
  /// One of them.
  public struct Item: Sendable, Hashable {
    /// Its id.
    public var id: String
    /// Its name; nil where the catalog gives it none.
    public var name: String?

    /// A thing of that name.
    public init(_ id: String, _ name: String? = nil) {
      self.id = id
      self.name = name
    }
  }

  /// The milestones that are no achievements, in the order they unlocked.
  public var milestones: [Item]
  /// The achievements, in the order they unlocked.
  public var achievements: [Item]
  /// The themes, in the catalog's order.
  public var themes: [Item]

  /// The unlocked things; default none.
  public init(milestones: [Item] = [], achievements: [Item] = [], themes: [Item] = []) {
    self.milestones = milestones
    self.achievements = achievements
    self.themes = themes
  }

  /// True if nothing was.
  public var isEmpty: Bool { milestones.isEmpty && achievements.isEmpty && themes.isEmpty }
}

extension PlayerTerms {
  /// The report of milestones that have just unlocked, with the themes that come with them.
  func unlocks(by milestones: [String]) -> Unlocks {
    if milestones.isEmpty { return Unlocks() }
    var unlocks = Unlocks()
    for id in milestones {
      let milestone = rules.milestone(id)
      let item = Unlocks.Item(id, milestone?.name.first(in: locales))
      if milestone?.isAchievement == true { unlocks.achievements.append(item) } else { unlocks.milestones.append(item) }
    }
    unlocks.themes = named { theme in
      guard case .milestone(let id) = theme.unlock else { return false }
      return milestones.contains(id)
    }
    return unlocks
  }

  /// The themes of which that is so, by name.
  private func named(_ isMeant: (Theme) -> Bool) -> [Unlocks.Item] {
    catalog.themes.filter(isMeant).map { Unlocks.Item($0.id, $0.name.first(in: locales)) }
  }

  /// Themes by name, in the catalog's order.
  public func named(themes ids: Set<String>) -> [Unlocks.Item] { named { ids.contains($0.id) } }
}

extension LocalizedText {
  /// The text in the first of these languages that there is, else any.
  public func first(in locales: [String]) -> String? {
    locales.lazy.compactMap { self[$0] }.first ?? self.min { $0.key < $1.key }?.value
  }
}
