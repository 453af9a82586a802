// Lines of one large change, packed as they are kept until each has a row of its own.
internal import GameConfCore

/// Lines of the audit log in one piece of bytes: a store can keep them by the hundred in the time of one.
///
/// The lines are of one change: what they share (when, who, what, the game, why, the session, the revision) is not in the bytes. Each has nine texts, each a
/// length in four bytes, the lowest first, and the UTF-8 behind it; a length of 2³² − 1 for a text that is not there.
public struct AuditPack: Sendable {
  /// The most lines that are packed together: about as many as a store gives rows in some milliseconds.
  public static let linesMax = 128

  /// The texts that a line has of its own.
  public enum Text: Int, CaseIterable, Sendable {
    /// The subject of the line.
    case player, key, window
    /// JSON, as a store keeps it.
    case before, after, detail, undoBefore, undoAfter
    /// The number of the line that it takes back, in digits.
    case reverts
  }

  /// The number of lines there are.
  public let count: Int
  /// Their texts.
  public private(set) var bytes: [UInt8] = []

  private static let absent = UInt32.max

  /// Packs lines, which must be of one change.
  public init(_ lines: some Collection<AuditRecord>) {
    count = lines.count
    bytes.reserveCapacity(lines.count * 256)
    for line in lines {
      for text in [line.player, line.key, line.window] { append(text.map { Array($0.utf8) }) }
      for value in [line.before, line.after, line.detail, line.undo?.before, line.undo?.after] { append(value.map(JSONWriter.bytes)) }
      append(line.reverts.map { Array(String($0).utf8) })
    }
  }

  /// The form of such texts in lines, one behind the other.
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

  /// The texts of lines in the order of ``Text``; nil where the bytes are none of so many lines.
  public static func texts(in bytes: UnsafeRawBufferPointer, count: Int) -> [[[UInt8]?]]? {
    var lines: [[[UInt8]?]] = []
    var at = 0
    for _ in 0..<count {
      var texts: [[UInt8]?] = []
      for _ in Text.allCases {
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
  /// True if another line is about the same change at another place.
  public func isOfSameChange(as other: AuditRecord) -> Bool {
    at == other.at && author == other.author && action == other.action && game == other.game && reason == other.reason
      && session == other.session && revision == other.revision && other.revertedBy == nil
  }
}
