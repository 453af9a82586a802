// The stored form of a player's state: one compact JSON text for one row of the database.

extension PlayerState {
  /// The version of the format that ``storedJSON`` writes. A state of a later version is rejected.
  public static let formatVersion: Int64 = 1

  /// The state as JSON with one- or two-letter names and positional lists. Members with their initial value are omitted. ``remembered`` is
  /// not included, because it has its own column.
  public var storedJSON: [UInt8] {
    var json = JSONBuilder(reserving: 1_024 + 64 * ads.decisions.count)
    json.beginObject()
    json.member("v", Self.formatVersion)
    json.member("c", createdAt.milliseconds)
    json.member("m", changedAt.milliseconds)
    if lifetimeScore != 0 { json.member("s", lifetimeScore) }
    if gamesPlayed != 0 { json.member("g", gamesPlayed) }
    if let bestScore { json.member("b", bestScore) }
    json.members("bm", bestScores) { $0.integer($1) }
    json.members("e", eventCounts) { $0.integer($1) }
    json.members("em", modeCounts) { $0.object($1) { $0.integer($1) } }
    json.members("u", milestones) { $0.instant($1) }
    if visits.count > 0 {
      json.name("vi")
      json.beginList()
      json.integer(visits.count)
      json.instant(visits.openedAt)
      json.instant(visits.activeAt)
      json.endList()
    }
    json.members("st", settings) { $0.value($1) }
    if !context.isEmpty {
      json.name("cx")
      json.value(.object(context))
    }
    json.members("p", ads.placements) { $1.append(to: &$0) }
    if let reward = ads.lastRewardAt { json.member("r", reward.milliseconds) }
    if ads.decisionsMade != 0 { json.member("dn", ads.decisionsMade) }
    if !ads.decisions.isEmpty {
      json.name("d")
      json.beginList()
      for decision in ads.decisions { decision.append(to: &json) }
      json.endList()
    }
    if entries != 0 { json.member("n", entries) }
    json.endObject()
    return json.bytes
  }

  /// Decodes the state from ``storedJSON``.
  /// - Parameter requests: The fingerprints of recent requests, from their own column. It is nil for a state that an earlier version
  ///   stored, which contains them.
  public init(decoding value: Value, requests: [UInt8]? = nil) throws(Fault) {
    let reader = try StoredPlayerReader(value)
    let version = try reader.integer("v", in: 1...Int64.max) ?? 0
    guard version == Self.formatVersion else {
      throw Fault("The player is of format \(version); this version reads \(Self.formatVersion).")
    }
    guard let createdAt = try reader.instant("c") else { throw reader.fault("c") }
    self.init(createdAt: createdAt)
    changedAt = try reader.instant("m") ?? createdAt
    lifetimeScore = try reader.integer("s", in: 0...Int64.max) ?? 0
    gamesPlayed = try reader.integer("g") ?? 0
    bestScore = try reader.integer("b", in: 0...Int64.max)
    bestScores = try reader.members("bm") { $0.integerValue }
    eventCounts = try reader.members("e") { $0.countValue }
    modeCounts = try reader.members("em") { modes in
      modes.objectValue.map { $0.members.reduce(into: [:]) { $0[$1.name] = $1.value.countValue } }
    }
    milestones = try reader.members("u") { $0.instantValue }
    if let visits = try reader.list("vi") {
      guard let count = visits.first?.countValue else { throw reader.fault("vi") }
      self.visits.count = count
      self.visits.openedAt = visits.dropFirst().first?.instantValue
      self.visits.activeAt = visits.dropFirst(2).first?.instantValue
    }
    settings = try reader.members("st") { $0 }
    context = try reader.object("cx") ?? ObjectValue()
    ads.placements = try reader.members("p") { PlacementHistory(decoding: $0) }
    ads.lastRewardAt = try reader.instant("r")
    ads.decisionsMade = try reader.integer("dn") ?? 0
    ads.decisions = try reader.elements("d") { AdShow(decoding: $0) }
    entries = try reader.integer("n") ?? 0
    if let requests {
      remembered = try RequestFingerprints(bytes: requests)
    } else if let parts = try reader.list("q") {
      remembered = try Self.requests(within: parts, newest: entries, reader)
    }
  }
}

