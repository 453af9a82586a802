// The requests that move a simulated clock.

public import GameConfCore

/// The time to which a simulated clock is moved.
package enum WireClockTarget: Sendable, Hashable {
  /// The clock shows this instant now.
  case set(Instant)
  /// The clock moves ahead by a calendar period such as `P1M`, or a duration such as `36h`.
  case advance(String)
}

/// Body of `PUT …/clock`: a new instant for a game's clock, or a period by which the clock moves ahead, and the clock's new rate.
public struct PutClock: WireRequest {
  package var target: WireClockTarget?
  package var rate: Double?
  package var reason: String?

  package init() {}

  package init(_ target: WireClockTarget? = nil, rate: Double? = nil, reason: String? = nil) {
    self.target = target
    self.rate = rate
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["advance": "P1M"] }

  package static var about: String { "A move of a game's simulated time: to an instant or by a period, and its rate from then on." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.clockTarget(&target)
    fields.optional("rate", &rate, "Simulated seconds for each second of the host, to three decimals; 0 stops the clock.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.refuse(nil, "give “now”, “advance” or “rate”", if: target == nil && rate == nil)
  }
}

/// Body of `PUT …/players/{player}/clock`: exactly one of an instant, a period, and an offset from the game's clock.
public struct PutPlayerClock: WireRequest {
  package enum PlayerClockChange: Sendable, Hashable {
    /// The player's clock is moved to an instant, or by a period.
    case to(WireClockTarget)
    /// The player's clock is ahead of the game's by this number of milliseconds.
    case offset(milliseconds: Int64)
  }

  private var target: WireClockTarget?
  private var offsetMilliseconds: Int64?
  package var reason: String?

  package init() {}

  package init(_ move: PlayerClockChange, reason: String? = nil) {
    switch move {
    case .to(let target): self.target = target
    case .offset(let milliseconds): offsetMilliseconds = milliseconds
    }
    self.reason = reason
  }

  package var move: PlayerClockChange { target.map(PlayerClockChange.to) ?? .offset(milliseconds: offsetMilliseconds ?? 0) }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["advance": "P1M"] }

  package static var about: String { "A move of a player's simulated time: exactly one of now, advance and offset_milliseconds." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.clockTarget(&target)
    fields.optional("offset_milliseconds", &offsetMilliseconds, "Milliseconds by which the clock is ahead of the game's.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
    fields.refuse(
      "offset_milliseconds", "give only one of “now”, “advance” and “offset_milliseconds”", if: target != nil && offsetMilliseconds != nil)
    fields.refuse(nil, "give “now”, “advance” or “offset_milliseconds”", if: target == nil && offsetMilliseconds == nil)
  }
}

extension FieldWalker {
  /// Visits the two members that give a clock's target, an instant or a period. At most one of them is present.
  fileprivate mutating func clockTarget(_ target: inout WireClockTarget?) {
    var (now, advance): (Instant?, String?) =
      switch target {
      case .set(let instant): (instant, nil)
      case .advance(let text): (nil, text)
      case nil: (nil, nil)
      }
    optional("now", &now, "The clock's new time.")
    optional("advance", &advance, "The length of the move: a calendar period (P1M) or a length of time (36h).")
    refuse("advance", "give “now” or “advance”, not both", if: now != nil && advance != nil)
    target = now.map(WireClockTarget.set) ?? advance.map(WireClockTarget.advance)
  }
}
