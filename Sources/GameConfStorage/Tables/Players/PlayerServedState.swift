// The kinds of players' state that are served from memory, and the acts that end them.

/// A kind of a player's state that is served from ``StoredState``.
public enum PlayerServedState: Sendable, Hashable, CaseIterable {
  /// Overrides, and the revisions of keys whose overrides were removed.
  case overrides

  /// True if the act removes the state.
  func ends(with removal: PlayerRemoval) -> Bool {
    switch (self, removal) {
    case (.overrides, .reset), (.overrides, .forget): true
    }
  }
}

/// An act that removes a player's stored data.
package enum PlayerRemoval: Sendable, CaseIterable {
  /// The player starts again, and the id stays known.
  case reset
  /// All data of the player is removed, including the id.
  case forget

  /// The served state that the act removes.
  var served: Set<PlayerServedState> { Set(PlayerServedState.allCases.filter { $0.ends(with: self) }) }
}
