// An event that a game reports about a player, and its validation against the catalog.

/// An event as the game reported it, not validated yet.
public struct PlayerEvent: Sendable, Hashable {
  /// The name of the event type, which the catalog must declare.
  public var name: String
  /// The game mode in which the event occurred; nil if the event has no mode.
  public var mode: String?
  /// The score as the game sent it, not validated yet.
  public var score: Value?
  /// One of the reasons that the event type declares; nil if the game sent no reason.
  public var reason: String?
  /// The values of the fields that the event type declares as `details`, by name.
  public var details: ObjectValue
  /// The instant at which the event occurred, by the host's clock; nil means the present.
  public var occurredAt: Instant?
  /// The play that the event belongs to; nil if it occurred outside a play.
  public var play: EventPlay?

  /// Creates an event, by default one that occurs in the present and outside a play.
  public init(
    name: String, mode: String? = nil, score: Value? = nil, reason: String? = nil, details: ObjectValue = ObjectValue(),
    occurredAt: Instant? = nil, play: EventPlay? = nil
  ) {
    self.name = name
    self.mode = mode
    self.score = score
    self.reason = reason
    self.details = details
    self.occurredAt = occurredAt
    self.play = play
  }
}

/// An event that has been validated against the catalog and may be recorded.
struct AdmittedEvent {
  /// The index of the event type in the catalog.
  var position: Int
  var name: String
  var mode: String?
  var score: Int64?
  var reason: String?
  /// The details, converted to the types that the catalog declares.
  var details: ObjectValue
  var isAnalytics: Bool
  /// The instant at which the event occurred, by the host's clock.
  var occurredAt: Instant
  /// The instant of the event in the player's simulated time. It is as long before the simulated present as ``occurredAt`` is before the
  /// host's present.
  var simulatedAt: Instant
  /// True if the event occurred before the present of the host's clock.
  var isLate: Bool
  /// True if the client sent the time of the event; false if the daemon set it to the present.
  var isDated: Bool
}

extension PlayerRules {
  /// Validates an event against its declaration in the catalog.
  /// - Parameters:
  ///   - terms: The player's clock and parameters. The age of an event is measured by the host's clock, so a moved simulated clock makes no
  ///     event too old. If the range of a detail names a parameter, the value that the play pinned is used.
  func admit(_ event: PlayerEvent, under terms: PlayerTerms) throws(Refusal) -> AdmittedEvent {
    guard let position = self.event(named: event.name) else {
      throw .unknownEvent(event.name, hint: NearestNames.hint(for: event.name, among: catalog.events.map(\.name)))
    }
    let definition = catalog.events[position]
    if let mode = event.mode, !catalog.modes.contains(mode) {
      throw .unknownMode(mode, hint: NearestNames.hint(for: mode, among: catalog.modes))
    }
    if let mode = event.mode, !definition.modes.isEmpty, !definition.modes.contains(mode) {
      throw .modeNotOfEvent(mode, event: event.name, modes: definition.modes)
    }
    if let reason = event.reason, !definition.reasons.contains(reason) {
      throw .unknownReason(reason, event: event.name, reasons: definition.reasons)
    }
    let score = try event.score.map { value throws(Refusal) in
      guard definition.carriesScore else { throw .scoreNotCarried(event: event.name) }
      return try value.score()
    }
    if score != nil, event.mode == nil, !catalog.modes.isEmpty {
      throw .modeMissing(modes: definition.modes.isEmpty ? catalog.modes : definition.modes)
    }
    let details = try admit(event.details, of: definition, terms.eventParameters)
    let host = terms.host
    let occurredAt = try occurrence(of: event, under: terms)
    let simulatedAt = terms.now.adding(milliseconds: -host.milliseconds(since: occurredAt)) ?? .earliest
    return AdmittedEvent(
      position: position, name: event.name, mode: event.mode, score: score, reason: event.reason, details: details,
      isAnalytics: definition.isAnalytics, occurredAt: occurredAt,
      simulatedAt: Instant.earlier(simulatedAt, terms.play?.closedAt) ?? simulatedAt, isLate: occurredAt < host,
      isDated: event.occurredAt != nil)
  }

  /// Validates the details of an event against the event type's declaration.
  /// - Returns: The details converted to their declared types, in the order of the catalog.
  private func admit(
    _ details: ObjectValue, of definition: EventDefinition, _ parameters: any ParameterLookup
  ) throws(Refusal) -> ObjectValue {
    if definition.details.isEmpty, details.isEmpty { return details }
    for name in details.names where !definition.details.contains(where: { $0.name == name }) {
      throw .unknownDetail(name, event: definition.name, names: definition.details.map(\.name))
    }
    var admitted = ObjectValue()
    admitted.reserveCapacity(details.count)
    for detail in definition.details {
      guard let value = details[detail.name] else {
        if detail.isOptional { continue }
        throw .detailMissing(detail.name, event: definition.name)
      }
      switch ParameterAdmission.admission(of: value, for: detail.admits, in: catalog, use: .gameWide, lookup: parameters) {
      case .admitted(let value): admitted[detail.name] = value
      case .refused(let faults): throw .detailRefused(detail.name, faults.first ?? AdmissionFault(.typeMismatch, message: ""))
      }
    }
    return admitted
  }

  /// Returns the instant of an event by the host's clock. An event of a play may have any age; if it is dated after the play's end, the
  /// result is that end.
  private func occurrence(of event: PlayerEvent, under terms: PlayerTerms) throws(Refusal) -> Instant {
    var occurredAt = terms.host
    if let at = event.occurredAt { occurredAt = try Self.admit(occurrence: at, now: terms.host, isOfPlay: terms.play != nil) }
    return Instant.earlier(occurredAt, terms.play?.closedAtHost) ?? occurredAt
  }

  private static func admit(occurrence at: Instant, now: Instant, isOfPlay: Bool) throws(Refusal) -> Instant {
    let earliest = now.adding(milliseconds: -PlayerLimits.lateSecondsMax * 1000) ?? .earliest
    if at < earliest, !isOfPlay { throw .occurredTooEarly(at, earliest: earliest) }
    if at.milliseconds(since: now) > PlayerLimits.aheadSecondsMax * 1000 { throw .occursAhead(at, now: now) }
    return min(at, now)
  }
}

extension Value {
  /// Returns the value as a score.
  /// - Throws: `.scoreNegative`, `.scoreNotWhole`.
  func score(at pointer: String = "/score") throws(Refusal) -> Int64 {
    if let order = Value.compareNumbers(self, 0), order == .less { throw .scoreNegative(self, at: pointer) }
    guard let score = losslessInteger else { throw .scoreNotWhole(self, at: pointer) }
    return score
  }
}
