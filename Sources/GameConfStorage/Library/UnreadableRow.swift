// The name of a row of the store that cannot be decoded.
internal import GameConfCore

/// A row that the database returns intact but that this version cannot decode: a later version wrote it, or another program changed it.
///
/// Only requests about its player or game are refused, until the row is overwritten or the player is forgotten.
public struct UnreadableRow: Sendable, Hashable {
  /// A kind of row. Kinds with the same name are equal.
  public struct Kind: Sendable, Hashable {
    /// The kind's name in reports.
    public let rawValue: String
    /// The kind's name in a sentence.
    fileprivate let words: String

    /// Creates a kind; its name is used in sentences too if no words are given.
    public init(_ rawValue: String, words: String? = nil) {
      self.rawValue = rawValue
      self.words = words ?? rawValue
    }

    /// True if the two kinds have the same name.
    public static func == (first: Self, second: Self) -> Bool { first.rawValue == second.rawValue }

    /// Hashes the name only, because `==` ignores the words for sentences.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
  }

  /// The kind of the row, whose name reports show.
  public var kind: Kind
  /// The row's game; nil if the row does not contain it.
  public var game: String?
  /// The row's player; nil if the row is not about a player.
  public var player: String?
  /// The row's name within its kind: a line's number, an override's key.
  public var name: String?
  /// The description of the fault; empty by default.
  public var words: String

  /// Creates the report of a row, by default of no game and no player.
  public init(_ kind: Kind, game: String? = nil, player: String? = nil, name: String? = nil, words: String = "") {
    self.kind = kind
    self.game = game
    self.player = player
    self.name = name
    self.words = words
  }

  /// True if the two reports are about the same row; the descriptions of the fault are not compared.
  public func isSameRow(as other: UnreadableRow) -> Bool {
    kind == other.kind && game == other.game && name == other.name && player.map(ByteText.init) == other.player.map(ByteText.init)
  }

  /// True if the row belongs to this game and to this player, or to no player if `player` is nil.
  public func isAbout(_ player: String?, in game: String) -> Bool {
    self.game == game && self.player.map(ByteText.init) == player.map(ByteText.init)
  }

  /// The row in a phrase, such as `the ledger of player “p1” of dots`.
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
  /// The sequence numbers that were processed in each queue of a player's clients.
  public static let marks = Self("marks", words: "queues' marks")
  /// A player's simulated purchases.
  public static let ledger = Self("ledger")
  /// A line of a player's history.
  public static let line = Self("line", words: "line of history")
  /// A play of a player, with its pinned values and its times.
  public static let play = Self("play")
  /// An override, permanent or with a time window.
  public static let override = Self("override", words: "override of")
  /// A line of the audit log.
  public static let audit = Self("audit", words: "audit line")
  /// An answer that is stored for repeats of its request.
  public static let answer = Self("answer", words: "remembered answer")
  /// A version of a template, or the activation of one.
  public static let template = Self("template")
  /// A game's simulated clock.
  public static let clock = Self("clock")
}
