// A row of the store that is there and cannot be read.
internal import GameConfCore

/// A row that the store gives whole and that has not the form this version writes: written by a later version, or changed by another hand.
///
/// It refuses only the player or game that it is about, until it is written again or its player is forgotten.
public struct UnreadableRow: Sendable, Hashable {
  /// A kind of row. Kinds with the same name are equal.
  public struct Kind: Sendable, Hashable {
    /// The name by which it is reported.
    public let rawValue: String
    /// The words for it in a sentence.
    fileprivate let words: String

    /// A kind with its name and, where that is no phrase, its words.
    public init(_ rawValue: String, words: String? = nil) {
      self.rawValue = rawValue
      self.words = words ?? rawValue
    }

    /// True if both have the same name.
    public static func == (first: Self, second: Self) -> Bool { first.rawValue == second.rawValue }

    /// Adds the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }

  /// The kind of row.
  public var kind: Kind
  /// The game; nil where the row does not say.
  public var game: String?
  /// The player it is about; nil where it is about none.
  public var player: String?
  /// The name of the row within its kind: a line's number, an override's key.
  public var name: String?
  /// The fault of the row, in words.
  public var words: String

  /// A row.
  public init(_ kind: Kind, game: String? = nil, player: String? = nil, name: String? = nil, words: String = "") {
    self.kind = kind
    self.game = game
    self.player = player
    self.name = name
    self.words = words
  }

  /// True if it is the same row, whatever is wrong with it.
  public func isSameRow(as other: UnreadableRow) -> Bool {
    kind == other.kind && game == other.game && name == other.name && player.map(ByteText.init) == other.player.map(ByteText.init)
  }

  /// True if it is of that game, and about that player, or about none where that is nil.
  public func isAbout(_ player: String?, in game: String) -> Bool {
    self.game == game && self.player.map(ByteText.init) == player.map(ByteText.init)
  }

  /// The row in a phrase: `the ledger of player "p1" of dots`.
  public var phrase: String {
    var phrase = "the \(kind.words)"
    if let name { phrase += " \(name)" }
    if let player { phrase += " of player “\(player)”" }
    if let game { phrase += " of \(game)" }
    return phrase
  }
}

extension UnreadableRow.Kind {
  /// A player's state.
  public static let player = Self("player", words: "state")
  /// The positions in the queues of a player's clients.
  public static let marks = Self("marks", words: "queues' marks")
  /// A player's simulated purchases.
  public static let ledger = Self("ledger")
  /// A line of a player's history.
  public static let line = Self("line", words: "line of history")
  /// The values that a play pinned, and the time of it.
  public static let play = Self("play")
  /// An override.
  public static let override = Self("override", words: "override of")
  /// A line of the audit log.
  public static let audit = Self("audit", words: "audit line")
  /// An answer that is kept for a repeat.
  public static let answer = Self("answer", words: "remembered answer")
  /// A version of a template, or what is said of the one in force.
  public static let template = Self("template")
  /// A game's simulated clock.
  public static let clock = Self("clock")
}
