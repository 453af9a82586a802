// Lists what is forced.
public import GameConfCore

/// Lists the overrides of a game, those in quarantine among them.
public struct ListOverrides: Sendable {
  private let store: any Store

  /// A use case on a store.
  public init(store: any Store) { self.store = store }

  /// What is forced, by slot, and the game's revision at which it is so.
  ///
  /// A game has at most 20 000 overrides of players; all of them may be a long list, for which a longer deadline is allowed.
  public func callAsFunction(_ selection: OverrideSelection, in game: String) async throws(StoreError) -> (
    overrides: [KeyOverrides], revision: Int64
  ) {
    let found = try await store.read(deadlineMilliseconds: Self.deadlineMilliseconds) { view in
      Found(overrides: try view.overrides(in: game, selection), revision: try view.revision(of: game))
    }
    return (found.overrides, found.revision)
  }

  /// What is forced at one slot, and the revision that last changed it; nil where nothing ever did.
  public func callAsFunction(at slot: OverrideSlot) async throws(StoreError) -> (overrides: KeyOverrides, revision: Int64?) {
    let found = try await store.read { view in FoundSlot(overrides: try view.overrides(at: slot), revision: try view.revision(at: slot)) }
    return (found.overrides, found.revision)
  }

  private static let deadlineMilliseconds = 5_000

  private struct Found: Sendable {
    var overrides: [KeyOverrides]
    var revision: Int64
  }

  private struct FoundSlot: Sendable {
    var overrides: KeyOverrides
    var revision: Int64?
  }
}
