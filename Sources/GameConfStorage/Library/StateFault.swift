// A file of the state directory that cannot be read or written.

/// The reason why something in the state directory could not be read or written.
public struct StateFault: Error, Sendable, Hashable {
  /// The kinds of fault.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    /// No space is left.
    case noSpace
    /// The file system or directory cannot be written.
    case readOnly
    /// The contents are not those that were written.
    case damaged
    /// Another daemon holds the directory.
    case locked
    /// Anything else; the message has the system's words.
    case failed
  }

  /// The kind of fault.
  public var code: Code
  /// The file or directory.
  public var path: String
  /// The fault, and the state that would be right.
  public var message: String

  /// A fault.
  public init(code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }
}
