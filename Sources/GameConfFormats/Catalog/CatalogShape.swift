// The types that declare the catalog format: fields, their shapes and their documentation.

import GameConfCore

/// The syntactic form that a field of a catalog requires.
indirect enum CatalogShape: Sendable {
  /// Text that is not empty. Plain scalars are text even if they look like numbers or booleans.
  case text
  case textOrNull
  case boolean
  case integer(least: Int64)
  /// A decimal number.
  case number
  case choice([String])
  /// A value whose type another field declares.
  case data
  /// A JsonLogic expression.
  case expression
  /// A JSON Schema.
  case schema
  case list(CatalogShape, isFilled: Bool)
  case map(CatalogNames.Kind?, CatalogShape)
  case fields(CatalogFields)
  /// A choice between a scalar, a list and a mapping, distinguished by the kind of YAML node.
  case either([CatalogShape])

  /// A reference to a parameter, `{parameter: key}`.
  static let parameterReference = CatalogShape.fields(
    CatalogFields("reference", "a reference", exactlyOne: true, [CatalogField("parameter", .text, "The key of another parameter.")]))

  static let numberOrParameter = CatalogShape.either([.number, parameterReference])
  static let countOrParameter = CatalogShape.either([.integer(least: 0), parameterReference])
  static let localizedText = CatalogShape.map(nil, .text)
}

/// A field of an object. The parser, the JSON Schema and the page “Catalog reference” are derived from it.
struct CatalogField: Sendable {
  var name: String
  var shape: CatalogShape
  var isRequired: Bool
  /// The name of a field that makes this required field unnecessary.
  var isNeededUnless: String?
  /// A sentence about the field for documentation.
  var about: String
  /// The default in YAML notation; nil if there is none.
  var usual: String?
  /// The error codes of rejected requests, and the reasons for not showing an ad, that this field causes.
  var refusals: [String]

  init(
    _ name: String, _ shape: CatalogShape, required: Bool = false, unless other: String? = nil, _ about: String, usual: String? = nil,
    refusals: [ProblemCode] = [], reasons: [String] = []
  ) {
    self.name = name
    self.shape = shape
    isRequired = required
    isNeededUnless = other
    self.about = about
    self.usual = usual
    self.refusals = refusals.map(\.rawValue) + reasons
  }

  /// The sentence about the field with its default appended.
  var aboutWithDefault: String { usual.map { "\(about) Default: \($0)." } ?? about }
}

/// The declared fields of one kind of object in a catalog.
struct CatalogFields: Sendable {
  /// The name of the definition in the JSON Schema.
  var id: String
  /// The noun for the object in messages.
  var noun: String
  /// True if the object must have exactly one of the fields.
  var exactlyOne: Bool
  var fields: [CatalogField]

  init(_ id: String, _ noun: String, exactlyOne: Bool = false, _ fields: [CatalogField]) {
    self.id = id
    self.noun = noun
    self.exactlyOne = exactlyOne
    self.fields = fields
  }

  subscript(name: String) -> CatalogField? { fields.first { $0.name == name } }
}
