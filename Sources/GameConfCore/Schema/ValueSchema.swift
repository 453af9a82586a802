// The schemas of lists and objects: compiled with the catalog, then used to validate values.

/// A compiled schema in a subset of JSON Schema 2020-12 with additional keywords.
///
/// Numbers are compared by their value, as in JSON Schema: `1.0` is an `integer` and equals `1`. The additional keywords of a member refer
/// to another member of the same object. On `items`, they refer to members of the object around the list:
/// - `localized: true`: an object of texts by locale, with every locale of the game and no other. `minLength`, `maxLength` and `pattern`
///   then apply to each text.
/// - `index_into: SIBLING`: the integer, or each integer of a list, is an index from 0 into the sibling's list.
/// - `same_length_as: SIBLING`: the list has as many elements as the sibling's list.
/// - `differs_from: SIBLING`: the value, or each element of a list, equals neither the sibling nor one of its elements. An index (a member
///   with `index_into`) represents the element that it refers to. If that is an element of this very list, only the other elements are
///   compared with it. So `differs_from: right` on `answers`, with `right: {index_into: answers}`, rejects a second right answer. Texts by
///   locale are equal if their texts in one locale are.
/// - `rising_by`, `falling_by`, `unique_by: PROPERTY`: in a list of objects, the values of the property strictly rise, strictly fall, or
///   are unique. Elements without the property are skipped; use `required` to demand it.
public struct ValueSchema: Sendable, Hashable {
  /// The JSON source of the schema.
  public let source: Value
  let program: SchemaProgram

  /// Compiles a schema.
  /// - Throws: ``Faults`` with every fault of the schema.
  public init(compiling source: Value) throws(Faults) {
    self.source = source
    var compiler = SchemaCompiler()
    self.program = try compiler.program(of: source)
  }

  /// Returns the violations of the schema by a value, in the order of the value; empty if it is valid.
  ///
  /// At most ``SchemaLimits/violationsMax`` are returned. A value whose validation needs more than ``SchemaLimits/stepsMax`` steps is
  /// rejected.
  /// - Parameter locales: The game's locales; a `localized` leaf must have each of them and no other. Empty allows every locale.
  public func violations(of value: Value, locales: [String]) -> [Fault] {
    var checker = SchemaChecker(program, locales: locales)
    return checker.violations(of: value)
  }

  /// True if the schema has a leaf with `localized: true`.
  public var isLocalized: Bool { program.root.reachesLocalized }

  /// Returns the value with each localized leaf replaced by its text in the first available of these locales, else by its first text.
  public func localizing(_ value: Value, by locales: [String]) -> Value {
    guard isLocalized else { return value }
    var localizer = SchemaLocalizer(program, locales: locales)
    return localizer.localizing(value)
  }

  /// True if both have the same source.
  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// Hashes the source.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The limits on schemas and on validation.
public enum SchemaLimits {
  /// The deepest nesting of schemas.
  public static let depthMax = 64
  /// The largest number of schemas in one schema, itself included.
  public static let schemasMax = 10_000
  /// The longest chain of schemas that apply to one position of a value, each through `$ref`, `allOf` or a similar keyword of the one
  /// before.
  public static let chainMax = 64
  /// The largest number of faults or violations that are reported.
  public static let violationsMax = 100
  /// The largest number of steps of one validation.
  public static let stepsMax = 500_000
  /// The deepest recursion of one validation, which counts levels of the value and schemas at the same position.
  public static let checkDepthMax = 320
}
