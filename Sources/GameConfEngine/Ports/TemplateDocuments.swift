// The port that parses template documents.
public import GameConfCore

/// Parses the formats of templates: gameconf's own, Firebase's, flagd's.
public protocol TemplateDocuments: Sendable {
  /// Returns the template in a document for a game's catalog.
  /// - Throws: ``Faults`` with all faults.
  func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template

  /// Returns the valid part of a document. A key with a fault gets no value from the template, and the faults are among its remarks.
  func fitting(_ document: [UInt8], for catalog: Catalog) -> Template
}

/// A parser for worlds without templates.
public struct NoTemplateDocuments: TemplateDocuments {
  /// Creates the parser, which has no state.
  public init() {}
  /// Accepts every document as an empty template.
  public func template(_ document: [UInt8], for catalog: Catalog) throws(Faults) -> Template { Template() }
  /// Returns an empty template.
  public func fitting(_ document: [UInt8], for catalog: Catalog) -> Template { Template() }
}
