// What a placement has counted for a player, and when its next ad may come.

public import GameConfCore

/// A placement's counters.
public struct WireAdCounters: WireShape {
  /// Events since the last show, reset or exemption.
  public var events: Int64
  /// How many make the next ad due.
  public var every: Int64
  /// Whether a show that brought no ad is owed.
  public var isOwed: Bool
  /// Whether an admin forces the next one.
  public var isForced: Bool
  /// How many shows there were in this visit.
  public var showsInVisit: Int64
  /// How many shows there ever were.
  public var showsEver: Int64
  /// When the last one at this placement was.
  public var lastShowAt: Instant?

  /// Counters.
  public init(
    events: Int64, every: Int64, isOwed: Bool = false, isForced: Bool = false, showsInVisit: Int64 = 0, showsEver: Int64 = 0,
    lastShowAt: Instant? = nil
  ) {
    self.events = events
    self.every = every
    self.isOwed = isOwed
    self.isForced = isForced
    self.showsInVisit = showsInVisit
    self.showsEver = showsEver
    self.lastShowAt = lastShowAt
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([
        ("events", .integer(events)), ("every", .integer(every)), ("owed", .bool(isOwed)), ("forced", .bool(isForced)),
        ("shows_in_visit", .integer(showsInVisit)), ("shows_ever", .integer(showsEver)),
      ]).with("last_show_at", lastShowAt))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    events = try members.integer("events")
    every = try members.integer("every")
    isOwed = try members.flag("owed")
    isForced = try members.flag("forced")
    showsInVisit = try members.integer("shows_in_visit")
    showsEver = try members.integer("shows_ever")
    lastShowAt = try members.optionalInstant("last_show_at")
  }

  /// `AdCounters`.
  public static var schemaName: String { "AdCounters" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A placement's counters.",
      required: [
        "events": SchemaText.described(SchemaText.integer, "Since the last show, reset or exemption."),
        "every": SchemaText.described(SchemaText.integer, "How many make the next ad due."),
        "owed": SchemaText.described(SchemaText.boolean, "Whether a show that brought no ad is owed."),
        "forced": SchemaText.described(SchemaText.boolean, "Whether an admin forces the next one."),
        "shows_in_visit": SchemaText.integer, "shows_ever": SchemaText.integer,
      ],
      optional: ["last_show_at": SchemaText.instant])
  }
}

/// When an ad may come at the earliest, as far as is known now.
public struct WireAdNext: WireShape {
  /// How many more events it takes: 1 when the next one may show, 0 when `blockedBy` says why that cannot be said.
  public var events: Int64
  /// How many more visits it takes.
  public var visits: Int64
  /// Not before this instant.
  public var notBefore: Instant?
  /// What refuses until something other than time and play changes it.
  public var blockedBy: String?

  /// The next one.
  public init(events: Int64, visits: Int64 = 0, notBefore: Instant? = nil, blockedBy: String? = nil) {
    self.events = events
    self.visits = visits
    self.notBefore = notBefore
    self.blockedBy = blockedBy
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("events", .integer(events)), ("visits", .integer(visits))]).with("not_before", notBefore)
        .with("blocked_by", blockedBy))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    events = try members.integer("events")
    visits = try members.integer("visits")
    notBefore = try members.optionalInstant("not_before")
    blockedBy = try members.optionalString("blocked_by")
  }

  /// `AdNext`.
  public static var schemaName: String { "AdNext" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "When an ad may come at the earliest.",
      required: [
        "events": SchemaText.described(SchemaText.integer, "How many more events it takes; 0 when blocked_by says why that is not known."),
        "visits": SchemaText.described(SchemaText.integer, "How many more visits it takes."),
      ],
      optional: ["not_before": SchemaText.instant, "blocked_by": SchemaText.words(AdRefusal.self)])
  }
}
