// The overrides and audit lines of one large change, built before the transaction and published without copies.
public import GameConfCore

/// The overrides that one large change sets, all of one game and one revision.
public struct BulkOverrides: Sendable {
  /// The overrides of each changed key, for the game or for one player.
  public let slots: [KeyOverrides]
  /// The revision of the game that the change has created.
  public let revision: Int64
  /// Each player whose overrides changed, once.
  public let players: [String]
  /// The players' revisions, in the order of ``players``.
  public let playerRevisions: [Int64]

  /// Creates the overrides of one change, with one revision for each player.
  public init(slots: [KeyOverrides], revision: Int64, players: [String], playerRevisions: [Int64]) {
    self.slots = slots
    self.revision = revision
    self.players = players
    self.playerRevisions = playerRevisions
  }
}

/// Audit lines that were written together. Either each line has its id, or the ids are counted from the first line's id.
public struct AuditLines: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private let lines: [AuditRecord]
  private let first: Int64?

  /// Creates a list of lines that have their ids.
  public init(_ lines: [AuditRecord]) {
    self.lines = lines
    first = nil
  }

  /// Creates a list of lines whose ids are consecutive and not in the lines themselves.
  /// - Parameter first: the first line's id.
  public init(_ lines: [AuditRecord], from first: Int64) {
    self.lines = lines
    self.first = first
  }

  /// Creates a list of lines that have their ids.
  public init(arrayLiteral lines: AuditRecord...) { self.init(lines) }

  /// True if the lines and their ids are equal, whether the ids are stored in the lines or counted from the first.
  public static func == (one: AuditLines, other: AuditLines) -> Bool { one.elementsEqual(other) }

  /// Hashes the lines with their ids.
  public func hash(into hasher: inout Hasher) { for line in self { hasher.combine(line) } }

  /// Always 0, as in an array.
  public var startIndex: Int { lines.startIndex }
  /// The number of lines, because the first index is 0.
  public var endIndex: Int { lines.endIndex }

  /// Returns a line with its id.
  public subscript(position: Int) -> AuditRecord {
    var line = lines[position]
    if let first { line.id = first + Int64(position) }
    return line
  }
}
