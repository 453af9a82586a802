// Remote values of a game, checked against its catalog: what a pushed or fetched document means.

/// The values of a template, in the form the resolver takes.
public struct Template: Sendable, Hashable {
  /// The layer of each key of the catalog; keys that are not here have no remote layer.
  public var layers: [String: RemoteLayer]
  /// Keys it names that the catalog does not have; kept in the document, and not served.
  public var unknownKeys: [String]
  /// The remarks on parts that are kept and give no value, such as personalization, each with its place.
  public var remarks: [Fault]
  /// The conditions that name a time zone which this host does not have, a sentence each: another host may answer otherwise.
  public var missingZones: [String] = []

  /// The most parameters that a template may have.
  public static let parametersMax = 3_000
  /// The most conditions that a template may have.
  public static let conditionsMax = 2_000

  /// A template.
  public init(layers: [String: RemoteLayer] = [:], unknownKeys: [String] = [], remarks: [Fault] = []) {
    self.layers = layers
    self.unknownKeys = unknownKeys
    self.remarks = remarks
  }
}
