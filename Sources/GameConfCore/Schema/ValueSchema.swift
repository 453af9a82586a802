// The schemas of list and object parameters, which are compiled with the catalog and then validate values.

/// A compiled schema of a list or object parameter, in a subset of JSON Schema 2020-12 with additional keywords.
///
/// Numbers are compared by their value, as in JSON Schema: `1.0` is an `integer` and equals `1`. Some of the additional keywords of a
/// member refer to another member of the same object. On `items`, they refer to members of the object around the list:
/// - `localized: true`: an object of texts by locale, with every locale of the game and no other. `minLength`, `maxLength` and `pattern`
///   then apply to each text.
/// - `index_into: SIBLING`: the integer, or each integer of a list, is an index from 0 into the sibling's list.
/// - `same_length_as: SIBLING`: the list has as many elements as the sibling's list.
/// - `differs_from: SIBLING`: the value, or each element of a list, equals neither the sibling nor one of its elements. An index (a member
///   with `index_into`) represents the element that it refers to. If that is an element of this very list, only the other elements are
///   compared with it. So `differs_from: right` on `answers`, with `right: {index_into: answers}`, rejects another answer that equals the
///   right one. Texts by locale are equal if their texts in one locale are.
/// - `rising_by`, `falling_by`, `unique_by: PROPERTY`: in a list of objects, the values of the property strictly rise, strictly fall, or
///   are unique. Elements without the property are skipped; use `required` to demand it.
public struct ValueSchema: Sendable, Hashable {
  /// The JSON source of the schema.
  public let source: Value
  let program: SchemaProgram

  /// Compiles a schema from its JSON source.
  /// - Throws: ``Faults`` with all faults of the schema, at most ``SchemaLimits/violationsMax``.
  public init(compiling source: Value) throws(Faults) {
    self.source = source
    var compiler = SchemaCompiler()
    self.program = try compiler.program(of: source)
  }

  /// Validates a value. Returns its violations of the schema, in the order of their positions in the value; empty if the value is valid.
  ///
  /// At most ``SchemaLimits/violationsMax`` are returned. A value whose validation needs more than ``SchemaLimits/stepsMax`` steps is
  /// rejected.
  /// - Parameter locales: The game's locales; a localized text must have each of them and no other. An empty list admits every locale.
  public func violations(of value: Value, locales: [String]) -> [Fault] {
    var checker = SchemaChecker(program, locales: locales)
    return checker.violations(of: value)
  }

  /// True if the schema declares a localized text (`localized: true`) anywhere.
  public var isLocalized: Bool { program.root.reachesLocalized }

  /// Returns the value with each object of texts by locale replaced by one text. It is the text in the first of these locales that has one,
  /// else the object's first text.
  public func localizing(_ value: Value, by locales: [String]) -> Value {
    guard isLocalized else { return value }
    var localizer = SchemaLocalizer(program, locales: locales)
    return localizer.localizing(value)
  }

  /// True if both schemas have the same source.
  public static func == (left: Self, right: Self) -> Bool { left.source == right.source }

  /// Hashes the source of the schema.
  public func hash(into hasher: inout Hasher) { hasher.combine(source) }
}

/// The limits on schemas and on the validation of a value.
public enum SchemaLimits {
  /// The deepest nesting of schemas in a schema's source.
  public static let depthMax = 64
  /// The largest number of schemas in one schema, which itself counts too.
  public static let schemasMax = 10_000
  /// The length of the longest chain of schemas that apply to one position of a value. Each schema in the chain is applied by the one
  /// before it, through `$ref`, `allOf` or a similar keyword.
  public static let chainMax = 64
  /// The largest number of faults or violations that are reported together.
  public static let violationsMax = 100
  /// The largest number of steps of validating one value. Each schema that is applied and each value that is compared counts as a step.
  public static let stepsMax = 500_000
  /// The deepest recursion of validating one value. It counts the levels of the value and the schemas at the same position.
  public static let checkDepthMax = 320
}
