// How simulated time is to move.

public import GameConfCore

/// Where a simulated clock is moved to.
public enum WireClockTarget: Sendable, Hashable {
  /// Show this instant now.
  case set(Instant)
  /// Move on by a calendar period such as `P1M`, or a length such as `36h`.
  case advance(String)
}

/// Body of `PUT …/clock`.
public struct PutClock: WireShape {
  /// Where the clock is moved to; nil leaves it where it is.
  public var target: WireClockTarget?
  /// So many simulated seconds for each of the host's from then on, thousandths count; nil leaves the rate.
  public var rate: Double?
  /// Why, for the audit log.
  public var reason: String?

  /// A request.
  public init(_ target: WireClockTarget? = nil, rate: Double? = nil, reason: String? = nil) {
    self.target = target
    self.rate = rate
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    .object(ObjectValue().with(target).with("rate", rate.map { Value.double($0) }).with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["now", "advance", "rate", "reason"])
    target = try members.clockTarget()
    rate = members.optional("rate") == nil ? nil : try members.double("rate")
    reason = try members.optionalString("reason")
    if target == nil, rate == nil { throw WireFault(pointer: pointer, message: "say \"now\", \"advance\" or \"rate\"") }
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How a game's simulated time is to move: to an instant or by a period, and at which rate it goes on.",
      optional: [
        "now": SchemaText.instant, "advance": WireClockTarget.advanceSchema,
        "rate": SchemaText.described(SchemaText.number, "Simulated seconds for each of the host's; 0 stands still."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

/// Body of `PUT p/clock`.
public struct PutPlayerClock: WireShape {
  /// What is to happen.
  public enum Move: Sendable, Hashable {
    /// Show an instant, or move on.
    case to(WireClockTarget)
    /// Be so many milliseconds ahead of the game's.
    case offset(milliseconds: Int64)
  }

  /// What is to happen.
  public var move: Move
  /// Why.
  public var reason: String?

  /// A request.
  public init(_ move: Move, reason: String? = nil) {
    self.move = move
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    switch move {
    case .to(let target): .object(ObjectValue().with(target).with("reason", reason))
    case .offset(let milliseconds): .object(ObjectValue([("offset_milliseconds", .integer(milliseconds))]).with("reason", reason))
    }
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["now", "advance", "offset_milliseconds", "reason"])
    let target = try members.clockTarget()
    let offset = try members.optionalInteger("offset_milliseconds")
    switch (target, offset) {
    case (let target?, nil): move = .to(target)
    case (nil, let milliseconds?): move = .offset(milliseconds: milliseconds)
    case (_?, _?): throw WireFault(pointer: members.place("offset_milliseconds"), message: "say where the clock is moved to once")
    case (nil, nil): throw WireFault(pointer: pointer, message: "say \"now\", \"advance\" or \"offset_milliseconds\"")
    }
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How a player's simulated time is to move: exactly one of now, advance and offset_milliseconds.",
      optional: [
        "now": SchemaText.instant, "advance": WireClockTarget.advanceSchema,
        "offset_milliseconds": SchemaText.described(SchemaText.integer, "How far it shall be ahead of the game's."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

extension WireClockTarget {
  fileprivate static let advanceSchema = SchemaText.described(SchemaText.string, "A calendar period (P1M) or a length of time (36h).")
}

extension ObjectValue {
  fileprivate func with(_ target: WireClockTarget?) -> ObjectValue {
    switch target {
    case .set(let instant): with("now", .some(instant))
    case .advance(let text): with("advance", .some(text))
    case nil: self
    }
  }
}

extension WireMembers {
  fileprivate func clockTarget() throws(WireFault) -> WireClockTarget? {
    let instant = try optionalInstant("now")
    let text = try optionalString("advance")
    switch (instant, text) {
    case (let instant?, nil): return .set(instant)
    case (nil, let text?): return .advance(text)
    case (nil, nil): return nil
    case (_?, _?): throw WireFault(pointer: place("advance"), message: "say \"now\" or \"advance\", not both")
    }
  }
}
