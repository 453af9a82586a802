// The schema of a list or object: compiled from a catalog, then held against every value that comes in.

/// The part of JSON Schema 2020-12 that catalogs use, with our own keywords, compiled once.
///
/// Numbers count by what they are worth: `1.0` is an `integer` and equals `1`, as JSON Schema has it. Our keywords stand on a member of an object and name
/// another member of the same object, seen through lists too (on `items`, the object around the list is meant):
/// - `localized: true`: text by locale, with every locale of the game and no other; `minLength`, `maxLength` and `pattern` beside it hold for each text.
/// - `index_into: SIBLING`: an integer, or each of a list of them, is an index from 0 into the list that the sibling holds.
/// - `same_length_as: SIBLING`: a list has as many elements as the sibling's.
/// - `differs_from: SIBLING`: the value, or each element of a list, equals neither the sibling nor an element of it. An index (a member with `index_into`)
///   stands for the element it points at; when that is an element of this very list, only the others are compared with it, so `differs_from: right` on
///   `answers`, with `right: {index_into: answers}`, refuses a second right answer. Texts by locale are equal when they are in one locale.
/// - `rising_by`, `falling_by`, `unique_by: PROPERTY`: along a list of objects that property strictly rises, strictly falls, or never repeats. Elements
///   without it are passed over: `required` is what demands it.
public struct ValueSchema: Sendable, Hashable {
  /// The source that it was compiled from.
  public let source: Value
  let program: SchemaProgram

  /// Compiles a schema.
  /// - Throws: every fault at once.
  public init(compiling source: Value) throws(Faults) {
    self.source = source
    var compiler = SchemaCompiler()
    self.program = try compiler.program(of: source)
  }

  /// Every way in which the value breaks the schema, in the order of the value; empty when it holds.
  ///
  /// At most ``SchemaLimits/violationsMax`` are reported, and a value that takes more than ``SchemaLimits/stepsMax`` steps to check is refused.
  /// - Parameter locales: the game's; a `localized` leaf must have each and no other. Empty admits every locale.
  public func violations(of value: Value, locales: [String]) -> [Fault] {
    var checker = SchemaChecker(program, locales: locales)
    return checker.violations(of: value)
  }

  /// True if a leaf somewhere is `localized: true`.
  public var isLocalized: Bool { program.root.reachesLocalized }

  /// The value with each localized leaf replaced by its text in the first of the locales that it has, else by its first text.
  public func localizing(_ value: Value, by locales: [String]) -> Value {
    guard isLocalized else { return value }
    var localizer = SchemaLocalizer(program, locales: locales)
    return localizer.localizing(value)
  }

  /// True if both were compiled from the same schema.
  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// Hashes what it was compiled from.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The limits of schemas and checks.
public enum SchemaLimits {
  /// The greatest depth to which schemas may stand within schemas.
  public static let depthMax = 64
  /// The most schemas that one schema may hold, itself among them.
  public static let schemasMax = 10_000
  /// The most schemas that may hold at one place of a value, each through `$ref`, `allOf` and the like of the one before.
  public static let chainMax = 64
  /// The number of faults or violations that are reported at once.
  public static let violationsMax = 100
  /// The most steps that one check may take.
  public static let stepsMax = 500_000
  /// The greatest depth of a check, through the value and through schemas at one place together.
  public static let checkDepthMax = 320
}
