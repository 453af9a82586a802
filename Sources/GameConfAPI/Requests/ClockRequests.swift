// How simulated time is to move: exactly one way at a time.

public import GameConfCore

/// Body of `PUT …/clock`.
public struct PutClock: WireShape {
  /// What is to happen.
  public enum Move: Sendable, Hashable {
    /// Show this instant now.
    case set(Instant)
    /// Move on by a calendar period such as `P1M`, or a length such as `36h`.
    case advance(String)
    /// So many simulated seconds for each of the host's; thousandths count.
    case rate(Double)
  }

  /// What is to happen.
  public var move: Move
  /// Why, for the audit log.
  public var reason: String?

  /// A request.
  public init(_ move: Move, reason: String? = nil) {
    self.move = move
    self.reason = reason
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue()
    switch move {
    case .set(let instant): object["now"] = .string(instant.text)
    case .advance(let text): object["advance"] = .string(text)
    case .rate(let rate): object["rate"] = .double(rate)
    }
    return .object(object.with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["now", "advance", "rate", "reason"])
    try members.requireOne(of: ["now", "advance", "rate"])
    if let instant = try members.optionalInstant("now") {
      move = .set(instant)
    } else if let text = try members.optionalString("advance") {
      move = .advance(text)
    } else {
      move = .rate(try members.double("rate"))
    }
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How a game's simulated time is to move: exactly one of now, advance and rate.",
      optional: [
        "now": SchemaText.instant, "advance": SchemaText.described(SchemaText.string, "A calendar period (P1M) or a length of time (36h)."),
        "rate": SchemaText.described(SchemaText.number, "Simulated seconds for each of the host's; 0 stands still."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

/// Body of `PUT p/clock`.
public struct PutPlayerClock: WireShape {
  /// What is to happen.
  public enum Move: Sendable, Hashable {
    /// Show this instant now.
    case set(Instant)
    /// Move on by a calendar period such as `P1M`, or a length such as `36h`.
    case advance(String)
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
    var object = ObjectValue()
    switch move {
    case .set(let instant): object["now"] = .string(instant.text)
    case .advance(let text): object["advance"] = .string(text)
    case .offset(let milliseconds): object["offset_milliseconds"] = .integer(milliseconds)
    }
    return .object(object.with("reason", reason))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["now", "advance", "offset_milliseconds", "reason"])
    try members.requireOne(of: ["now", "advance", "offset_milliseconds"])
    if let instant = try members.optionalInstant("now") {
      move = .set(instant)
    } else if let text = try members.optionalString("advance") {
      move = .advance(text)
    } else {
      move = .offset(milliseconds: try members.integer("offset_milliseconds"))
    }
    reason = try members.optionalString("reason")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "How a player's simulated time is to move: exactly one of now, advance and offset_milliseconds.",
      optional: [
        "now": SchemaText.instant, "advance": SchemaText.described(SchemaText.string, "A calendar period (P1M) or a length of time (36h)."),
        "offset_milliseconds": SchemaText.described(SchemaText.integer, "How far it shall be ahead of the game's."),
        "reason": SchemaText.string,
      ], closed: true)
  }
}

extension WireMembers {
  /// Refuses an object that has none of these members, or several.
  fileprivate func requireOne(of names: [String]) throws(WireFault) {
    let found = names.filter { optional($0) != nil }
    if found.count == 1 { return }
    let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw WireFault(
      pointer: found.count > 1 ? place(found[1]) : pointer,
      message: "say exactly one of \(known), not \(found.isEmpty ? "none" : "several")")
  }
}
