// The commands whose arguments are filled in a special way.

import ArgumentParser

/// A command that may destroy data for good; it then takes no argument from the environment.
protocol DestructiveCommand: ParsableCommand {
  /// True if the command destroys data when these words follow it.
  static func destroys(_ words: [String]) -> Bool
  /// True if required words are left out.
  /// - Parameter count: The number of required words.
  static func omitsWords(_ words: [String], of count: Int) -> Bool
}

extension DestructiveCommand {
  static func destroys(_ words: [String]) -> Bool { true }
  static func omitsWords(_ words: [String], of count: Int) -> Bool { words.count < count }
}

/// A command about a placement, which need not be named if the game has only one.
protocol PlacementCommand: ParsableCommand {}

/// A command whose optional word behind the player is one of a fixed set, so that a missing player is recognized.
protocol WordCommand: ParsableCommand {}

/// A command about a line of the audit log, which belongs to any game if no game is named.
protocol EntryCommand: ParsableCommand {}

/// A command that takes its words exactly as typed.
protocol VerbatimCommand: ParsableCommand {}
