// What is written down of a player's doings, and the requests that are known again.

/// One line of a player's history.
public struct HistoryEntry: Sendable, Hashable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    case event, visit, report, setting, context, score
    case adReset = "ad_reset"
    case adForce = "ad_force"
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
  let idDigest: String
  let contentDigest: String

  /// A request.
  /// - Parameters:
  ///   - route: what was called; the same id means something else at another route.
  ///   - id: 1 to 128 bytes without control characters.
  ///   - content: all that was asked.
  /// - Throws: `.requestIDMalformed`.
  public init(route: String, id: String, content: Value) throws(PlayerFault) {
    let bytes = id.utf8.count
    let hasControl = id.unicodeScalars.contains { $0.properties.generalCategory == .control }
    guard bytes > 0, bytes <= PlayerLimits.requestIDBytesMax, !hasControl else { throw .requestIDMalformed }
    self.id = id
    idDigest = SHA256.hex(SHA256.digest(of: "\(route)\u{0}\(id)".utf8).prefix(RememberedRequest.idDigestBytes))
    contentDigest = SHA256.hex(SHA256.digest(of: CBOR.bytes(content)).prefix(RememberedRequest.contentDigestBytes))
  }
}

/// A request that was answered, and where its answer stands.
public struct RememberedRequest: Sendable, Hashable {
  static let idDigestBytes = 12
  static let contentDigestBytes = 8

  /// The digest of its route and id.
  let idDigest: String
  /// The digest of what it asked.
  let contentDigest: String
  /// The number of the history entry beside which its answer is kept.
  public let entry: Int64
}

extension PlayerState {
  /// The entry beside which the request's answer is kept; nil when it is new.
  /// - Throws: `.requestIDReused` when the id came with other content.
  public func answered(_ mark: RequestMark) throws(PlayerFault) -> Int64? {
    guard let known = remembered.last(where: { $0.idDigest == mark.idDigest }) else { return nil }
    guard known.contentDigest == mark.contentDigest else { throw .requestIDReused(mark.id) }
    return known.entry
  }

  /// Remembers that the answer of a request is kept beside an entry.
  public mutating func remember(_ mark: RequestMark, at entry: HistoryEntry) {
    remembered.append(RememberedRequest(idDigest: mark.idDigest, contentDigest: mark.contentDigest, entry: entry.number))
    let oldest = entries - Int64(PlayerLimits.historyEntriesMax)
    let overflow = max(0, remembered.count - PlayerLimits.rememberedMax)
    remembered.removeFirst(overflow)
    remembered.removeAll { $0.entry <= oldest }
  }

  mutating func note(_ kind: HistoryEntry.Kind, _ details: ObjectValue, at now: Instant) -> HistoryEntry {
    entries = entries.raised(by: 1)
    changedAt = now
    return HistoryEntry(number: entries, at: now, kind: kind, details: details)
  }
}
