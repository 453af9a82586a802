// The author of a change, as the audit log stores it.

/// The user who made a change. The uid and the pid are those of the client's process, and the name is the one that the uid had when the
/// change was made.
public struct Author: Sendable, Hashable {
  /// The user id of the client's process.
  public var uid: UInt32
  /// The user's name at the time of the change, or the uid in digits if the user had no name.
  public var name: String
  /// The process id of the client. It is only a hint, since the system reuses process ids.
  public var pid: Int32?

  /// Creates an author, by default without a process id.
  public init(uid: UInt32, name: String, pid: Int32? = nil) {
    self.uid = uid
    self.name = name
    self.pid = pid
  }
}
