// The author of a change.

/// The author of a change, as the audit log keeps it: the peer's uid, the name it had then, and its pid as a hint.
public struct Author: Sendable, Hashable {
  /// The peer's user id.
  public var uid: UInt32
  /// The user's name at the time of the change; the uid in digits where there was none.
  public var name: String
  /// The peer's process id; a hint only, since pids are used again.
  public var pid: Int32?

  /// An author.
  public init(uid: UInt32, name: String, pid: Int32? = nil) {
    self.uid = uid
    self.name = name
    self.pid = pid
  }
}
