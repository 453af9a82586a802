// The history of a player's doings, and the requests that are known again.

/// One line of a player's history.
public struct HistoryEntry: Sendable, Hashable {
  /// The kinds of entry.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case event, visit, report, setting, context, score
    case adReset = "ad_reset"
    case adForce = "ad_force"
    case bestsRemoved = "bests_removed"
  }

  /// Counts the player's entries from 1.
  public var number: Int64
  /// The instant when it was written, in the player's time.
  public var at: Instant
  /// The kind of entry.
  public var kind: Kind
  /// The further details, by name.
  public var details: ObjectValue

  /// An entry.
  public init(number: Int64, at: Instant, kind: Kind, details: ObjectValue = ObjectValue()) {
    self.number = number
    self.at = at
    self.kind = kind
    self.details = details
  }

  /// The event's name; nil for an entry of another kind.
  public var event: String? { kind == .event ? details["event"]?.stringValue : nil }
}

/// A request that can be distinguished from others: its id and what it asked.
public struct RequestFingerprint: Sendable, Hashable {
  /// The beginning of every ``name``, which no place in a queue has.
  public static let namePrefix = "id:"

  /// The id as the client gave it.
  public let id: String
  /// The request among those whose answers are kept.
  public var name: String { Self.namePrefix + id }
  let idDigest: ArraySlice<UInt8>
  let contentDigest: ArraySlice<UInt8>

  /// A request.
  /// - Parameters:
  ///   - route: what was called; the same id means something else at another route.
  ///   - id: 1 to 128 bytes without control characters.
  ///   - content: all that was asked.
  /// - Throws: `.requestIDMalformed`.
  public init(route: String, id: String, content: Value) throws(Refusal) {
    let bytes = id.utf8.count
    guard bytes > 0, bytes <= PlayerLimits.requestIDBytesMax, !id.hasControlCharacter else { throw .requestIDMalformed }
    self.id = id
    idDigest = SHA256.digest(of: "\(route)\u{0}\(id)".utf8).prefix(RequestFingerprints.idDigestBytes)
    contentDigest = SHA256.digest(of: CBOR.bytes(content)).prefix(RequestFingerprints.contentDigestBytes)
  }
}

/// The requests of one player that are known again, and beside which history entries their answers are kept.
///
/// Each is a few bytes, one after the other, the oldest first: the digest of its route and id, the digest of what it asked, and the last byte of
/// its entry's number. The byte limits the search for the answer, which names its request.
public struct RequestFingerprints: Sendable, Hashable {
  static let idDigestBytes = 12
  static let contentDigestBytes = 8
  /// The number of bytes that each takes.
  static let stride = idDigestBytes + contentDigestBytes + 1

  /// The stored form.
  public private(set) var bytes: [UInt8] = []

  /// An empty list.
  public init() {}

  /// Requests as they were stored.
  /// - Throws: ``Fault`` when the bytes are cut.
  public init(bytes: [UInt8]) throws(Fault) {
    guard bytes.count.isMultiple(of: Self.stride), bytes.count <= PlayerLimits.rememberedMax * Self.stride else {
      throw Fault("The requests that are known again take \(bytes.count) bytes, which cannot be.")
    }
    self.bytes = bytes
  }

  /// The number of fingerprints.
  public var count: Int { bytes.count / Self.stride }

  /// The newest request of that id.
  func find(_ mark: RequestFingerprint) -> (entryBits: UInt8, hasSameContent: Bool)? {
    var place = bytes.count - Self.stride
    while place >= 0 {
      let content = place + Self.idDigestBytes
      if bytes[place..<content].elementsEqual(mark.idDigest) {
        let hasSameContent = bytes[content..<(content + Self.contentDigestBytes)].elementsEqual(mark.contentDigest)
        return (bytes[place + Self.stride - 1], hasSameContent)
      }
      place -= Self.stride
    }
    return nil
  }

  /// Adds one.
  mutating func append(_ idDigest: some Sequence<UInt8>, _ contentDigest: some Sequence<UInt8>, entry: Int64) {
    bytes.append(contentsOf: idDigest)
    bytes.append(contentsOf: contentDigest)
    bytes.append(UInt8(truncatingIfNeeded: entry))
  }

  /// Removes the oldest of too many.
  mutating func trim() { bytes.removeFirst(max(0, bytes.count - PlayerLimits.rememberedMax * Self.stride)) }
}

extension PlayerState {
  /// The last byte of the number of the entry beside which the request's answer is kept; nil when the request is new.
  /// - Throws: `.requestIDReused` when the id came with other content.
  public func answered(_ mark: RequestFingerprint) throws(Refusal) -> UInt8? {
    guard let known = remembered.find(mark) else { return nil }
    guard known.hasSameContent else { throw .requestIDReused(mark.id) }
    return known.entryBits
  }

  /// Remembers that the answer of a request is kept beside an entry.
  public mutating func remember(_ mark: RequestFingerprint, at entry: HistoryEntry) {
    remembered.append(mark.idDigest, mark.contentDigest, entry: entry.number)
    remembered.trim()
  }

  /// Notes that bests were removed, which stand beside the state.
  public mutating func noteBestsRemoved(event: String?, prefix: String?, count: Int, now: Instant) -> HistoryEntry {
    var details = ObjectValue()
    details["event"] = event.map(Value.string)
    details["prefix"] = prefix.map(Value.string)
    details["removed"] = .integer(Int64(count))
    return note(.bestsRemoved, details, at: now)
  }

  mutating func note(_ kind: HistoryEntry.Kind, _ details: ObjectValue, at now: Instant) -> HistoryEntry {
    entries = entries.raised(by: 1)
    changedAt = now
    return HistoryEntry(number: entries, at: now, kind: kind, details: details)
  }
}
