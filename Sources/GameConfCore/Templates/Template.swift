// Remote values of a game, checked against its catalog: what a pushed or fetched document means.

/// What a template says, in the form the resolver takes.
public struct Template: Sendable, Hashable {
  /// What each key of the catalog gets; keys that are not here have no remote layer.
  public var layers: [String: RemoteLayer]
  /// Keys it names that the catalog does not have; kept in the document, and not served.
  public var unknownKeys: [String]
  /// What is kept and gives no value, such as personalization, each with its place.
  public var remarks: [TemplateFault]

  /// The most parameters a template may have.
  public static let parametersMax = 3_000
  /// The most conditions a template may have.
  public static let conditionsMax = 2_000

  /// A template.
  public init(layers: [String: RemoteLayer] = [:], unknownKeys: [String] = [], remarks: [TemplateFault] = []) {
    self.layers = layers
    self.unknownKeys = unknownKeys
    self.remarks = remarks
  }
}

/// One thing wrong with a template, or worth a remark, and where.
public struct TemplateFault: Sendable, Hashable {
  /// JSON pointer into the document.
  public var pointer: String
  /// What is wrong and what would be right.
  public var message: String

  /// A fault.
  public init(pointer: String, message: String) {
    self.pointer = pointer
    self.message = message
  }
}

/// Why a template is refused.
public struct TemplateFaults: Error, Sendable, Hashable {
  /// How many faults are reported at once.
  public static let reportedMax = 100

  /// The faults, in the order of the document; at most ``reportedMax``.
  public var faults: [TemplateFault]

  /// Faults; those beyond ``reportedMax`` are left out.
  public init(_ faults: [TemplateFault]) { self.faults = Array(faults.prefix(Self.reportedMax)) }
}
