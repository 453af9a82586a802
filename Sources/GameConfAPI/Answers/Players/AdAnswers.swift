// What a placement decided on an event, and how it stands between events.

public import GameConfCore

/// Whether an event shows an ad at a placement.
public struct AdDecisionAnswer: WireShape {
  /// The placement.
  public var placement: String
  /// What kind of ad.
  public var format: String
  /// Whether the ad shows.
  public var shows: Bool
  /// Names the show in reports; nil when none.
  public var decisionID: String?
  /// The first rule that refused; nil when the ad shows.
  public var reason: String?
  /// Whether an admin forced it.
  public var isForced: Bool
  /// The counters, after the event.
  public var counters: WireAdCounters
  /// When the next one may come.
  public var next: WireAdNext

  /// A decision.
  public init(
    placement: String, format: String, shows: Bool, decisionID: String? = nil, reason: String? = nil, isForced: Bool = false,
    counters: WireAdCounters, next: WireAdNext
  ) {
    self.placement = placement
    self.format = format
    self.shows = shows
    self.decisionID = decisionID
    self.reason = reason
    self.isForced = isForced
    self.counters = counters
    self.next = next
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("placement", .string(placement)), ("format", .string(format)), ("show", .bool(shows))])
        .with("decision_id", decisionID).with("reason", reason).with("forced", ifTrue: isForced).with("counters", .some(counters))
        .with("next", .some(next)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    placement = try members.string("placement")
    format = try members.string("format")
    shows = try members.flag("show")
    decisionID = try members.optionalString("decision_id")
    reason = try members.optionalString("reason")
    isForced = try members.flag("forced")
    counters = try members.shape("counters")
    next = try members.shape("next")
  }

  /// `AdDecision`.
  public static var schemaName: String { "AdDecision" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Whether an event shows an ad at a placement.",
      required: [
        "placement": SchemaText.string, "format": SchemaText.words(Placement.Format.self), "show": SchemaText.boolean,
        "counters": SchemaText.ref(WireAdCounters.self), "next": SchemaText.ref(WireAdNext.self),
      ],
      optional: [
        "decision_id": SchemaText.described(SchemaText.string, "To report with what became of the ad."),
        "reason": SchemaText.described(SchemaText.words(AdRefusal.self), "The first rule that refused."), "forced": SchemaText.boolean,
      ])
  }
}

/// How a placement stands: answer of `GET p/ads/{placement}`.
public struct AdStatusAnswer: WireShape {
  /// The placement.
  public var placement: String
  /// What kind of ad.
  public var format: String
  /// The event it shows on.
  public var event: String
  /// Whether that event would show an ad if it came now. Asking changes nothing, and gives no leave to show one.
  public var wouldShow: Bool
  /// The first rule that would refuse; nil when none would.
  public var reason: String?
  /// What was counted.
  public var counters: WireAdCounters
  /// When the next one may come.
  public var next: WireAdNext

  /// How a placement stands.
  public init(
    placement: String, format: String, event: String, wouldShow: Bool, reason: String? = nil, counters: WireAdCounters, next: WireAdNext
  ) {
    self.placement = placement
    self.format = format
    self.event = event
    self.wouldShow = wouldShow
    self.reason = reason
    self.counters = counters
    self.next = next
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([
        ("placement", .string(placement)), ("format", .string(format)), ("event", .string(event)), ("would_show", .bool(wouldShow)),
      ]).with("reason", reason).with("counters", .some(counters)).with("next", .some(next)))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    placement = try members.string("placement")
    format = try members.string("format")
    event = try members.string("event")
    wouldShow = try members.flag("would_show")
    reason = try members.optionalString("reason")
    counters = try members.shape("counters")
    next = try members.shape("next")
  }

  /// `AdStatus`.
  public static var schemaName: String { "AdStatus" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How a placement stands.",
      required: [
        "placement": SchemaText.string, "format": SchemaText.words(Placement.Format.self), "event": SchemaText.string,
        "would_show": SchemaText.described(SchemaText.boolean, "Whether the event would show an ad if it came now; no leave to show one."),
        "counters": SchemaText.ref(WireAdCounters.self), "next": SchemaText.ref(WireAdNext.self),
      ],
      optional: ["reason": SchemaText.described(SchemaText.words(AdRefusal.self), "The first rule that would refuse.")])
  }
}