extension PlacementHistory {
  fileprivate func append(to json: inout JSONBuilder) {
    json.beginList()
    json.integer(count)
    json.bool(hasRestarted)
    json.instant(restartedAt)
    json.instant(exemptionsAppliedThrough)
    json.bool(isOwed)
    json.bool(isForced)
    json.integer(settledThrough)
    json.beginList()
    for show in shows {
      json.instant(show.at)
      json.integer(show.decision)
    }
    json.endList()
    json.integer(showsEver)
    json.integer(visit)
    json.integer(showsInVisit)
    json.endList()
  }

  fileprivate init?(decoding value: Value) {
    guard let parts = value.listValue, parts.count == 11, let count = parts[0].countValue, let hasRestarted = parts[1].boolValue,
      let isOwed = parts[4].boolValue, let isForced = parts[5].boolValue, let settledThrough = parts[6].countValue,
      let shows = parts[7].listValue, shows.count.isMultiple(of: 2), let showsEver = parts[8].countValue,
      let visit = parts[9].countValue,
      let showsInVisit = parts[10].countValue
    else { return nil }
    self.count = count
    self.hasRestarted = hasRestarted
    restartedAt = parts[2].instantValue
    exemptionsAppliedThrough = parts[3].instantValue
    self.isOwed = isOwed
    self.isForced = isForced
    self.settledThrough = settledThrough
    for at in stride(from: 0, to: shows.count, by: 2) {
      guard let instant = shows[at].instantValue, let decision = shows[at + 1].countValue else { return nil }
      self.shows.append(ShownAd(at: instant, decision: decision))
    }
    self.showsEver = showsEver
    self.visit = visit
    self.showsInVisit = showsInVisit
  }
}

extension AdShow {
  fileprivate func append(to json: inout JSONBuilder) {
    json.beginList()
    json.integer(number)
    json.string(placement)
    json.instant(at)
    json.integer(visit)
    if let outcome { json.string(outcome.rawValue) } else { json.null() }
    json.bool(isRewarded)
    json.endList()
  }

  fileprivate init?(decoding value: Value) {
    guard let parts = value.listValue, parts.count == 6, let number = parts[0].countValue, let placement = parts[1].stringValue,
      let at = parts[2].instantValue, let visit = parts[3].countValue, let isRewarded = parts[5].boolValue
    else { return nil }
    let outcome = parts[4].stringValue.flatMap(AdOutcome.init)
    self.init(number: number, placement: placement, at: at, visit: visit, outcome: outcome, isRewarded: isRewarded)
  }
}

extension PlayerState {
  /// Decodes the fingerprints that earlier versions stored inside the state. Each is a text of hexadecimal digits, followed by the number
  /// of its history entry.
  private static func requests(
    within parts: [Value], newest: Int64, _ reader: StoredPlayerReader
  ) throws(Fault) -> RequestFingerprints {
    guard parts.count.isMultiple(of: 2) else { throw reader.fault("q") }
    var requests = RequestFingerprints()
    for at in stride(from: 0, to: parts.count, by: 2) {
      guard let digits = parts[at].stringValue, let digests = bytes(ofHex: digits),
        digests.count == RequestFingerprints.idDigestBytes + RequestFingerprints.contentDigestBytes, let entry = parts[at + 1].countValue
      else { throw reader.fault("q") }
      // An earlier version removed outdated fingerprints only when it added the next one, so the stored list may still have some.
      if newest - entry >= Int64(PlayerLimits.historyEntriesMax) { continue }
      let split = RequestFingerprints.idDigestBytes
      requests.append(digests[..<split], digests[split...], entry: entry)
    }
    requests.trim()
    return requests
  }

