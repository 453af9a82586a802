// The parts of a player that a watcher receives besides values: themes, entitlements, ads.

public import GameConfCore

/// The parts of a player that a watcher receives besides values: themes, entitlements and ads.
public struct WatchedPart: Sendable, Hashable {
  /// An ad placement's status, without the parts that change with time.
  public struct Ad: Sendable, Hashable {
    /// The id of the ad placement.
    public var placement: String
    /// True if an ad was due but could not be loaded, so that the next event may show it.
    public var isOwed: Bool
    /// True if an admin has requested the next ad.
    public var isForced: Bool
  }

  /// A theme, and whether the player may choose it.
  public struct WatchedTheme: Sendable, Hashable {
    /// The theme's id in the catalog.
    public var id: String
    /// True if the player may choose it.
    public var isUnlocked: Bool
  }

  /// All themes in the catalog's order, locked or not.
  public var themes: [WatchedTheme]
  /// The entitlements active at the view's instant.
  public var held: [ActiveEntitlement]
  /// The products, each with whether it counts as purchased.
  public var purchased: [ProductOwnership]
  /// True if no placement may show an ad to the player.
  public var isAdFree: Bool
  /// Every placement of the game.
  public var ads: [Ad]

  /// Computes the themes, entitlements and ads of a player at the view's instant.
  public init(_ view: PlayerView) {
    let terms = view.terms
    themes = view.game.catalog.themes.map {
      WatchedTheme(id: $0.id, isUnlocked: view.state.standing(of: $0, under: terms).isUnlocked)
    }
    let holdings = view.holdings
    (held, purchased, isAdFree) = (holdings.held, holdings.purchased, holdings.isAdFree)
    ads = view.game.catalog.placements.map { placement in
      let counters = try? view.state.adStatus(at: placement.id, under: terms).counters
      return Ad(placement: placement.id, isOwed: counters?.isOwed ?? false, isForced: counters?.isForced ?? false)
    }
  }

  /// Compares the entitlements, the products, and whether the player is free of ads.
  public func hasSameEntitlements(as other: WatchedPart) -> Bool {
    held == other.held && purchased == other.purchased && isAdFree == other.isAdFree
  }
}

extension GameSnapshot {
  /// The keys that unlock themes: a change of one may change a player's part.
  public var keysOfThemes: Set<String> {
    var keys: Set<String> = ["default_theme"]
    for milestone in catalog.milestones { if case .parameter(let key) = milestone.threshold { keys.insert(key) } }
    for theme in catalog.themes { if case .parameter(let key) = theme.unlock { keys.insert(key) } }
    return keys
  }
}
