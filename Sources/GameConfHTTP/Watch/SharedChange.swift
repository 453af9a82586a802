// A step's change for all watchers who see the same: its bytes are made once.

internal import GameConfEngine
internal import GameConfServer
internal import NIOCore

/// A change that many are sent.
final class SharedChange {
  /// The event without the id; empty where it is nothing, nil where it is too long.
  let text: [UInt8]?
  private var event: (position: WatchPosition, chunk: ByteBuffer)?

  init(_ text: [UInt8]?) { self.text = text }

  /// The event with that id, framed as a chunk; nil where there is none. Whoever is notified in one slice and stands at the same player revision has
  /// the same id, so that the newest is kept.
  func event(at position: WatchPosition) -> ByteBuffer? {
    guard let text, !text.isEmpty else { return nil }
    if let event, event.position == position { return event.chunk }
    let chunk = OutgoingStream.framed(Array(WatchText.id(position).utf8), text)
    event = (position, chunk)
    return chunk
  }
}
