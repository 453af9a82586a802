// The commands whose arguments are filled in another way than most.

import ArgumentParser

/// A command that destroys what cannot be brought back: it takes nothing from the environment.
protocol DestructiveCommand: ParsableCommand {
  /// True if it destroys when these words follow it.
  static func destroys(_ words: [String]) -> Bool
  /// True if words that have to be named are left out.
  /// - Parameter count: how many it cannot do without.
  static func lacks(_ words: [String], of count: Int) -> Bool
}

extension DestructiveCommand {
  static func destroys(_ words: [String]) -> Bool { true }
  static func lacks(_ words: [String], of count: Int) -> Bool { words.count < count }
}

/// A command about a placement, which need not be named where the game has only one.
protocol PlacementCommand: ParsableCommand {}

/// A command whose optional word behind the player is one of a few, so that a player who is left out is noticed.
protocol WordCommand: ParsableCommand {}

/// A command about a line of the audit log, which is one of any game where none is named.
protocol EntryCommand: ParsableCommand {}

/// A command that takes its words as they are typed.
protocol VerbatimCommand: ParsableCommand {}
