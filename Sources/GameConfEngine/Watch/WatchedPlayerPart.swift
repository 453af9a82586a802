// The parts of a player that a watcher receives besides values: themes, entitlements, ads.

public import GameConfCore

/// The parts of a player that a watcher receives besides values: themes, entitlements and ads.
public struct WatchedPlayerPart: Sendable, Hashable {
  /// The status of an ad placement for a player, without the parts that change with time.
  public struct WatchedAdStatus: Sendable, Hashable {
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
  /// The entitlements that the player holds at the instant of the view.
  public var held: [ActiveEntitlement]
  /// The products of the game, each with the fact whether the player owns it.
  public var purchased: [ProductOwnership]
  /// True if no placement may show an ad to the player.
  public var isAdFree: Bool
  /// The status of every ad placement of the game, in the catalog's order.
  public var ads: [WatchedAdStatus]

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
      return WatchedAdStatus(placement: placement.id, isOwed: counters?.isOwed ?? false, isForced: counters?.isForced ?? false)
    }
  }

  /// True if the entitlements, the ownership of products and the exemption from ads are equal.
  public func hasSameEntitlements(as other: WatchedPlayerPart) -> Bool {
    held == other.held && purchased == other.purchased && isAdFree == other.isAdFree
  }
}

extension GameSnapshot {
  /// The keys whose values unlock themes. A change of one may change the themes that watchers are sent.
  public var keysOfThemes: Set<String> {
    var keys: Set<String> = ["default_theme"]
    for milestone in catalog.milestones { if case .parameter(let key) = milestone.threshold { keys.insert(key) } }
    for theme in catalog.themes { if case .parameter(let key) = theme.unlock { keys.insert(key) } }
    return keys
  }
}
