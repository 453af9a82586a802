// One watcher: a connection that is sent what changes, or one call that waits for it.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// A watcher on its event loop; it keeps no values, only where it stands.
final class Watcher {
  /// The way of events.
  enum Sink {
    /// Server-sent events of values and parts.
    case events(OutgoingStream)
    /// Frames of images and patches.
    case images(OutgoingStream)
    /// Server-sent events that only say: ask again.
    ///
    /// What is sent for a position, and for none as a sign of life.
    case notices(OutgoingStream, (WatchPosition?) -> [UInt8])
    /// One answer, as soon as there is anything to send; called once, with what the caller sees then, or with nothing when the time is over.
    case once((WatchedState?) -> Void)
  }

  let scope: WatchScope
  let sink: Sink
  /// The user of the connection.
  let user: UInt32
  /// The sender of its request.
  let reader: LiveReader
  /// The time at which it came.
  let since: Instant
  unowned let room: WatchRoom
  /// The player it watches; nil without one.
  let player: WatchedPlayer?
  /// The position; nil until it was sent anything.
  var cursor: WatchCursor?
  /// The position that it says it had when it came.
  var resumed: WatchPosition?
  /// The revision of the game when it came: what it asked for then, it asked of that.
  let revisionAtStart: Int64
  /// True if it waits in the queue for its next event.
  var isDue = false
  /// True if it waits in the queue of those that are sent everything.
  var awaitsState = false
  /// True if it must be sent everything again, since what it knows counts no more.
  var isStale = false
  /// Bytes of its state that the client has not taken.
  var stateBytes = 0
  var isOpen = true
  /// The deadline of a call that waits.
  var deadline: Scheduled<Void>?
  /// Its places in the room's list and in the loop's wheel of comments.
  var place = 0
  var slot = 0
  var slotPlace = 0

  init(
    _ scope: WatchScope, _ sink: Sink, in room: WatchRoom, at revision: Int64, player: WatchedPlayer?, user: UInt32, reader: LiveReader,
    since: Instant, resumed: WatchPosition?
  ) {
    self.scope = scope
    self.reader = reader
    self.since = since
    revisionAtStart = revision
    self.sink = sink
    self.room = room
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

  /// True if the client takes what it is sent.
  var isWritable: Bool { stream?.isWritable ?? true }

  /// True if it is sent only that something is another.
  var isNotified: Bool { if case .notices = sink { true } else { false } }

  /// True if it is sent frames of images.
  var takesImages: Bool { if case .images = sink { true } else { false } }

  /// Shows that the connection lives, and where it stands.
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

  /// Says why nothing more is sent, and ends.
  /// - Parameter event: what those are sent who take events.
  func drop(_ why: String, event: String) {
    guard let stream else { return }
    stream.write(takesImages ? ByteBuffer(bytes: ImageFrame.bytes(.dropped, id: "", payload: Array(why.utf8))) : ByteBuffer(string: event))
    stream.finish()
  }
}

/// The known data of a player that somebody watches; one object for all watchers of the player on one event loop.
final class WatchedPlayer {
  let id: PlayerID
  /// The stored player; nil while it has not been read.
  var stored: StoredPlayer?
  /// True if it is being read.
  var isReading = false
  /// True if the store could not be asked, so that watchers do without.
  var isTroubled = false
  var watchers: [Watcher] = []

  init(_ id: PlayerID) { self.id = id }

  /// Takes what a commit made of the player, unless something newer is known.
  func take(_ stored: StoredPlayer) {
    if let known = self.stored, known.revision > stored.revision { return }
    self.stored = stored
    isTroubled = false
  }
}
