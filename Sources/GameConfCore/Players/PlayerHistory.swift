// A player's history, and the fingerprints of recent requests, by which a repeated request is recognized and not applied again
// (idempotency).

/// An entry of a player's history: an event, a report on an ad or another change.
public struct HistoryEntry: Sendable, Hashable {
  /// The kinds of entries in a player's history.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case event, visit, report, setting, context, score
    case adReset = "ad_reset"
    case adForce = "ad_force"
    case bestsRemoved = "bests_removed"
  }

  /// The number of the entry in the player's history, counted from 1.
  public var number: Int64
  /// The instant at which the entry was written, in the player's simulated time.
  public var at: Instant
  /// The kind of the change or report that the entry records; the members of ``details`` depend on it.
  public var kind: Kind
  /// The further data of the entry, by name; the names depend on ``kind``.
  public var details: ObjectValue

  /// Creates an entry of a player's history, by default without further data.
  public init(number: Int64, at: Instant, kind: Kind, details: ObjectValue = ObjectValue()) {
    self.number = number
    self.at = at
    self.kind = kind
    self.details = details
  }

  /// The name of the event type; nil for an entry that records no event.
  public var event: String? { kind == .event ? details["event"]?.stringValue : nil }
}

/// The identity of a request for deduplication: digests of its id and of its content.
public struct RequestFingerprint: Sendable, Hashable {
  /// The prefix of ``name``, which distinguishes a request id from a position in a client's queue (``SequencePosition``).
  public static let namePrefix = "id:"

  /// The request id that the client sent, which is its idempotency key.
  public let id: String
  /// The name under which the response to the request is stored with a history entry.
  public var name: String { Self.namePrefix + id }
  let idDigest: ArraySlice<UInt8>
  let contentDigest: ArraySlice<UInt8>

  /// Computes the fingerprint of a request.
  /// - Parameters:
  ///   - route: The route of the request. The same id on another route is another request.
  ///   - id: The request id that the client sent: 1 to 128 bytes without control characters.
  ///   - content: The whole content of the request.
  /// - Throws: `.requestIDMalformed`.
  public init(route: String, id: String, content: Value) throws(Refusal) {
    let bytes = id.utf8.count
    guard bytes > 0, bytes <= PlayerLimits.requestIDBytesMax, !id.hasControlCharacter else { throw .requestIDMalformed }
    self.id = id
    idDigest = SHA256.digest(of: "\(route)\u{0}\(id)".utf8).prefix(RequestFingerprints.idDigestBytes)
    contentDigest = SHA256.digest(of: CBOR.bytes(content)).prefix(RequestFingerprints.contentDigestBytes)
  }
}

/// The fingerprints of a player's most recent requests. Each refers to the history entry with which the request's response is stored.
///
/// The fingerprints are concatenated, oldest first. Each consists of the digest of route and id, the digest of the content, and the low
/// byte of the history entry's number. This byte narrows the search for the stored response, which has the request's
/// ``RequestFingerprint/name``.
public struct RequestFingerprints: Sendable, Hashable {
  static let idDigestBytes = 12
  static let contentDigestBytes = 8
  /// The size of one fingerprint in bytes.
  static let stride = idDigestBytes + contentDigestBytes + 1

  /// The concatenated fingerprints, as the database stores them.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty list of fingerprints.
  public init() {}

  /// Decodes fingerprints from the database.
  /// - Throws: ``Fault`` if the size is not a multiple of one fingerprint's size, or exceeds ``PlayerLimits/rememberedMax`` fingerprints.
  public init(bytes: [UInt8]) throws(Fault) {
    guard bytes.count.isMultiple(of: Self.stride), bytes.count <= PlayerLimits.rememberedMax * Self.stride else {
      throw Fault("The requests that are known again take \(bytes.count) bytes, which cannot be.")
    }
    self.bytes = bytes
  }

  /// The number of fingerprints, at most ``PlayerLimits/rememberedMax``.
  public var count: Int { bytes.count / Self.stride }

  /// Finds the most recent stored fingerprint with the request's id, and compares its content digest with the request's. Returns nil if the
  /// id is new.
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

  /// Appends a fingerprint as the most recent one, without removing an older one; ``trim()`` does that.
  mutating func append(_ idDigest: some Sequence<UInt8>, _ contentDigest: some Sequence<UInt8>, entry: Int64) {
    bytes.append(contentsOf: idDigest)
    bytes.append(contentsOf: contentDigest)
    bytes.append(UInt8(truncatingIfNeeded: entry))
  }

  /// Removes the oldest fingerprints beyond ``PlayerLimits/rememberedMax``.
  mutating func trim() { bytes.removeFirst(max(0, bytes.count - PlayerLimits.rememberedMax * Self.stride)) }
}

extension PlayerState {
  /// Finds the history entry that stores the response to a repeated request, and returns the low byte of the entry's number. Returns nil if
  /// the request is new.
  /// - Throws: `.requestIDReused` if the id was used for a request with other content.
  public func answered(_ mark: RequestFingerprint) throws(Refusal) -> UInt8? {
    guard let known = remembered.find(mark) else { return nil }
    guard known.hasSameContent else { throw .requestIDReused(mark.id) }
    return known.entryBits
  }

  /// Stores a request's fingerprint with the number of the history entry that stores its response.
  public mutating func remember(_ mark: RequestFingerprint, at entry: HistoryEntry) {
    remembered.append(mark.idDigest, mark.contentDigest, entry: entry.number)
    remembered.trim()
  }

  /// Adds a history entry about bests that were removed. The bests are rows of the database outside this state.
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
