// The encoded change of a step, shared by all watchers that see the same.

internal import GameConfEngine
internal import GameConfServer
internal import NIOCore

/// A change that is sent to many watchers.
final class SharedChange {
  /// The event without its id; empty for no event, nil if it is too long.
  let text: [UInt8]?
  private var event: (position: WatchPosition, chunk: ByteBuffer)?

  init(_ text: [UInt8]?) { self.text = text }

  /// Returns the event with this id, framed as a chunk; nil if there is no event.
  ///
  /// Watchers in one slice with the same player revision have the same id, so it stores the newest chunk only.
  func event(at position: WatchPosition) -> ByteBuffer? {
    guard let text, !text.isEmpty else { return nil }
    if let event, event.position == position { return event.chunk }
    let chunk = OutgoingStream.framed(Array(WatchText.id(position).utf8), text)
    event = (position, chunk)
    return chunk
  }
}
