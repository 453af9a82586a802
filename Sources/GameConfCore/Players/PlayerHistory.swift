// What is written down of a player's doings, and the requests that are known again.

/// One line of a player's history.
public struct HistoryEntry: Sendable, Hashable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case event, visit, report, setting, context, score
    case adReset = "ad_reset"
    case adForce = "ad_force"
    case bestsRemoved = "bests_removed"
  }

  /// Counts the player's entries from 1.
  public var number: Int64
  /// When it was written, in the player's time.
  public var at: Instant
  /// What happened.
  public var kind: Kind
  /// What else is to be known, by name.
  public var details: ObjectValue

  /// An entry.
  public init(number: Int64, at: Instant, kind: Kind, details: ObjectValue = ObjectValue()) {
    self.number = number
    self.at = at
    self.kind = kind
    self.details = details
  }

  /// Which of the places for the newest entries it takes; it replaces the one that was ``PlayerLimits/historyEntriesMax`` before it.
  public var slot: Int { Int(number % Int64(PlayerLimits.historyEntriesMax)) }
}

/// A request that can be told from others: its id and what it asked.
public struct RequestMark: Sendable, Hashable {
  /// The id as the client gave it.
  public let id: String
  let idDigest: ArraySlice<UInt8>
  let contentDigest: ArraySlice<UInt8>

  /// A request.
  /// - Parameters:
  ///   - route: what was called; the same id means something else at another route.
  ///   - id: 1 to 128 bytes without control characters.
  ///   - content: all that was asked.
  /// - Throws: `.requestIDMalformed`.
  public init(route: String, id: String, content: Value) throws(PlayerFault) {
    let bytes = id.utf8.count
    guard bytes > 0, bytes <= PlayerLimits.requestIDBytesMax, !id.hasControlCharacter else { throw .requestIDMalformed }
    self.id = id
    idDigest = SHA256.digest(of: "\(route)\u{0}\(id)".utf8).prefix(RememberedRequests.idDigestBytes)
    contentDigest = SHA256.digest(of: CBOR.bytes(content)).prefix(RememberedRequests.contentDigestBytes)
  }
}

/// The requests of one player that are known again, and beside which history entries their answers are kept.
///
/// Each is a few bytes, one after the other, the oldest first: the digest of its route and id, the digest of what it asked, and the last byte of
/// its entry's number. That byte is enough, since the newest ``PlayerLimits/historyEntriesMax`` entries are fewer than there are bytes.
public struct RememberedRequests: Sendable, Hashable {
  static let idDigestBytes = 12
  static let contentDigestBytes = 8
  /// How many bytes each takes.
  static let stride = idDigestBytes + contentDigestBytes + 1

  /// What is stored of them.
  public private(set) var bytes: [UInt8] = []

  /// None yet.
  public init() {}

  /// Requests as they were stored.
  /// - Throws: ``PlayerCodingFault`` when the bytes are cut.
  public init(bytes: [UInt8]) throws(PlayerCodingFault) {
    guard bytes.count.isMultiple(of: Self.stride), bytes.count <= PlayerLimits.rememberedMax * Self.stride else {
      throw PlayerCodingFault(message: "The requests that are known again take \(bytes.count) bytes, which cannot be.")
    }
    self.bytes = bytes
  }

  /// How many there are.
  public var count: Int { bytes.count / Self.stride }

  /// The entry that a place's last byte names.
  private func entry(at place: Int, newest: Int64) -> Int64 {
    newest - Int64(UInt8(truncatingIfNeeded: newest) &- bytes[place + Self.stride - 1])
  }

  /// The newest request of that id.
  /// - Parameter newest: the number of the player's newest history entry.
  func find(_ mark: RequestMark, newest: Int64) -> (entry: Int64, hasSameContent: Bool)? {
    var place = bytes.count - Self.stride
    while place >= 0 {
      let content = place + Self.idDigestBytes
      if bytes[place..<content].elementsEqual(mark.idDigest) {
        let hasSameContent = bytes[content..<(content + Self.contentDigestBytes)].elementsEqual(mark.contentDigest)
        return (entry(at: place, newest: newest), hasSameContent)
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

  /// Lets go those that are too many, and those whose entries are gone; to be called whenever there is a newer entry.
  mutating func trim(newest: Int64) {
    var gone = max(0, bytes.count - PlayerLimits.rememberedMax * Self.stride)
    while gone < bytes.count, newest - entry(at: gone, newest: newest) >= Int64(PlayerLimits.historyEntriesMax) { gone += Self.stride }
    bytes.removeFirst(gone)
  }
}

extension PlayerState {
  /// The entry beside which the request's answer is kept; nil when it is new.
  /// - Throws: `.requestIDReused` when the id came with other content.
  public func answered(_ mark: RequestMark) throws(PlayerFault) -> Int64? {
    guard let known = remembered.find(mark, newest: entries) else { return nil }
    guard known.hasSameContent else { throw .requestIDReused(mark.id) }
    return known.entry
  }

  /// Remembers that the answer of a request is kept beside an entry.
  public mutating func remember(_ mark: RequestMark, at entry: HistoryEntry) {
    remembered.append(mark.idDigest, mark.contentDigest, entry: entry.number)
    remembered.trim(newest: entries)
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
    remembered.trim(newest: entries)
    changedAt = now
    return HistoryEntry(number: entries, at: now, kind: kind, details: details)
  }
}
