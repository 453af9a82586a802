// The port through which the engine looks at the files that templates are read from.
public import GameConfCore

/// Looks at files and reads them.
public protocol TemplateFileSource: Sendable {
  /// A text that is another whenever the file is: changed in place, replaced, gone, back.
  func mark(_ path: String) -> String
  /// The file as a document in JSON; what is written in YAML is turned into it.
  /// - Throws: ``Fault``.
  func document(_ path: String) throws(Fault) -> [UInt8]
}
