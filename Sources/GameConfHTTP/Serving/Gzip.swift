// Large answers in fewer bytes, for who takes them so.

internal import CZlib

/// gzip, RFC 1952.
enum Gzip {
  /// The smallest body that is compressed: below it the time costs more than the bytes.
  static let bytesMin = 4 << 10
  /// Fast: answers for all flags shrink to between a third and a twentieth, in some 4 ms a megabyte; level 6 takes twice as long.
  private static let level: Int32 = 1

  /// The bytes as gzip has them; nil when there is no memory for that.
  static func compressed(_ bytes: [UInt8]) -> [UInt8]? {
    var stream = z_stream()
    guard czlib_begin(&stream, level) == Z_OK else { return nil }
    defer { deflateEnd(&stream) }
    let room = Int(deflateBound(&stream, UInt(bytes.count)))
    var input = bytes
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: room) { output, count in
      input.withUnsafeMutableBufferPointer { input in
        (stream.next_in, stream.avail_in) = (input.baseAddress, UInt32(input.count))
        (stream.next_out, stream.avail_out) = (output.baseAddress, UInt32(room))
        isWhole = deflate(&stream, Z_FINISH) == Z_STREAM_END
      }
      count = isWhole ? room - Int(stream.avail_out) : 0
    }
    return isWhole ? output : nil
  }

  /// True if the value of an `Accept-Encoding` takes gzip: named, or by `*`, and not with a weight of zero.
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
