// The format in one table: which fields stand where, and what each holds. The reader checks by it and the JSON Schema is made from it.

import GameConfCore

/// The shape of one place of a catalog.
indirect enum CatalogShape: Sendable {
  /// Text that is not empty; plain scalars are text here whatever they look like.
  case text
  /// Text, or null for none.
  case textOrNull
  case boolean
  case integer(least: Int64)
  /// A decimal number.
  case number
  case choice([String])
  /// A value whose type is declared elsewhere.
  case data
  /// JsonLogic.
  case expression
  /// A JSON Schema.
  case schema
  case list(CatalogShape, isFilled: Bool)
  case map(CatalogNames.Kind?, CatalogShape)
  case fields(CatalogFields)
  /// Distinguished by what is written: a scalar, a list or a mapping.
  case either([CatalogShape])

  /// `{parameter: key}`.
  static let parameterReference = CatalogShape.fields(
    CatalogFields("reference", "a reference", exactlyOne: true, [CatalogField("parameter", .text, "The key of another parameter.")]))

  static let numberOrParameter = CatalogShape.either([.number, parameterReference])
  static let countOrParameter = CatalogShape.either([.integer(least: 0), parameterReference])
  static let localizedText = CatalogShape.map(nil, .text)
}

/// One field of a place. The reader, the JSON Schema and the page “Catalog reference” are made from it.
struct CatalogField: Sendable {
  var name: String
  var shape: CatalogShape
  var isRequired: Bool
  /// A field that, when it is there, makes this one needless.
  var isNeededUnless: String?
  /// A sentence for people.
  var about: String
  /// The value where the field is missing, as YAML.
  var usual: String?
  /// The codes of what is refused, or of an ad that is not shown, because of this field.
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

  /// The sentence with the default behind it.
  var aboutWithDefault: String { usual.map { "\(about) Default: \($0)." } ?? about }
}

/// The fields of one place.
struct CatalogFields: Sendable {
  /// Its name in the JSON Schema.
  var id: String
  /// The name of the shape in messages.
  var noun: String
  /// True if exactly one of the fields stands there.
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
