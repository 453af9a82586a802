// The personal bests and the lists of leaderboards that an event's score may improve.

/// A player's best score for one combination of values in an event's details.
public struct EventBest: Sendable, Hashable {
  /// The values of the details by which the catalog separates bests (`bestBy`), joined by dots.
  public var detail: String
  /// The best score; nil if the event has no score.
  public var score: Int64?
  /// True if the event that is being recorded set this best.
  public var isBest: Bool

  /// Creates a best.
  /// - Parameter detail: The values of the details, already joined by dots.
  public init(detail: String, score: Int64?, isBest: Bool) {
    self.detail = detail
    self.score = score
    self.isBest = isBest
  }
}

/// A player's best score for one event type and one combination of details, as a row of the database.
public struct StoredBest: Sendable, Hashable {
  /// The name of the event type in the catalog.
  public var event: String
  /// The values of the details by which the catalog separates bests, joined by dots.
  public var detail: String
  /// The best score; nil if the event has no score.
  public var score: Int64?
  /// The instant at which the best was set, by the host's clock.
  public var at: Instant

  /// Creates a best from the columns of its row.
  public init(event: String, detail: String, score: Int64?, at: Instant) {
    self.event = event
    self.detail = detail
    self.score = score
    self.at = at
  }
}

/// The bests and lists of leaderboards that an event may improve. The store compares the event's score with the stored rows.
public struct ImprovableScores: Sendable, Hashable {
  /// One list of a leaderboard. A leaderboard whose `per` names parameters has a list for each combination of their values.
  public struct BoardPartition: Sendable, Hashable {
    /// The id of the leaderboard.
    public var board: String
    /// The name of the list: the values of the leaderboard's parameters as text, joined by commas. It is empty if the leaderboard has only
    /// one list.
    public var per: String

    /// Creates the reference to one list of a leaderboard, from the leaderboard's id and the list's name.
    public init(board: String, per: String) {
      self.board = board
      self.per = per
    }
  }

  /// The event's score; nil if the event has no score, or one that is not a whole number.
  public var score: Int64?
  /// The key of the player's best: the values of the event's details, joined by dots. It is nil if the event type has no bests.
  public var detail: String?
  /// The lists of leaderboards on which the event's score counts.
  public var places: [BoardPartition]
}

extension PlayerTerms {
  /// Returns the bests and the lists of leaderboards that an event may improve; nil if its event type has no bests and no leaderboards,
  /// which is the common case.
  /// - Throws: `.detailMissing`, `.bestDetailTooLong`.
  public func claims(of event: PlayerEvent) throws(Refusal) -> ImprovableScores? {
    guard let position = rules.event(named: event.name), rules.claims(onEvent: position) else { return nil }
    let definition = catalog.events[position]
    var claims = ImprovableScores(score: event.score?.losslessInteger, detail: nil, places: [])
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

  /// Returns the list of a leaderboard on which the player is ranked with the present values of the parameters.
  public func place(on board: Leaderboard) -> ImprovableScores.BoardPartition { place(on: board, parameters, at: nil) }

  /// Returns the list of a leaderboard on which an event counts.
  /// - Parameter occurredAt: The instant of the event by the host's clock. A daily leaderboard counts a late event on the list of the day
  ///   on which it occurred.
  private func place(on board: Leaderboard, _ parameters: any ParameterLookup, at occurredAt: Instant?) -> ImprovableScores.BoardPartition {
    var texts: [String] = []
    for key in board.per {
      guard let value = parameters.value(ofParameter: key) else { return ImprovableScores.BoardPartition(board: board.id, per: "") }
      texts.append((occurredAt.flatMap { daily(value, of: key, at: $0) } ?? value).placeText)
    }
    return ImprovableScores.BoardPartition(board: board.id, per: Leaderboard.listName(of: texts))
  }

  /// Returns the value that a daily hash had on the day of a late event outside a play. Returns nil if the present value is not today's
  /// hash, for example because it is overridden.
  private func daily(_ value: Value, of key: String, at occurredAt: Instant) -> Value? {
    guard play == nil, occurredAt < host, case .dailyHash(let salt)? = catalog.parameters.first(where: { $0.key == key })?.defaultValue,
      value == .string(DailyHash.digits(salt: salt, day: DailyHash.day(of: now))),
      let then = now.adding(milliseconds: -host.milliseconds(since: occurredAt))
    else { return nil }
    return .string(DailyHash.digits(salt: salt, day: DailyHash.day(of: then)))
  }
}

extension Leaderboard {
  /// Returns the name of a leaderboard's list for the values of its parameters. A single value is the name, unchanged. Several values are
  /// joined by commas, and a comma or percent sign inside a value is percent-encoded.
  static func listName(of values: [String]) -> String {
    if values.count == 1 { return values[0] }
    return values.map { value in
      String(value.flatMap { $0 == "," ? "%2C" : $0 == "%" ? "%25" : String($0) })
    }.joined(separator: ",")
  }

  /// Returns the number of rows that the leaderboard shows: the catalog's constant or parameter, clamped to the range from 0 to
  /// ``rowsMax``. The default is ``rowsUsual``.
  public func rows(_ parameters: any ParameterLookup) -> Int {
    let rows =
      switch self.rows {
      case .number(let value): value.losslessInteger
      case .parameter(let key): parameters.value(ofParameter: key)?.losslessInteger
      }
    return Int(min(max(rows ?? Self.rowsUsual, 0), Self.rowsMax))
  }

  /// True if the catalog shows the leaderboard to this player: ``enabled`` is true, as a constant or as a parameter.
  public func isShown(_ parameters: any ParameterLookup) -> Bool {
    enabled.isOn(parameters)
  }
}

extension Placement.NumberSource {
  /// True if the constant or the parameter's value is true. A constant of another type counts as true, and a parameter without a boolean
  /// value as false.
  public func isOn(_ parameters: any ParameterLookup) -> Bool {
    switch self {
    case .number(let value): value.boolValue ?? true
    case .parameter(let key): parameters.value(ofParameter: key)?.boolValue ?? false
    }
  }
}

extension EventDefinition {
  /// Returns the key of the event's best: the values of the details that `bestBy` names, joined by dots.
  /// - Throws: `.detailMissing`, `.bestDetailTooLong`.
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
  /// The value as a part of a leaderboard list's name or of a best's key. A string is unchanged, and any other value is JSON.
  fileprivate var placeText: String { stringValue ?? JSONWriter.text(self) }
}
