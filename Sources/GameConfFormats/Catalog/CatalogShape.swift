// The types that declare the catalog format: fields, the forms of their values, and their documentation.

import GameConfCore

/// The syntactic form that the value of a catalog's field must have.
indirect enum CatalogShape: Sendable {
  /// Text that is not empty. A YAML scalar without quotes is text even if it looks like a number or a boolean.
  case text
  case textOrNull
  case boolean
  case integer(least: Int64)
  /// A decimal number.
  case number
  case choice([String])
  /// A value whose type another field of the same object declares.
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

/// A field of an object in a catalog. The decoder, the JSON Schema and the page “Catalog reference” are derived from such declarations.
struct CatalogField: Sendable {
  var name: String
  var shape: CatalogShape
  var isRequired: Bool
  /// The name of the field whose presence makes this required field unnecessary.
  var isNeededUnless: String?
  /// A sentence about the field, for the documentation.
  var about: String
  /// The field's default in YAML notation; nil if it has no default.
  var usual: String?
  /// The error codes of requests that are rejected because of this field, and the reasons for which it prevents an ad.
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

  /// The sentence about the field, followed by its default.
  var aboutWithDefault: String { usual.map { "\(about) Default: \($0)." } ?? about }
}

/// The fields that one kind of object in a catalog may have.
struct CatalogFields: Sendable {
  /// The name of the definition in the JSON Schema.
  var id: String
  /// The noun for the object in error messages, such as “a reference”.
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
