// Audit lines of one large change in packed form, until each line gets its own row.
internal import GameConfCore

/// A group of audit lines of one change, serialized as one row. Writing such a row costs about as much as writing one line.
///
/// The fields that all lines of a change share (instant, author, action, game, reason, session, revision) are not in the bytes. Each line
/// has nine texts. A text is its length as a 32-bit little-endian integer and its UTF-8; a length of 2³² − 1 marks a missing text.
public struct AuditPack: Sendable {
  /// The most lines in one pack: about as many as a store can insert as rows within some milliseconds.
  public static let linesMax = 128

  /// The fields of an audit line that are packed as texts, because they differ from line to line.
  public enum PackedField: Int, CaseIterable, Sendable {
    /// The player, the key and the time window that the line is about.
    case player, key, window
    /// A value as JSON, as the store writes it.
    case before, after, detail, undoBefore, undoAfter
    /// The number of the line that this line reverts, in decimal digits.
    case reverts
  }

  /// The number of audit lines in the pack.
  public let count: Int
  /// The serialized texts of all lines.
  public private(set) var bytes: [UInt8] = []

  private static let absent = UInt32.max

  /// Packs audit lines, which must all belong to the same change.
  public init(_ lines: some Collection<AuditRecord>) {
    count = lines.count
    bytes.reserveCapacity(lines.count * 256)
    for line in lines {
      for text in [line.player, line.key, line.window] { append(text.map { Array($0.utf8) }) }
      for value in [line.before, line.after, line.detail, line.undo?.before, line.undo?.after] { append(value.map(JSONWriter.bytes)) }
      append(line.reverts.map { Array(String($0).utf8) })
    }
  }

  /// Returns texts in packed form, by which packs can be searched without decoding them.
  public static func bytes(_ texts: [String]) -> [UInt8] {
    var pack = AuditPack([AuditRecord]())
    for text in texts { pack.append(Array(text.utf8)) }
    return pack.bytes
  }

  private mutating func append(_ text: [UInt8]?) {
    let length = text.map { UInt32(truncatingIfNeeded: $0.count) } ?? Self.absent
    withUnsafeBytes(of: length.littleEndian) { bytes.append(contentsOf: $0) }
    bytes += text ?? []
  }

  /// Returns the texts of each line, in the order of ``PackedField``; nil if the bytes do not hold this number of lines.
  public static func texts(in bytes: UnsafeRawBufferPointer, count: Int) -> [[[UInt8]?]]? {
    var lines: [[[UInt8]?]] = []
    var at = 0
    for _ in 0..<count {
      var texts: [[UInt8]?] = []
      for _ in PackedField.allCases {
        guard bytes.count - at >= 4 else { return nil }
        let length = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        at += 4
        if length == absent {
          texts.append(nil)
          continue
        }
        guard bytes.count - at >= Int(length) else { return nil }
        texts.append(Array(bytes[at..<at + Int(length)]))
        at += Int(length)
      }
      lines.append(texts)
    }
    return at == bytes.count ? lines : nil
  }
}

extension AuditRecord {
  /// True if the lines share every field that lines of one change have in common, so that they can be written together.
  public func isOfSameChange(as other: AuditRecord) -> Bool {
    at == other.at && author == other.author && action == other.action && game == other.game && reason == other.reason
      && session == other.session && revision == other.revision && other.revertedBy == nil
  }
}
