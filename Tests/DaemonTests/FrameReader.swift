// Reads the frames of an image stream from a daemon's socket.

import GameConfCore

/// A watch of images on its own connection.
final class FrameReader {
  /// One frame, with the fields of its image's header.
  struct Frame: Equatable {
    var kind: UInt8
    var id: String
    var payload: [UInt8]

    var revision: Int64 { integer(40) }
    var playerRevision: Int64 { integer(48) }
    var clockAnchor: Int64 { integer(80) }
    var isForPlayer: Bool { flags & 1 != 0 }
    var isPatch: Bool { flags & 2 != 0 }
    var entries: Int64 { integer(68, bytes: 4) }
    private var flags: Int64 { integer(64, bytes: 4) }

    /// True if the frame contains a text.
    func mentions(_ text: String) -> Bool { payload.firstRange(of: Array(text.utf8)) != nil }

    private func integer(_ at: Int, bytes: Int = 8) -> Int64 {
      payload.count < at + bytes ? -1 : payload[at..<(at + bytes)].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
  }

  private let connection: RawConnection
  private var bytes: [UInt8] = []
  let status: Int

  /// Opens a stream and reads the head of its answer.
  init(
    _ socket: String, _ target: String, lastEventID: String? = nil, accept: String = "application/vnd.gameconf.image-stream",
    body: Value? = nil
  ) throws {
    connection = try RawConnection(socket)
    var text = "\(body == nil ? "GET" : "POST") \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: \(accept)\r\n"
    if let lastEventID { text += "Last-Event-ID: \(lastEventID)\r\n" }
    let json = body.map { JSONWriter.bytes($0) } ?? []
    if !json.isEmpty { text += "Content-Type: application/json\r\nContent-Length: \(json.count)\r\n" }
    connection.send(Array((text + "\r\n").utf8) + json)
    status = connection.beginStream() ?? 0
  }

  /// Returns the next frame; nil at the end of the stream.
  func next() -> Frame? {
    while true {
      if bytes.count >= 8 {
        let length = Int(bytes[0]) | Int(bytes[1]) << 8 | Int(bytes[2]) << 16 | Int(bytes[3]) << 24
        let (idEnd, end) = (8 + Int(bytes[5]), 8 + Int(bytes[5]) + length)
        if bytes.count >= end {
          defer { bytes.removeSubrange(..<end) }
          return Frame(kind: bytes[4], id: String(decoding: bytes[8..<idEnd], as: UTF8.self), payload: Array(bytes[idEnd..<end]))
        }
      }
      guard let piece = connection.nextChunk(), !piece.isEmpty else { return nil }
      bytes += piece
    }
  }

  /// Returns the next frame that is not a ping.
  func nextChange() -> Frame? {
    while let frame = next() { if frame.kind != 3 { return frame } }
    return nil
  }
}
