// The port through which the engine polls and reads template files.
public import GameConfCore

/// Reads the files that catalogs name for templates, and detects their changes.
public protocol TemplateFileSource: Sendable {
  /// Returns a mark that differs whenever the file does: changed in place, replaced, removed, restored.
  func mark(_ path: String) -> String
  /// Returns the file as a JSON document; YAML is converted.
  /// - Throws: ``Fault``.
  func document(_ path: String) throws(Fault) -> [UInt8]
}
