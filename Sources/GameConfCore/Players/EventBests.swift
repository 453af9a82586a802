// The worth of an event beside its player's scores: the best of a detail's value, and places on leaderboards.

/// A player's best for one value of the details that an event's bests are kept by.
public struct EventBest: Sendable, Hashable {
  /// The details' values, joined by points.
  public var detail: String
  /// The best score; nil where the event carried none.
  public var score: Int64?
  /// True if this event made it.
  public var isBest: Bool

  /// A best.
  public init(detail: String, score: Int64?, isBest: Bool) {
    self.detail = detail
    self.score = score
    self.isBest = isBest
  }
}

/// A best as it is stored.
public struct StoredBest: Sendable, Hashable {
  /// The event.
  public var event: String
  /// The details' values, joined by points.
  public var detail: String
  /// The best score; nil where the event carried none.
  public var score: Int64?
  /// The instant when it was made, by the host's clock.
  public var at: Instant

  /// A best.
  public init(event: String, detail: String, score: Int64?, at: Instant) {
    self.event = event
    self.detail = detail
    self.score = score
    self.at = at
  }
}

/// The rows that an admitted event may improve.
public struct EventBestCandidates: Sendable, Hashable {
  /// A list of a leaderboard.
  public struct Place: Sendable, Hashable {
    /// The board's id.
    public var board: String
    /// The value that the list is for, as text; empty where the board has one list.
    public var per: String

    /// A list.
    public init(board: String, per: String) {
      self.board = board
      self.per = per
    }
  }

  /// The score it carries.
  public var score: Int64?
  /// The key of its best; nil where the event keeps none.
  public var detail: String?
  /// The lists where its score counts.
  public var places: [Place]
}

extension PlayerTerms {
  /// The rows that an admitted event may improve; nil for most events.
  /// - Throws: `.bestDetailTooLong`.
  public func claims(of event: PlayerEvent) throws(Refusal) -> EventBestCandidates? {
    guard let position = rules.event(named: event.name), rules.claims(onEvent: position) else { return nil }
    let definition = catalog.events[position]
    var claims = EventBestCandidates(score: event.score?.losslessInteger, detail: nil, places: [])
    if !definition.bestBy.isEmpty { claims.detail = try definition.bestDetail(of: event.details) }
    if claims.score != nil {
      for at in rules.boards(onEvent: position) {
        let board = catalog.leaderboards[at]
        if let mode = board.mode, mode != event.mode { continue }
        claims.places.append(place(on: board, eventParameters, at: event.occurredAt))
      }
    }
    return claims
  }

  /// The list of a board that counts for the player as parameters are now.
  public func place(on board: Leaderboard) -> EventBestCandidates.Place { place(on: board, parameters, at: nil) }

  /// The list of a board that an event counts on.
  /// - Parameter occurredAt: The time of an event, by the host's clock: a board per day counts it on the list of its day.
  private func place(on board: Leaderboard, _ parameters: any ParameterLookup, at occurredAt: Instant?) -> EventBestCandidates.Place {
    var texts: [String] = []
    for key in board.per {
      guard let value = parameters.value(ofParameter: key) else { return EventBestCandidates.Place(board: board.id, per: "") }
      texts.append((occurredAt.flatMap { daily(value, of: key, at: $0) } ?? value).placeText)
    }
    return EventBestCandidates.Place(board: board.id, per: Leaderboard.listName(of: texts))
  }

  /// The value of a daily hash on the day of a late event outside plays; nil where the value is not today's hash, as where it is overridden.
  private func daily(_ value: Value, of key: String, at occurredAt: Instant) -> Value? {
    guard play == nil, occurredAt < host, case .dailyHash(let salt)? = catalog.parameters.first(where: { $0.key == key })?.defaultValue,
      value == .string(DailyHash.digits(salt: salt, day: DailyHash.day(of: now))),
      let then = now.adding(milliseconds: -host.milliseconds(since: occurredAt))
    else { return nil }
    return .string(DailyHash.digits(salt: salt, day: DailyHash.day(of: then)))
  }
}

extension Leaderboard {
  /// The name of the list for these values: one value as it is; several joined by commas, so that no other values have that name.
  static func listName(of values: [String]) -> String {
    if values.count == 1 { return values[0] }
    return values.map { value in
      String(value.flatMap { $0 == "," ? "%2C" : $0 == "%" ? "%25" : String($0) })
    }.joined(separator: ",")
  }

  /// The number of rows that are shown where parameters are so.
  public func rows(_ parameters: any ParameterLookup) -> Int {
    let rows =
      switch self.rows {
      case .number(let value): value.losslessInteger
      case .parameter(let key): parameters.value(ofParameter: key)?.losslessInteger
      }
    return Int(min(max(rows ?? Self.rowsUsual, 0), Self.rowsMax))
  }

  /// True if the board is shown where parameters are so.
  public func isShown(_ parameters: any ParameterLookup) -> Bool {
    enabled.isOn(parameters)
  }
}

extension Placement.Number {
  /// Returns whether a switch is on where parameters are so.
  public func isOn(_ parameters: any ParameterLookup) -> Bool {
    switch self {
    case .number(let value): value.boolValue ?? true
    case .parameter(let key): parameters.value(ofParameter: key)?.boolValue ?? false
    }
  }
}

extension EventDefinition {
  /// The key of the event's best.
  fileprivate func bestDetail(of details: ObjectValue) throws(Refusal) -> String {
    var parts: [String] = []
    for name in bestBy {
      let type = self.details.first { $0.name == name }?.admits.type ?? .string
      guard let value = details[name] else { throw .detailMissing(name, event: self.name) }
      parts.append((value.coerced(to: type) ?? value).placeText)
    }
    let text = parts.joined(separator: ".")
    guard text.utf8.count <= PlayerLimits.bestDetailBytesMax else { throw .bestDetailTooLong(bytes: text.utf8.count) }
    return text
  }
}

extension Value {
  /// The value where it names a list or a best: text as it is, everything else as JSON.
  fileprivate var placeText: String { stringValue ?? JSONWriter.text(self) }
}
