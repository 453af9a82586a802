// The serialization of an accepted catalog's files, in the database and in a file beside it.

/// Serializes the files of an accepted catalog, and parses them.
///
/// The document has a line `gameconfd accepted 1`, in a fleet a line `fleet ID`, then for each file a line `file LENGTH NAME`, its bytes
/// and a line feed, and last a line `end CHECKSUM` over everything before it. The checksum detects a truncated or edited document.
enum AcceptedCatalogDocument {
  private static let firstLine = "gameconfd accepted 1"
  private static let fleetWord = "fleet "

  static func bytes(of files: [AcceptedFile], in fleet: String? = nil) -> [UInt8] {
    var bytes = Array((firstLine + "\n").utf8)
    // A fleet's id with control characters would break the line format, so it is left out. A fleet never loads a document without an id.
    if let fleet, !fleet.utf8.contains(where: { $0 < 0x20 }) { bytes += Array("\(fleetWord)\(fleet)\n".utf8) }
    for file in files {
      bytes += Array("file \(file.bytes.count) \(file.name)\n".utf8)
      bytes += file.bytes
      bytes.append(UInt8(ascii: "\n"))
    }
    bytes += Array("end \(checksum(bytes[...]))\n".utf8)
    return bytes
  }

  static func files(in bytes: [UInt8]) -> [AcceptedFile]? { document(in: bytes)?.files }

  static func document(in bytes: [UInt8]) -> (fleet: String?, files: [AcceptedFile])? {
    var rest = bytes[...]
    guard line(of: &rest) == firstLine else { return nil }
    var (fleet, files): (String?, [AcceptedFile]) = (nil, [])
    if rest.starts(with: fleetWord.utf8) { fleet = line(of: &rest).map { String($0.dropFirst(fleetWord.count)) } }
    while true {
      let covered = bytes[..<rest.startIndex]
      guard let line = line(of: &rest) else { return nil }
      if line.hasPrefix("end ") { return rest.isEmpty && line == "end \(checksum(covered))" ? (fleet, files) : nil }
      let words = line.split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
      guard words.count == 3, words[0] == "file", let count = Int(words[1]), count >= 0, count < rest.count else { return nil }
      files.append(AcceptedFile(name: String(words[2]), bytes: Array(rest.prefix(count))))
      rest = rest.dropFirst(count)
      guard rest.popFirst() == UInt8(ascii: "\n") else { return nil }
    }
  }

  private static func line(of rest: inout ArraySlice<UInt8>) -> String? {
    guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { rest = rest[(end + 1)...] }
    return String(decoding: rest[..<end], as: UTF8.self)
  }

  /// Returns the FNV-1a hash of the bytes in hexadecimal, which detects accidental damage, not tampering.
  private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
    let hash = bytes.withUnsafeBytes { bytes in
      var hash: UInt64 = 0xcbf2_9ce4_8422_2325
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
      return hash
    }
    return String(hash, radix: 16)
  }
}
