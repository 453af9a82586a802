// One watcher: a connection that receives events, or a call that waits for one.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// A watcher on its event loop. It stores its position, but no values.
final class Watcher {
  /// The form in which the watcher receives events.
  enum Sink {
    /// Server-sent events with values.
    case events(OutgoingStream)
    /// Frames with images and patches.
    case images(OutgoingStream)
    /// Server-sent events that only make the client fetch again.
    ///
    /// The closure returns the bytes for a position, or a heartbeat for nil.
    case notices(OutgoingStream, (WatchPosition?) -> [UInt8])
    /// One answer, at the first event. The closure is called once: with the caller's new state, or with nil when the time is over.
    case once((WatchedState?) -> Void)
  }

  let scope: WatchScope
  let sink: Sink
  let user: UInt32
  /// The sender of the watcher's request.
  let reader: LiveReader
  /// The time of the watcher's request.
  let since: Instant
  unowned let group: GameWatchers
  let player: WatchedPlayer?
  /// The watcher's position; nil until the first event.
  var cursor: WatchCursor?
  /// The position from which the client resumes; nil for a new client.
  var resumed: WatchPosition?
  /// The game's revision at the client's request.
  let revisionAtStart: Int64
  /// True if the watcher is queued for an individual event.
  var isDue = false
  /// True if the watcher is queued for a whole state.
  var awaitsState = false
  /// True if the watcher needs the whole state again, because its position is no longer valid.
  var isStale = false
  /// The bytes of its whole state that the client has not read.
  var stateBytes = 0
  var isOpen = true
  /// The deadline of a waiting call.
  var deadline: Scheduled<Void>?
  /// The watcher's indexes: in the game's list of watchers, and of its slot and its place within ``HeartbeatWheel``.
  var place = 0
  var slot = 0
  var slotPlace = 0

  init(
    _ scope: WatchScope, _ sink: Sink, in group: GameWatchers, at revision: Int64, player: WatchedPlayer?, user: UInt32, reader: LiveReader,
    since: Instant, resumed: WatchPosition?
  ) {
    self.scope = scope
    self.reader = reader
    self.since = since
    revisionAtStart = revision
    self.sink = sink
    self.group = group
    self.player = player
    self.user = user
    self.resumed = resumed
  }

  var stream: OutgoingStream? {
    switch sink {
    case .events(let stream), .images(let stream), .notices(let stream, _): stream
    case .once: nil
    }
  }

  /// True if the client keeps up with its events.
  var isWritable: Bool { stream?.isWritable ?? true }

  /// True if the client only gets notifications without values.
  var isNotified: Bool { if case .notices = sink { true } else { false } }

  /// True if the client gets frames with images.
  var takesImages: Bool { if case .images = sink { true } else { false } }

  /// Sends a heartbeat with the position.
  func comment(_ position: WatchPosition?) {
    switch sink {
    case .images(let stream):
      if let position { stream.write(ByteBuffer(bytes: ImageFrame.bytes(.ping, id: position.text))) }
    case .events(let stream):
      stream.write(ByteBuffer(string: ":\n" + (position.map { WatchText.id($0) + "\n" } ?? "\n")))
    case .notices(let stream, let make): stream.write(ByteBuffer(bytes: make(nil)))
    case .once: break
    }
  }

  /// Sends the reason for the end, and closes the stream.
  /// - Parameter event: The text for clients of server-sent events.
  func drop(_ why: String, event: String) {
    guard let stream else { return }
    stream.write(takesImages ? ByteBuffer(bytes: ImageFrame.bytes(.dropped, id: "", payload: Array(why.utf8))) : ByteBuffer(string: event))
    stream.finish()
  }
}

/// A watched player, shared by all its watchers on one event loop.
final class WatchedPlayer {
  let id: PlayerID
  /// The player's stored data; nil until it was read.
  var stored: StoredPlayer?
  /// True while the data is being read.
  var isReading = false
  /// True if the store could not be read, so that watchers are served without the player's data.
  var isTroubled = false
  var watchers: [Watcher] = []

  init(_ id: PlayerID) { self.id = id }

  /// Stores the player's data after a commit, unless newer data is known.
  func take(_ stored: StoredPlayer) {
    if let known = self.stored, known.revision > stored.revision { return }
    self.stored = stored
    isTroubled = false
  }
}
