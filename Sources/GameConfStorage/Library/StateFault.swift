// The error for a file of the state directory that cannot be read or written.

/// The reason why a file of the state directory could not be read or written.
public struct StateFault: Error, Sendable, Hashable {
  /// The kinds of fault that the daemon distinguishes.
  public enum Code: String, Sendable, Hashable, CaseIterable {
    case noSpace
    /// The file system or directory cannot be written.
    case readOnly
    /// The file has invalid contents.
    case damaged
    /// Another daemon has locked the directory.
    case locked
    /// Any other fault; ``StateFault/message`` has the operating system's words.
    case failed
  }

  /// The kind of fault, on which the daemon's reaction depends.
  public var code: Code
  /// The path of the file or directory.
  public var path: String
  /// The fault, and how to correct it.
  public var message: String

  /// Creates a fault of the file or directory at a path.
  public init(code: Code, path: String, message: String) {
    self.code = code
    self.path = path
    self.message = message
  }
}
