// Gives what is forced as rows that an import takes back.

/// Gives the overrides of a game as rows, by slot, those in quarantine left out.
public struct ExportOverrides: Sendable {
  private let list: ListOverrides

  /// A use case on a store.
  public init(store: any Store) { list = ListOverrides(store: store) }

  /// The rows, and the game's revision at which they are so.
  public func callAsFunction(_ selection: OverrideSelection, from game: String) async throws(StoreError) -> (
    rows: [OverrideRow], revision: Int64
  ) {
    let (overrides, revision) = try await list(selection, in: game)
    let rows = overrides.flatMap(\.records).filter { $0.quarantined == nil }.map { record in
      OverrideRow(
        player: record.slot.player, key: record.slot.key, value: record.value,
        window: record.window.map { WindowRequest(from: $0.from, until: $0.until) })
    }
    return (rows, revision)
  }
}
