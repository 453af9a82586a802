// STUB of the contract; the schema work replaces this file.

/// The part of JSON Schema 2020-12 that catalogs use, with our own keywords, compiled once.
public struct ValueSchema: Sendable, Hashable {
  /// What it was compiled from.
  public let source: Value

  /// Compiles a schema.
  /// - Throws: every fault at once.
  public init(compiling source: Value) throws(SchemaFaults) { self.source = source }

  /// Every way in which the value breaks the schema, in the order of the value; empty when it holds.
  /// - Parameter locales: the game's; a `localized` leaf must have each.
  public func violations(of value: Value, locales: [String]) -> [SchemaViolation] { [] }

  /// Whether a leaf somewhere is `localized: true`.
  public var isLocalized: Bool { false }

  /// The value with each localized leaf replaced by its text in the first of the locales that it has.
  public func localizing(_ value: Value, by locales: [String]) -> Value { value }

  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// Why a schema cannot be compiled.
public struct SchemaFaults: Error, Sendable {
  /// Each with a JSON pointer into the schema.
  public var faults: [SchemaViolation]

  /// Faults.
  public init(_ faults: [SchemaViolation]) { self.faults = faults }
}

/// One thing that is wrong, and where.
public struct SchemaViolation: Sendable, Hashable {
  /// JSON pointer into what was checked.
  public var pointer: String
  /// What is wrong and what would be right.
  public var message: String

  /// A violation.
  public init(pointer: String, message: String) {
    self.pointer = pointer
    self.message = message
  }
}
