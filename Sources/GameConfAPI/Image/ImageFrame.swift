// The frames of an image stream, as they go over the socket.

/// One frame: its payload's length, its kind, the id to resume after it, the payload.
public enum ImageFrame {
  /// The kinds of frame.
  public enum Kind: UInt8, Sendable, Hashable {
    /// A whole image.
    case image = 1
    /// A patch of the image that the stream carried before.
    case patch = 2
    /// Nothing: the id moves on, and the daemon lives.
    case ping = 3
    /// Nothing more: the daemon gives this watcher up; the payload is a text that says why.
    case dropped = 4
  }

  /// The media type of an image.
  public static let imageType = "application/vnd.gameconf.image"
  /// The media type of a stream of frames.
  public static let streamType = "application/vnd.gameconf.image-stream"

  /// The frame's bytes; an id is at most 255 bytes and is cut there.
  public static func bytes(_ kind: Kind, id: String, payload: [UInt8] = []) -> [UInt8] {
    head(kind, id: id, payloadBytes: payload.count) + payload
  }

  /// The frame's bytes up to its payload, which is often the same for thousands while the id is not.
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
