// The port through which the engine polls and reads template files.
public import GameConfCore

/// Reads the files that catalogs name for templates, and detects their changes.
public protocol TemplateFileSource: Sendable {
  /// Returns a text that identifies the file's state. The text differs after the file was changed in place, replaced, removed or restored.
  func mark(_ path: String) -> String
  /// Returns the file as a JSON document; YAML is converted.
  /// - Throws: ``Fault``.
  func document(_ path: String) throws(Fault) -> [UInt8]
}
