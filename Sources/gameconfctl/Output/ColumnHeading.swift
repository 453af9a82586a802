// The headings of a table's columns, with the display of each column on a narrow terminal.

/// The heading of a column, and the way in which the column's cells are displayed on a terminal. In a pipe every cell is written unchanged.
struct ColumnHeading: Sendable, Equatable {
  enum Kind: Sendable, Equatable {
    /// The cells are ids, numbers or sentences. Long ones are wrapped between words.
    case words
    /// The cells are values. Long ones are cut with `…`, but numbers are never cut.
    case value
    /// The cells are times of the host, which are shown relative to now if they are recent.
    case when
    /// The cells are times of a simulated clock.
    case date
    /// The cells are words for a state, which are coloured.
    case state
  }

  /// The column's name, which a terminal shows in upper case.
  var name: String
  var kind = Kind.words
  /// True if this column is among the first that move below their rows when the table is too wide.
  var isAside = false
  /// True if the column is left out when the table is too wide, unless the user requests all columns.
  var isExtra = false
  /// True if cells of the column are not wrapped, because their parts belong together, such as a bar and its numbers.
  var isWhole = false
  /// The minimum width of the column in characters, so that sentences do not wrap at every word.
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
  /// The kind of the column's cells; see ``ColumnHeading/Kind``.
  case value, when, date, state
  /// The cells are sentences. The column has a larger minimum width.
  case sentence
  /// The cells are not wrapped, because their parts belong together, such as a bar and its numbers.
  case whole
  /// The column is among the first that move below their rows when the table is too wide.
  case aside
  /// The column is left out when the table is too wide.
  case extra
}
