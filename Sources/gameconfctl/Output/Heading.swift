// The headings of a table's columns, and what becomes of each column where the terminal is narrow.

/// The name of a column, and how its cells are shown to a person. In a pipe every cell stands as it is.
struct Heading: Sendable, Equatable {
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

  init(_ name: String, _ traits: [ColumnTrait]) {
    self.name = Sentence(outside: name).text()
    for trait in traits {
      switch trait {
      case .value: kind = .value
      case .when: kind = .when
      case .date: kind = .date
      case .state: kind = .state
      case .sentence: widthMin = 28
      case .whole: isWhole = true
      case .aside: isAside = true
      case .extra: isExtra = true
      }
    }
  }
}

/// A property of a column.
enum ColumnTrait: Sendable {
  /// The kinds of cells; see ``Heading/Kind``.
  case value, when, date, state
  /// Sentences that keep a good part of the line.
  case sentence
  /// Its parts are one thing, such as a bar and its numbers.
  case whole
  /// The first to go below its row where the table is too wide.
  case aside
  /// Left out where there is no room.
  case extra
}