  private static func bytes(ofHex digits: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: Int?
    for character in digits {
      guard let digit = character.hexDigitValue else { return nil }
      if let first = high {
        bytes.append(UInt8(first << 4 | digit))
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }
}

extension HistoryEntry {
  /// The entry as a JSON list of instant, kind and details. The entry's number is not included, because it has its own column.
  public var storedJSON: [UInt8] {
    var json = JSONBuilder(reserving: 192)
    json.beginList()
    json.instant(at)
    json.string(kind.rawValue)
    json.value(.object(details))
    json.endList()
    return json.bytes
  }

  /// Decodes the entry from ``storedJSON`` and its number.
  public init(number: Int64, decoding value: Value) throws(Fault) {
    guard let parts = value.listValue, parts.count == 3, let at = parts[0].instantValue, let name = parts[1].stringValue,
      let kind = Kind(rawValue: name), let details = parts[2].objectValue
    else { throw Fault("A history entry has another form than expected.") }
    self.init(number: number, at: at, kind: kind, details: details)
  }
}

/// Reads the members of a stored player's JSON object. Its errors name the malformed member.
struct StoredPlayerReader {
  private let object: ObjectValue

  init(_ value: Value) throws(Fault) {
    guard let object = value.objectValue else { throw Fault("A stored player is an object.") }
    self.object = object
  }

  func fault(_ name: String) -> Fault {
    Fault("“\(name)” of a stored player has another form than expected.")
  }

  func integer(_ name: String, in range: ClosedRange<Int64> = Value.counts) throws(Fault) -> Int64? {
    guard let value = object[name] else { return nil }
    guard let integer = value.integerValue, range.contains(integer) else { throw fault(name) }
    return integer
  }

  func instant(_ name: String) throws(Fault) -> Instant? {
    guard let value = object[name] else { return nil }
    guard let instant = value.instantValue else { throw fault(name) }
    return instant
  }

  func list(_ name: String) throws(Fault) -> [Value]? {
    guard let value = object[name] else { return nil }
    guard let list = value.listValue else { throw fault(name) }
    return list
  }

  func object(_ name: String) throws(Fault) -> ObjectValue? {
    guard let value = object[name] else { return nil }
    guard let object = value.objectValue else { throw fault(name) }
    return object
  }

  func members<Member>(_ name: String, _ read: (Value) -> Member?) throws(Fault) -> [String: Member] {
    var members: [String: Member] = [:]
    for member in try object(name)?.members ?? [] {
      guard let value = read(member.value) else { throw fault(name) }
      members[member.name] = value
    }
    return members
  }

  func elements<Element>(_ name: String, _ read: (Value) -> Element?) throws(Fault) -> [Element] {
    var elements: [Element] = []
    for value in try list(name) ?? [] {
      guard let element = read(value) else { throw fault(name) }
      elements.append(element)
    }
    return elements
  }
}

extension Value {
  /// The instant for an integer of milliseconds since 1970; nil if it is outside the calendar.
  package var instantValue: Instant? { integerValue.flatMap(Instant.init(stored:)) }

  /// The integer if it is valid as a stored counter or revision; else nil.
  package var countValue: Int64? { integerValue.flatMap { Self.counts.contains($0) ? $0 : nil } }

  /// The range of counters and revisions that are accepted from the database. It leaves space for further increments without overflow.
  package static let counts: ClosedRange<Int64> = 0...(1 << 62) - 1
}

extension JSONBuilder {
  /// Appends an instant as milliseconds since 1970, or null.
  mutating func instant(_ instant: Instant?) {
    if let instant { integer(instant.milliseconds) } else { null() }
  }

  /// Appends an object with its members sorted by name, so that equal states have equal bytes.
  mutating func object<Member>(_ members: [String: Member], _ append: (inout JSONBuilder, Member) -> Void) {
    beginObject()
    // Most objects have one member. They are written without the array that sorting would allocate.
    if members.count == 1, let (name, member) = members.first {
      self.name(name)
      append(&self, member)
    } else {
      for (name, member) in members.sorted(by: { $0.key < $1.key }) {
        self.name(name)
        append(&self, member)
      }
    }
    endObject()
  }

  fileprivate mutating func member(_ name: StaticString, _ number: Int64) {
    self.name(name)
    integer(number)
  }

  /// Appends a member with an object as value, unless the object is empty.
  fileprivate mutating func members<Member>(
    _ name: StaticString, _ members: [String: Member], _ append: (inout JSONBuilder, Member) -> Void
  ) {
    if members.isEmpty { return }
    self.name(name)
    object(members, append)
  }
}
