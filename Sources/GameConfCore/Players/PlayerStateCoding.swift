// A player's state as one small value, for one row of a store.

/// Why a stored player cannot be read.
public struct PlayerCodingFault: Error, Sendable, Hashable {
  /// What is wrong, and where.
  public var message: String
}

extension PlayerState {
  /// The form that ``encoded`` writes. A greater one is refused, a smaller one is still read.
  public static let formatVersion: Int64 = 1

  /// The state as a value: short names, lists by position, and what is as at the start left away.
  public var encoded: Value {
    var object: ObjectValue = [
      "v": .integer(Self.formatVersion), "c": .integer(createdAt.milliseconds), "m": .integer(changedAt.milliseconds),
    ]
    object.set("s", lifetimeScore)
    object.set("g", gamesPlayed)
    object["b"] = bestScore.map(Value.integer)
    object.set("bm", bestScores.mapValues(Value.integer))
    object.set("e", eventCounts.mapValues(Value.integer))
    object.set("em", modeCounts.mapValues { .object($0.mapValues(Value.integer).object) })
    object.set("u", milestones.mapValues { .integer($0.milliseconds) })
    if visits.count > 0 { object["vi"] = [.integer(visits.count), visits.openedAt.encoded, visits.activeAt.encoded] }
    object.set("st", settings)
    if !context.isEmpty { object["cx"] = .object(context) }
    object.set("p", ads.placements.mapValues(\.encoded))
    object["r"] = ads.lastRewardAt.map { .integer($0.milliseconds) }
    object.set("dn", ads.decisionsMade)
    if !ads.decisions.isEmpty { object["d"] = .list(ads.decisions.map(\.encoded)) }
    object.set("n", entries)
    if !remembered.isEmpty { object["q"] = .list(remembered.flatMap { [.string($0.idDigest + $0.contentDigest), .integer($0.entry)] }) }
    return .object(object)
  }

  /// The state that ``encoded`` wrote.
  public init(decoding value: Value) throws(PlayerCodingFault) {
    let reader = try PlayerValueReader(value)
    let version = try reader.integer("v", in: 1...Int64.max) ?? 0
    guard version == Self.formatVersion else {
      throw PlayerCodingFault(message: "The player is of format \(version); this version reads \(Self.formatVersion).")
    }
    guard let createdAt = try reader.instant("c") else { throw reader.fault("c") }
    self.init(createdAt: createdAt)
    changedAt = try reader.instant("m") ?? createdAt
    lifetimeScore = try reader.integer("s") ?? 0
    gamesPlayed = try reader.integer("g") ?? 0
    bestScore = try reader.integer("b")
    bestScores = try reader.members("bm") { $0.integerValue }
    eventCounts = try reader.members("e") { $0.integerValue }
    modeCounts = try reader.members("em") { modes in
      modes.objectValue.map { $0.members.reduce(into: [:]) { $0[$1.name] = $1.value.integerValue } }
    }
    milestones = try reader.members("u") { $0.instantValue }
    if let visits = try reader.list("vi") {
      self.visits.count = visits.first?.integerValue ?? 0
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
    remembered = try RememberedRequest.decode(reader.list("q") ?? [], reader)
  }
}

extension PlacementHistory {
  fileprivate var encoded: Value {
    [
      .integer(count), .bool(hasRestarted), restartedAt.encoded, heededThrough.encoded, .bool(isOwed), .bool(isForced),
      .integer(settledThrough),
      .list(shows.flatMap { [.integer($0.at.milliseconds), .integer($0.decision)] }), .integer(showsEver), .integer(visit),
      .integer(showsInVisit),
    ]
  }

  fileprivate init?(decoding value: Value) {
    guard let parts = value.listValue, parts.count == 11, let count = parts[0].integerValue, let hasRestarted = parts[1].boolValue,
      let isOwed = parts[4].boolValue, let isForced = parts[5].boolValue, let settledThrough = parts[6].integerValue,
      let shows = parts[7].listValue, shows.count.isMultiple(of: 2), let showsEver = parts[8].integerValue,
      let visit = parts[9].integerValue,
      let showsInVisit = parts[10].integerValue
    else { return nil }
    self.count = count
    self.hasRestarted = hasRestarted
    restartedAt = parts[2].instantValue
    heededThrough = parts[3].instantValue
    self.isOwed = isOwed
    self.isForced = isForced
    self.settledThrough = settledThrough
    for at in stride(from: 0, to: shows.count, by: 2) {
      guard let instant = shows[at].instantValue, let decision = shows[at + 1].integerValue else { return nil }
      self.shows.append(Show(at: instant, decision: decision))
    }
    self.showsEver = showsEver
    self.visit = visit
    self.showsInVisit = showsInVisit
  }
}

extension AdShow {
  fileprivate var encoded: Value {
    [
      .integer(number), .string(placement), .integer(at.milliseconds), .integer(visit), outcome.map { .string($0.rawValue) } ?? .null,
      .bool(isRewarded),
    ]
  }

