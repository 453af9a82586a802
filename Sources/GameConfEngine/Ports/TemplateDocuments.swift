// The port that reads template documents.
public import GameConfCore

/// Reads what templates are written in: ours, Firebase's, flagd's.
public protocol TemplateDocuments: Sendable {
  /// The meaning of a document for a game.
  /// - Throws: ``Faults``, everything wrong at once.
  func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template

  /// The part of a document that still fits a catalog: keys with a fault have no remote layer, and the faults are among the remarks.
  func fitting(_ document: [UInt8], for catalog: Catalog) -> Template
}

/// For worlds without templates.
public struct NoTemplateDocuments: TemplateDocuments {
  /// Reads nothing.
  public init() {}
  /// An empty template.
  public func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template { Template() }
  /// An empty template.
  public func fitting(_ document: [UInt8], for catalog: Catalog) -> Template { Template() }
}
