// The changes, answers and status that the C library returns, converted to Swift values.

internal import CGameConf

/// The layer that gives a key its value.
public enum Source: Int32, Sendable, Hashable, CaseIterable {
  case fallback = 0
  case playerOverride, gameOverride, setting, remote, catalogDefault, play
}

/// A change that the library found since the game's last call of ``Game/update()``.
public enum Change: Sendable, Hashable {
  /// A key has another value. The payload has the key and the layers that gave the value before and now.
  case value(key: String, from: Source, to: Source)
  /// A theme was unlocked or locked.
  case theme(id: String, isUnlocked: Bool)
  /// An entitlement was granted, changed or removed.
  case entitlement(id: String, isHeld: Bool)
  /// A product was purchased or revoked.
  case product(id: String, isPurchased: Bool)
  /// The values have another origin, see ``Status/State``.
  case connection(Status.State)
  /// The game read a key as another type than the catalog's. Reported once for each key.
  case wrongType(key: String)
  /// The game read a key that the catalog does not have. Reported once for each key.
  case unknownKey(String)
  /// The queue of writes has a new client id. The id and a write's number let the daemon recognize a write that is sent again.
  case client(String)
  /// The queue's file was damaged and this number of writes was lost; nil if the number is unknown.
  case queueLost(count: Int?)
  /// The queue of writes can no longer be saved in its file, for this reason. Its writes are then lost if the process ends. If `isLost` is
  /// false, saving works again.
  case queueFile(isLost: Bool, reason: String)
  /// The daemon refused queued writes to this path for good. The payload has the last HTTP status and the number of refused writes.
  case refused(path: String, status: Int, count: Int)
  /// The server that answered the first queued write is not gameconfd. The write stays queued.
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

/// The state of the client library: its connection, its revisions and its last error.
public struct Status: Sendable, Hashable {
  /// The origins of the values: no values, the embedded defaults, the last known values, or a live connection.
  public enum State: Int32, Sendable, Hashable { case none, defaults, cached, live }

  /// The origin of the values that the game reads at present.
  public let state: State
  /// The epoch of the daemon's store. Revisions are comparable only within one epoch.
  public let epoch: UInt64
  /// The game's revision, which rises with each change of the game's values.
  public let revision: Int64
  /// The player's revision, which rises with each change of the player's values.
  public let playerRevision: Int64
  /// The number of writes that wait in the queue for the daemon.
  public let queued: Int
  /// True if the present player's values have not arrived yet.
  public let isPending: Bool
  /// The last error as a message; empty if there was no error, and again after the connection works.
  public let lastError: String

  init(_ status: gameconf_status_t) {
    state = State(rawValue: status.state) ?? .none
    (epoch, revision, playerRevision) = (status.epoch, status.revision, status.player_revision)
    queued = Int(status.queued)
    isPending = status.pending
    lastError = status.last_error.map { String(cString: $0) } ?? ""
  }
}

/// The daemon's answer to a queued write or a call.
public struct Answer: Sendable, Hashable {
  /// The number of the write or purchase, which the method that queued it has returned.
  public let number: Int64
  /// The HTTP status; 0 if no daemon was available within ten seconds.
  public let status: Int
  /// True if the daemon had processed the same request before.
  public let isRepeated: Bool
  /// The player for whom the request was made.
  public let player: String
  /// The response body as JSON.
  public let body: String

  init(_ answer: gameconf_answer) {
    number = answer.number
    status = Int(answer.status)
    isRepeated = answer.flags & 1 != 0
    player = answer.player.map { String(cString: $0) } ?? ""
    body = answer.body.map { String(cString: $0) } ?? ""
  }
}
