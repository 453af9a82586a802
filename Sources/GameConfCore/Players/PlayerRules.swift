// The catalog's rules about players, behind one reference and found by name: the permanent input of every decision.

/// A catalog as decisions about its players read it.
///
/// Made once for each catalog and shared from then on: a decision copies one reference instead of a whole catalog, and searches no lists.
public final class PlayerRules: Sendable {
  /// The game's catalog.
  public let catalog: Catalog
  /// The grants of its products.
  public let grants: ProductGrants
  private let eventIndex: KeyIndex
  private let milestoneIndex: KeyIndex
  /// For each event, in the catalog's order, the positions of the placements that ask about it.
  private let placements: [[Int]]
  /// For each event, the positions of the leaderboards that its scores count on.
  private let boards: [[Int]]
  /// For each event, whether it keeps a best or counts on a leaderboard.
  private let isClaiming: [Bool]
  private let boardIndex: KeyIndex
  private let fallbackLocales: [String]
  /// The counts of bests that milestones need.
  public let bestCounts: [BestCount]

  /// The rules of a catalog.
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

  /// The game's locales in the order a caller should be answered in.
  /// - Parameter range: a BCP 47 tag as a caller gave it; nil gives the fallback alone.
  public func locales(for range: String?) -> [String] {
    range.map { LocaleLookup.order(for: $0, among: catalog.locales) } ?? fallbackLocales
  }

  /// The position of the event of that name in ``Catalog/events``.
  func event(named name: String) -> Int? { eventIndex.position(of: name) }

  /// The positions of the placements on the event at that position.
  func placements(onEvent at: Int) -> [Int] { placements[at] }

  /// True if the event at that position keeps a best or counts on a leaderboard.
  func claims(onEvent at: Int) -> Bool { isClaiming[at] }

  /// The positions of the leaderboards that scores of the event at that position count on.
  func boards(onEvent at: Int) -> [Int] { boards[at] }

  /// The leaderboard of that id.
  public func leaderboard(_ id: String) -> Leaderboard? { boardIndex.position(of: id).map { catalog.leaderboards[$0] } }

  /// The milestone of that id.
  func milestone(_ id: String) -> Milestone? { milestoneIndex.position(of: id).map { catalog.milestones[$0] } }

  /// The positions of the milestones that are not among these, in order.
  func milestones(notIn unlocked: [String: Instant]) -> [Int] {
    // What is unlocked is looked up here, not the other way round: this index hashes at a fraction of what a dictionary does.
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