  fileprivate init?(decoding value: Value) {
    guard let parts = value.listValue, parts.count == 6, let number = parts[0].integerValue, let placement = parts[1].stringValue,
      let at = parts[2].instantValue, let visit = parts[3].integerValue, let isRewarded = parts[5].boolValue
    else { return nil }
    let outcome = parts[4].stringValue.flatMap(AdOutcome.init)
    self.init(number: number, placement: placement, at: at, visit: visit, outcome: outcome, isRewarded: isRewarded)
  }
}

extension RememberedRequest {
  fileprivate static func decode(_ parts: [Value], _ reader: PlayerValueReader) throws(PlayerCodingFault) -> [RememberedRequest] {
    guard parts.count.isMultiple(of: 2) else { throw reader.fault("q") }
    var requests: [RememberedRequest] = []
    for at in stride(from: 0, to: parts.count, by: 2) {
      guard let digests = parts[at].stringValue, digests.utf8.count == 2 * (idDigestBytes + contentDigestBytes),
        let entry = parts[at + 1].integerValue
      else { throw reader.fault("q") }
      let split = 2 * idDigestBytes
      requests.append(
        RememberedRequest(idDigest: String(digests.prefix(split)), contentDigest: String(digests.dropFirst(split)), entry: entry))
    }
    return requests
  }
}

extension HistoryEntry {
  /// The entry as a value, its number aside.
  public var encoded: Value { [.integer(at.milliseconds), .string(kind.rawValue), .object(details)] }

  /// The entry that ``encoded`` wrote.
  public init(number: Int64, decoding value: Value) throws(PlayerCodingFault) {
    guard let parts = value.listValue, parts.count == 3, let at = parts[0].instantValue, let name = parts[1].stringValue,
      let kind = Kind(rawValue: name), let details = parts[2].objectValue
    else { throw PlayerCodingFault(message: "A history entry has another form than expected.") }
    self.init(number: number, at: at, kind: kind, details: details)
  }
}

/// Takes the members of a stored value one by one.
struct PlayerValueReader {
  private let object: ObjectValue

  init(_ value: Value) throws(PlayerCodingFault) {
    guard let object = value.objectValue else { throw PlayerCodingFault(message: "A stored player is an object.") }
    self.object = object
  }

  func fault(_ name: String) -> PlayerCodingFault {
    PlayerCodingFault(message: "`\(name)` of a stored player has another form than expected.")
  }

  func integer(_ name: String, in range: ClosedRange<Int64> = 0...Int64.max) throws(PlayerCodingFault) -> Int64? {
    guard let value = object[name] else { return nil }
    guard let integer = value.integerValue, range.contains(integer) else { throw fault(name) }
    return integer
  }

  func instant(_ name: String) throws(PlayerCodingFault) -> Instant? {
    guard let value = object[name] else { return nil }
    guard let instant = value.instantValue else { throw fault(name) }
    return instant
  }

  func list(_ name: String) throws(PlayerCodingFault) -> [Value]? {
    guard let value = object[name] else { return nil }
    guard let list = value.listValue else { throw fault(name) }
    return list
  }

  func object(_ name: String) throws(PlayerCodingFault) -> ObjectValue? {
    guard let value = object[name] else { return nil }
    guard let object = value.objectValue else { throw fault(name) }
    return object
  }

  func members<Member>(_ name: String, _ read: (Value) -> Member?) throws(PlayerCodingFault) -> [String: Member] {
    var members: [String: Member] = [:]
    for member in try object(name)?.members ?? [] {
      guard let value = read(member.value) else { throw fault(name) }
      members[member.name] = value
    }
    return members
  }

  func elements<Element>(_ name: String, _ read: (Value) -> Element?) throws(PlayerCodingFault) -> [Element] {
    var elements: [Element] = []
    for value in try list(name) ?? [] {
      guard let element = read(value) else { throw fault(name) }
      elements.append(element)
    }
    return elements
  }
}

extension Value {
  /// The instant that an integer of milliseconds names.
  var instantValue: Instant? {
    guard let milliseconds = integerValue, (Instant.earliest.milliseconds...Instant.latest.milliseconds).contains(milliseconds) else {
      return nil
    }
    return Instant(milliseconds: milliseconds)
  }
}

extension Instant? {
  /// Milliseconds, or null.
  var encoded: Value { map { .integer($0.milliseconds) } ?? .null }
}

extension ObjectValue {
  fileprivate mutating func set(_ name: String, _ number: Int64) {
    if number != 0 { self[name] = .integer(number) }
  }

  fileprivate mutating func set(_ name: String, _ members: [String: Value]) {
    if !members.isEmpty { self[name] = .object(members.object) }
  }
}

extension [String: Value] {
  /// The members as an object, by name.
  var object: ObjectValue { ObjectValue(sorted { $0.key < $1.key }.map { ($0.key, $0.value) }) }
}
