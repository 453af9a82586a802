// The overrides that one large change makes at many slots, and their audit lines, published as they were made before the transaction, without a copy
// of each.
public import GameConfCore

/// The overrides of one large change, all of one game and one revision.
public struct BulkOverrides: Sendable {
  /// The overrides at each slot now.
  public let slots: [KeyOverrides]
  /// The game's revision that they are of.
  public let revision: Int64
  /// Each player once whose slot changes.
  public let players: [String]
  /// The players' revisions, in their order.
  public let playerRevisions: [Int64]

  /// Overrides of one change.
  public init(slots: [KeyOverrides], revision: Int64, players: [String], playerRevisions: [Int64]) {
    self.slots = slots
    self.revision = revision
    self.players = players
    self.playerRevisions = playerRevisions
  }
}

/// Lines of the audit log that were written together, numbered one after the other where they have no numbers of their own.
public struct AuditLines: Sendable, Hashable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private let lines: [AuditRecord]
  private let first: Int64?

  /// Lines that have their numbers.
  public init(_ lines: [AuditRecord]) {
    self.lines = lines
    first = nil
  }

  /// Lines without numbers.
  /// - Parameter first: the number of the first.
  public init(_ lines: [AuditRecord], from first: Int64) {
    self.lines = lines
    self.first = first
  }

  /// Lines that have their numbers.
  public init(arrayLiteral lines: AuditRecord...) { self.init(lines) }

  /// True if the lines are the same, wherever their numbers are kept.
  public static func == (one: AuditLines, other: AuditLines) -> Bool { one.elementsEqual(other) }

  /// Hashes the lines with their numbers.
  public func hash(into hasher: inout Hasher) { for line in self { hasher.combine(line) } }

  /// The place of the first.
  public var startIndex: Int { lines.startIndex }
  /// The place behind the last.
  public var endIndex: Int { lines.endIndex }

  /// A line with its number.
  public subscript(position: Int) -> AuditRecord {
    var line = lines[position]
    if let first { line.id = first + Int64(position) }
    return line
  }
}
