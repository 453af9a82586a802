// The kinds of state that are served of players, and until when.

/// A kind of state that is served of a player from ``StoredState``.
public enum PlayerServedState: Sendable, Hashable, CaseIterable {
  /// Overrides, and the revisions of slots whose overrides are gone.
  case overrides

  /// True if the state ends with an act.
  func ends(with removal: PlayerRemoval) -> Bool {
    switch (self, removal) {
    case (.overrides, .reset), (.overrides, .forget): true
    }
  }
}

/// An act that removes what is stored of a player.
package enum PlayerRemoval: Sendable, CaseIterable {
  /// The player is new again, and who that is stays known.
  case reset
  /// Nothing is known of the player any more.
  case forget

  /// The served state that ends with it.
  var served: Set<PlayerServedState> { Set(PlayerServedState.allCases.filter { $0.ends(with: self) }) }
}
