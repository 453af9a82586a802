// The encoded change of a game that all watchers with the same selection of values get.

internal import GameConfEngine
internal import GameConfServer
internal import NIOCore

/// An encoded change of a game, which is sent to many watchers.
final class SharedChange {
  /// The event without its id. It is empty if nothing has changed for these watchers, and nil if it exceeds the limit.
  let text: [UInt8]?
  private var event: (position: WatchPosition, chunk: ByteBuffer)?

  init(_ text: [UInt8]?) { self.text = text }

  /// Returns the event with this position as its id, framed as an HTTP chunk; nil if there is no event.
  ///
  /// Watchers that are notified in one slice and have the same player revision have the same id, so that caching one chunk suffices.
  func event(at position: WatchPosition) -> ByteBuffer? {
    guard let text, !text.isEmpty else { return nil }
    if let event, event.position == position { return event.chunk }
    let chunk = OutgoingStream.framed(Array(WatchEventEncoder.id(position).utf8), text)
    event = (position, chunk)
    return chunk
  }
}
