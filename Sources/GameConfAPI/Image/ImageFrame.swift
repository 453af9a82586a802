// The frames of an image stream on the socket.

/// One frame: its payload's length, its kind, the id to resume after it, the payload.
public enum ImageFrame {
  /// The kinds of frame, by their codes on the wire.
  public enum Kind: UInt8, Sendable, Hashable {
    /// A whole image.
    case image = 1
    /// A patch of the image that the stream carried before.
    case patch = 2
    /// No content: only the id changes, and the client knows that the daemon runs.
    case ping = 3
    /// The end of the stream: the daemon drops this watcher; the payload is a text with the reason.
    case dropped = 4
  }

  /// The media type of one image as a whole body.
  public static let imageType = "application/vnd.gameconf.image"
  /// For clients that accept frames instead of server-sent events.
  public static let streamType = "application/vnd.gameconf.image-stream"

  /// Returns the frame's bytes. An id is cut at 255 bytes.
  public static func bytes(_ kind: Kind, id: String, payload: [UInt8] = []) -> [UInt8] {
    head(kind, id: id, payloadBytes: payload.count) + payload
  }

  /// Returns the frame's bytes before the payload. Thousands of watchers often share one payload with different ids.
  public static func head(_ kind: Kind, id: String, payloadBytes: Int) -> [UInt8] {
    let id = Array(id.utf8.prefix(255))
    var bytes: [UInt8] = []
    bytes.reserveCapacity(8 + id.count)
    withUnsafeBytes(of: UInt32(truncatingIfNeeded: payloadBytes).littleEndian) { bytes.append(contentsOf: $0) }
    bytes += [kind.rawValue, UInt8(id.count), 0, 0]
    bytes += id
    return bytes
  }
}
