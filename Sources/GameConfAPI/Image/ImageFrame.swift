// The binary frames in which the daemon streams images over a socket.

/// A frame of an image stream. Its header has the payload's length, the kind, and the event id from which a client can resume.
public enum ImageFrame {
  /// The kinds of frame, by their codes on the wire.
  public enum Kind: UInt8, Sendable, Hashable {
    /// The payload is a whole image.
    case image = 1
    /// The payload is a patch of the image that the same stream sent before.
    case patch = 2
    /// A heartbeat without payload: only the event id changes, and the client sees that the daemon runs.
    case ping = 3
    /// The last frame of a stream that the daemon ends. The payload is a text with the reason.
    case dropped = 4
  }

  /// The media type of a body that is one image.
  public static let imageType = "application/vnd.gameconf.image"
  /// The media type of a stream of frames, for clients that accept frames instead of server-sent events.
  public static let streamType = "application/vnd.gameconf.image-stream"

  /// Returns a whole frame. An id is cut at 255 bytes.
  public static func bytes(_ kind: Kind, id: String, payload: [UInt8] = []) -> [UInt8] {
    head(kind, id: id, payloadBytes: payload.count) + payload
  }

  /// Returns a frame's bytes before the payload. Thousands of watchers often get one payload with different ids.
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
