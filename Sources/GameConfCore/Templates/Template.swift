// A template of remote values in the form that the resolver uses, validated against the catalog.

/// The remote values of a game, validated against its catalog.
public struct Template: Sendable, Hashable {
  /// The rules and the default value that the template has for each key of the catalog. A key that it does not have gets its value from
  /// other layers.
  public var layers: [String: RemoteLayer]
  /// The keys of the template that the catalog does not have. They stay in the document but are not served.
  public var unknownKeys: [String]
  /// The remarks on parts of the template that are stored but never give a value, such as personalization. Each remark has its position.
  public var remarks: [Fault]
  /// A message for each condition that names a time zone which this host does not have. Other hosts may have the zone and evaluate the
  /// condition.
  public var missingZones: [String] = []

  /// The largest number of parameters in a template.
  public static let parametersMax = 3_000
  /// The largest number of conditions in a template.
  public static let conditionsMax = 2_000

  /// Creates a template, by default an empty one.
  public init(layers: [String: RemoteLayer] = [:], unknownKeys: [String] = [], remarks: [Fault] = []) {
    self.layers = layers
    self.unknownKeys = unknownKeys
    self.remarks = remarks
  }
}
