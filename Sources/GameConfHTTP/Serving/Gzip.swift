// Compresses large answers with gzip for clients that accept it.

internal import CZlib
package import GameConfServer

/// Compression with gzip (RFC 1952).
enum Gzip {
  /// The size in bytes of the smallest body that is compressed. For smaller bodies the saved bytes are not worth the time.
  static let bytesMin = 4 << 10
  /// The fastest compression level. It reduces an answer with all flags to between 1/3 and 1/20, in about 4 ms per megabyte. Level 6 takes
  /// twice as long.
  private static let level: Int32 = 1

  /// Returns the compressed bytes; nil if memory cannot be allocated.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_begin(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let bytesMax = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: bytesMax) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(bytesMax))
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = isWhole ? bytesMax - Int(stream.avail_out) : 0
    }
    return isWhole ? output : nil
  }

  /// True if the value of the header `Accept-Encoding` admits gzip, by name or by `*`, with a weight above zero.
  static func isAccepted(by list: String) -> Bool {
    var byStar = false
    for part in list.lowercased().split(separator: ",") {
      let pieces = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
      guard let name = pieces.first else { continue }
      let isRefused = pieces.dropFirst().contains { $0.hasPrefix("q=") && $0.dropFirst(2).allSatisfy { $0 == "0" || $0 == "." } }
      if name == "gzip" || name == "x-gzip" { return !isRefused }
      if name == "*" { byStar = !isRefused }
    }
    return byStar
  }
}

extension Request {
  package var acceptsGzip: Bool { Gzip.isAccepted(by: listHeader("accept-encoding") ?? "") }
}

extension Answer {
  /// Compresses the body with gzip if that pays off. The header `Vary` informs caches that the form depends on the request.
  package mutating func compress() {
    fields.append(Field("Vary", "Accept-Encoding"))
    guard body.count >= Gzip.bytesMin, let compressed = Gzip.compressed(body) else { return }
    body = compressed
    fields.append(Field("Content-Encoding", "gzip"))
  }
}
