// A catalog with lookup tables for the decisions about players.

/// A catalog with indexes by name, for the decisions about a player's events, ads and milestones.
///
/// It is built once for each catalog and then shared. A decision copies one reference instead of a whole catalog and needs no linear
/// search.
public final class PlayerRules: Sendable {
  /// The catalog that the indexes refer to.
  public let catalog: Catalog
  /// The entitlements that each product of the catalog grants.
  public let grants: ProductGrants
  private let eventIndex: KeyIndex
  private let milestoneIndex: KeyIndex
  /// For each event type, in the catalog's order, the indices of the placements that it triggers.
  private let placements: [[Int]]
  /// For each event type, in the catalog's order, the indices of the leaderboards that rank its scores.
  private let boards: [[Int]]
  /// For each event type, in the catalog's order, true if it has bests or leaderboards.
  private let isClaiming: [Bool]
  private let boardIndex: KeyIndex
  private let fallbackLocales: [String]
  /// The distinct selections of bests that the milestones count. Each selection is in the list once, so that its bests are counted once for
  /// all milestones.
  public let bestCounts: [BestCount]

  /// Builds all indexes of a catalog. The catalog must be valid, which this initializer does not check.
  public init(_ catalog: Catalog) {
    self.catalog = catalog
    grants = ProductGrants(catalog)
    eventIndex = KeyIndex(catalog.events.map(\.name))
    milestoneIndex = KeyIndex(catalog.milestones.map(\.id))
    placements = catalog.events.map { event in catalog.placements.indices.filter { catalog.placements[$0].event == event.name } }
    let boards = catalog.events.map { event in catalog.leaderboards.indices.filter { catalog.leaderboards[$0].event == event.name } }
    self.boards = boards
    isClaiming = zip(catalog.events, boards).map { !$0.isAnalytics && (!$0.bestBy.isEmpty || !$1.isEmpty) }
    boardIndex = KeyIndex(catalog.leaderboards.map(\.id))
    var counts: [BestCount] = []
    for case .bests(let count) in catalog.milestones.map(\.metric) where !counts.contains(count) { counts.append(count) }
    bestCounts = counts
    fallbackLocales = LocaleLookup.order(for: nil, among: catalog.locales)
  }

  /// Returns the game's locales in the order in which a caller prefers them.
  /// - Parameter range: The caller's language as a BCP 47 tag; nil returns only the first of the game's locales.
  public func locales(for range: String?) -> [String] {
    range.map { LocaleLookup.order(for: $0, among: catalog.locales) } ?? fallbackLocales
  }

  /// Returns the index of an event type in ``Catalog/events``; nil if the catalog does not declare it.
  func event(named name: String) -> Int? { eventIndex.position(of: name) }

  /// Returns the indices in the catalog of the placements that an event type triggers.
  func placements(onEvent at: Int) -> [Int] { placements[at] }

  /// True if the event type has bests or leaderboards, so that the store must compare an event's score with stored scores.
  func claims(onEvent at: Int) -> Bool { isClaiming[at] }

  /// Returns the indices in the catalog of the leaderboards that rank an event type's scores.
  func boards(onEvent at: Int) -> [Int] { boards[at] }

  /// Returns the leaderboard with this id; nil if the catalog declares no such board.
  public func leaderboard(_ id: String) -> Leaderboard? { boardIndex.position(of: id).map { catalog.leaderboards[$0] } }

  func milestone(_ id: String) -> Milestone? { milestoneIndex.position(of: id).map { catalog.milestones[$0] } }

  /// Returns the indices in the catalog of the milestones that are not in `unlocked`, in ascending order.
  func milestones(notIn unlocked: [String: Instant]) -> [Int] {
    // Looking up the unlocked ids in the index is much faster than looking up every milestone in the dictionary.
    var isLocked = [Bool](repeating: true, count: catalog.milestones.count)
    var count = isLocked.count
    for id in unlocked.keys {
      guard let at = milestoneIndex.position(of: id) else { continue }
      isLocked[at] = false
      count -= 1
    }
    var locked: [Int] = []
    locked.reserveCapacity(count)
    for at in isLocked.indices where isLocked[at] { locked.append(at) }
    return locked
  }
}
