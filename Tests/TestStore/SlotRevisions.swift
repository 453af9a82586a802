// The revisions of slots, in a form that tests compare.
public import GameConfCore
public import GameConfStorage

extension StoredState {
  /// The revision that last changed each slot that has one.
  public var slotRevisions: [OverrideSlot: Int64] {
    Dictionary(slots.map { ($0, overrides(of: $0.game).revision(at: $0) ?? 0) }) { $1 }.filter { $0.value != 0 }
  }
}
