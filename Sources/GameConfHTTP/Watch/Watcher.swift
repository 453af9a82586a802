// One watcher: a connection that is sent events, or a call that waits for one event.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// A watcher on its event loop. It stores the position up to which its client was notified, but no values.
final class Watcher {
  /// The form in which the watcher receives events.
  enum WatcherSink {
    /// Server-sent events with the changed values.
    case events(OutgoingStream)
    /// Binary frames with images and patches.
    case images(OutgoingStream)
    /// Server-sent events without values, which cause the client to request its values again.
    ///
    /// The closure returns the bytes of the event for a position, or those of a heartbeat for nil.
    case notices(OutgoingStream, (WatchPosition?) -> [UInt8])
    /// One answer, at the first event. The closure is called once: with the caller's new state, or with nil when the time is over.
    case once((WatchedState?) -> Void)
  }

  let scope: WatchScope
  let sink: WatcherSink
  let user: UInt32
  /// The program that sent the watcher's request.
  let reader: LiveReader
  /// The time at which the watcher's request was received.
  let since: Instant
  unowned let group: GameWatchers
  let player: WatchedPlayer?
  /// The state that the watcher was last sent; nil until the first event.
  var cursor: WatchCursor?
  /// The position from which the client resumes; nil for a new client and after the first event.
  var resumed: WatchPosition?
  /// The game's revision at the time of the watcher's request.
  let revisionAtStart: Int64
  /// True if the watcher is in the queue for individual events.
  var isDue = false
  /// True if the watcher is in the queue for whole states.
  var awaitsState = false
  /// True if the watcher needs the whole state again, because the position that it was sent is no longer valid.
  var isStale = false
  /// The bytes of the watcher's whole state that its client has not read.
  var stateBytes = 0
  var isOpen = true
  /// The timer that ends a waiting call; nil for a stream.
  var deadline: Scheduled<Void>?
  /// The watcher's indexes: in its game's list of watchers, of its slot in ``HeartbeatWheel``, and within that slot.
  var place = 0
  var slot = 0
  var slotPlace = 0

  init(
    _ scope: WatchScope, _ sink: WatcherSink, in group: GameWatchers, at revision: Int64, player: WatchedPlayer?, user: UInt32,
    reader: LiveReader,
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

  /// True if the client has read enough to be sent another event.
  var isWritable: Bool { stream?.isWritable ?? true }

  /// True if the client gets only notifications without values.
  var isNotified: Bool { if case .notices = sink { true } else { false } }

  /// True if the client gets frames with images.
  var takesImages: Bool { if case .images = sink { true } else { false } }

  /// Sends the client a heartbeat with this position.
  func comment(_ position: WatchPosition?) {
    switch sink {
    case .images(let stream):
      if let position { stream.write(ByteBuffer(bytes: ImageFrame.bytes(.ping, id: position.text))) }
    case .events(let stream):
      stream.write(ByteBuffer(string: ":\n" + (position.map { WatchEventEncoder.id($0) + "\n" } ?? "\n")))
    case .notices(let stream, let make): stream.write(ByteBuffer(bytes: make(nil)))
    case .once: break
    }
  }

  /// Sends the client the reason for the end, and closes the stream.
  /// - Parameter event: The text that clients of server-sent events get instead of the reason.
  func drop(_ why: String, event: String) {
    guard let stream else { return }
    stream.write(takesImages ? ByteBuffer(bytes: ImageFrame.bytes(.dropped, id: "", payload: Array(why.utf8))) : ByteBuffer(string: event))
    stream.finish()
  }
}

/// A watched player on one event loop. All watchers of the player refer to the same object.
final class WatchedPlayer {
  let id: PlayerID
  /// The player's stored data; nil until it has been read from the store.
  var stored: StoredPlayer?
  /// True while the player's data is being read from the store.
  var isReading = false
  /// True if the store could not be read, so that watchers are served without the player's data.
  var isTroubled = false
  var watchers: [Watcher] = []

  init(_ id: PlayerID) { self.id = id }

  /// Replaces the player's data after a committed change, unless newer data is known.
  func take(_ stored: StoredPlayer) {
    if let known = self.stored, known.revision > stored.revision { return }
    self.stored = stored
    isTroubled = false
  }
}
