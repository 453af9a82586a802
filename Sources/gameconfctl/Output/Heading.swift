// The headings of a table's columns, and the handling of each column on a narrow terminal.

/// The name of a column, and the display of its cells on a terminal. In a pipe every cell is written unchanged.
struct Heading: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// Ids, numbers and sentences: long ones are wrapped between words.
    case words
    /// Values: long ones are cut with `…`; numbers are never cut.
    case value
    /// Times of the host: relative if recent.
    case when
    /// Times of a simulated clock.
    case date
    /// A word with a colour.
    case state
  }

  /// The name, in upper case on a terminal.
  var name: String
  var kind = Kind.words
  /// True if the column is the first to move below its row when the table is too wide.
  var isAside = false
  /// True if the column is left out when the table is too wide, unless all columns are requested.
  var isExtra = false
  /// True if the cell is not wrapped between words: its parts belong together, such as a bar and its numbers.
  var isWhole = false
  /// The minimum width of sentences, so that they do not wrap at every word.
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

enum ColumnTrait: Sendable {
  /// The kinds of cells; see ``Heading/Kind``.
  case value, when, date, state
  /// Sentences, which get a minimum share of the line.
  case sentence
  /// The parts belong together, such as a bar and its numbers.
  case whole
  /// The first to move below its row when the table is too wide.
  case aside
  /// Left out when the table is too wide.
  case extra
}
