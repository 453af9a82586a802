// Decompresses request bodies up to a limit.

internal import CZlib

/// The reason why bytes cannot be decompressed.
enum GunzipFault: Error, Sendable, Hashable {
  /// The bytes are not gzip (RFC 1951, RFC 1952); with zlib's message if it has one.
  case malformed(String)
  /// The decompressed content exceeds the limit.
  case tooLong(bytesMax: Int)
}

/// Decompresses gzip (RFC 1952).
enum Gunzip {
  /// The number of bytes that one step decompresses.
  private static let pieceBytes = 64 << 10

  /// True if bytes begin with gzip's magic number and its only compression method.
  static func isGzip(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

  /// Returns the decompressed content of all gzip members, and verifies their lengths and checksums.
  /// - Parameter bytesMax: The maximum size of the content. Decompression stops at most one step beyond it, so that a small body cannot
  ///   fill the memory (zip bomb).
  static func unpacked(_ bytes: [UInt8], bytesMax: Int) throws(GunzipFault) -> [UInt8] {
    // zlib stores a pointer to the stream in its state, so the stream must not move in memory.
    let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
    stream.initialize(to: z_stream())
    defer { stream.deallocate() }
    guard czlib_begin_reading(stream) == Z_OK else { throw .malformed("there is no memory for that") }
    defer { inflateEnd(stream) }
    var input = bytes
    var piece = [UInt8](repeating: 0, count: min(max(bytesMax, 0) + 1, pieceBytes))
    var output: [UInt8] = []
    let fault = input.withUnsafeMutableBufferPointer { input in
      (stream.pointee.next_in, stream.pointee.avail_in) = (input.baseAddress, UInt32(clamping: input.count))
      return piece.withUnsafeMutableBufferPointer { piece in unpack(stream, by: piece, into: &output, bytesMax: bytesMax) }
    }
    if let fault { throw fault }
    return output
  }

  private static func unpack(
    _ stream: UnsafeMutablePointer<z_stream>, by piece: UnsafeMutableBufferPointer<UInt8>, into output: inout [UInt8], bytesMax: Int
  ) -> GunzipFault? {
    while true {
      (stream.pointee.next_out, stream.pointee.avail_out) = (piece.baseAddress, UInt32(piece.count))
      let result = inflate(stream, Z_NO_FLUSH)
      let count = piece.count - Int(stream.pointee.avail_out)
      guard output.count + count <= bytesMax else { return .tooLong(bytesMax: bytesMax) }
      output += piece[..<count]
      switch result {
      case Z_OK where stream.pointee.avail_in > 0 || count == piece.count: continue
      case Z_STREAM_END where stream.pointee.avail_in == 0: return nil
      case Z_STREAM_END:
        // A gzip file may consist of several members, one after another.
        guard inflateReset(stream) == Z_OK else { return .malformed("a member cannot be begun") }
      case Z_OK, Z_BUF_ERROR: return .malformed("the bytes end in the middle")
      default: return .malformed(stream.pointee.msg.map { String(cString: $0) } ?? "it is not gzip")
      }
    }
  }
}
