// The port through which the engine looks at the files that templates are read from.

/// Why a template's file cannot be read, in a phrase.
public struct TemplateFileFault: Error, Sendable, Hashable {
  /// Why.
  public var message: String

  /// A reason.
  public init(_ message: String) { self.message = message }
}

/// Looks at files and reads them.
public protocol TemplateFileSource: Sendable {
  /// A text that is another whenever the file is: changed in place, replaced, gone, back.
  func mark(_ path: String) -> String
  /// The file as a document in JSON; what is written in YAML is turned into it.
  /// - Throws: ``TemplateFileFault``.
  func document(_ path: String) throws(TemplateFileFault) -> [UInt8]
}
