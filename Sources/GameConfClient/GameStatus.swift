// The messages to a game: changes, answers and its own state, copied out of the C library.

internal import CGameConf

/// The source of a value.
public enum Source: Int32, Sendable, Hashable, CaseIterable {
  case fallback = 0
  case playerOverride, gameOverride, setting, remote, catalogDefault, play
}

/// Something that changed since the last update.
public enum Change: Sendable, Hashable {
  /// A value: its key, where it came from, and where it comes from now.
  case value(key: String, from: Source, to: Source)
  /// A theme was unlocked, or locked again.
  case theme(id: String, isUnlocked: Bool)
  /// An entitlement came, changed or went.
  case entitlement(id: String, isHeld: Bool)
  /// A product was purchased, or taken back.
  case product(id: String, isPurchased: Bool)
  /// The connection: see ``Status/State``.
  case connection(Status.State)
  /// The game asked for a key as another type than it has; reported once.
  case wrongType(key: String)
  /// The game asked for a key that there is not; reported once.
  case unknownKey(String)
  /// The queue has a new client id.
  case client(String)
  /// The queue's file was damaged, and this many writes are lost; nil if the number is unknown.
  case queueLost(count: Int?)
  /// The queue no longer survives the process, for this reason; or it does again.
  case queueFile(isLost: Bool, reason: String)
  /// The daemon refused queued writes to this path for good; the last one with this status.
  case refused(path: String, status: Int, count: Int)
  /// The server that answers the first queued write is no gameconfd; the write stays in the queue.
  case delayed(path: String, status: Int)

  init(_ change: gameconf_change) {
    let name = change.name.map { String(cString: $0) } ?? ""
    switch change.kind {
    case 2: self = .theme(id: name, isUnlocked: change.new_source != 0)
    case 3: self = .entitlement(id: name, isHeld: change.new_source != 0)
    case 4: self = .product(id: name, isPurchased: change.new_source != 0)
    case 5: self = .connection(Status.State(rawValue: change.new_source) ?? .none)
    case 6: self = .wrongType(key: name)
    case 7: self = .unknownKey(name)
    case 8: self = .client(name)
    case 9: self = .queueLost(count: change.new_source < 0 ? nil : Int(change.new_source))
    case 10: self = .queueFile(isLost: change.new_source == 0, reason: name)
    case 11: self = .refused(path: name, status: Int(change.new_source), count: Int(change.old_source))
    case 12: self = .delayed(path: name, status: Int(change.new_source))
    default:
      self = .value(key: name, from: Source(rawValue: change.old_source) ?? .fallback, to: Source(rawValue: change.new_source) ?? .fallback)
    }
  }
}

/// The status of a game.
public struct Status: Sendable, Hashable {
  /// The source of the values.
  public enum State: Int32, Sendable, Hashable { case none, defaults, cached, live }

  /// The source of the values.
  public let state: State
  /// The store's epoch; revisions compare within one.
  public let epoch: UInt64
  /// The game's revision.
  public let revision: Int64
  /// The player's.
  public let playerRevision: Int64
  /// The number of writes that wait.
  public let queued: Int
  /// True if the present player's values are still to come.
  public let isPending: Bool
  /// The last error; empty when all is well.
  public let lastError: String

  init(_ status: gameconf_status_t) {
    state = State(rawValue: status.state) ?? .none
    (epoch, revision, playerRevision) = (status.epoch, status.revision, status.player_revision)
    queued = Int(status.queued)
    isPending = status.pending
    lastError = status.last_error.map { String(cString: $0) } ?? ""
  }
}

/// The daemon's answer to a write or a call.
public struct Answer: Sendable, Hashable {
  /// The number that the call returned.
  public let number: Int64
  /// HTTP's status; 0 when there was no daemon within ten seconds.
  public let status: Int
  /// True if the daemon had done it before.
  public let isRepeated: Bool
  /// The player of the write.
  public let player: String
  /// The body, JSON.
  public let body: String

  init(_ answer: gameconf_answer) {
    number = answer.number
    status = Int(answer.status)
    isRepeated = answer.flags & 1 != 0
    player = answer.player.map { String(cString: $0) } ?? ""
    body = answer.body.map { String(cString: $0) } ?? ""
  }
}
