// The columns of a table, and what becomes of each where the terminal is narrow.

/// A column: its name, and how its cells are shown to a person. In a pipe every cell stands as it is.
struct Column: Sendable, Equatable, ExpressibleByStringLiteral {
  enum Kind: Sendable, Equatable {
    /// Ids, numbers and sentences: what is too long goes on below, broken between words.
    case words
    /// Values: what is too long ends in `…`; numbers are never cut.
    case value
    /// Times of the host: relative if recent.
    case when
    /// Times of a simulated clock.
    case date
    /// A word that has a colour.
    case state
  }

  /// Upper case on the terminal.
  var name: String
  var kind = Kind.words
  /// The first to go below its row where the table is too wide.
  var isAside = false
  /// Left out where the table is too wide, unless everything is asked for.
  var isExtra = false
  /// Not broken between words: its parts are one thing, such as a bar and its numbers.
  var isWhole = false
  /// The least width of its sentences, so that they are not a word to a line.
  var widthMin = 12

  init(_ name: String, _ kind: Kind = .words) { (self.name, self.kind) = (name, kind) }
  init(stringLiteral name: String) { self.init(name) }

  static func value(_ name: String) -> Column { Column(name, .value) }
  static func when(_ name: String) -> Column { Column(name, .when) }
  static func date(_ name: String) -> Column { Column(name, .date) }
  static func state(_ name: String) -> Column { Column(name, .state) }

  /// Sentences that keep a good part of the line.
  static func sentence(_ name: String) -> Column {
    var column = Column(name)
    column.widthMin = 28
    return column
  }

  static func whole(_ name: String) -> Column {
    var column = Column(name)
    column.isWhole = true
    return column
  }

  /// The same, but first to go below.
  static func aside(_ column: Column) -> Column {
    var column = column
    column.isAside = true
    return column
  }

  /// The same, but left out where there is no room.
  static func extra(_ column: Column) -> Column {
    var column = column
    column.isExtra = true
    return column
  }
}
