// Protocols of the commands for which ``ArgumentFill`` has special rules.

import ArgumentParser

/// A command that may destroy data for good. If it does, it takes no argument from the environment.
protocol DestructiveCommand: ParsableCommand {
  /// True if the command destroys data when it is called with these words.
  static func destroys(_ words: [String]) -> Bool
  /// True if the user left out words that the command requires.
  /// - Parameter count: The number of required words.
  static func omitsWords(_ words: [String], of count: Int) -> Bool
}

extension DestructiveCommand {
  static func destroys(_ words: [String]) -> Bool { true }
  static func omitsWords(_ words: [String], of count: Int) -> Bool { words.count < count }
}

/// A command about a placement. The user need not name the placement if the game has only one.
protocol PlacementCommand: ParsableCommand {}

/// A command with an optional word after the player that is one of a fixed set. If such a word is typed in the player's position, the
/// player is missing.
protocol WordCommand: ParsableCommand {}

/// A command about an entry of the audit log. The environment's game is not added, because an entry's id alone identifies it.
protocol EntryCommand: ParsableCommand {}

/// A command that takes its words exactly as they are typed, so that no argument is added.
protocol VerbatimCommand: ParsableCommand {}
