// Something that happened in the game, as a game tells it.

public import GameConfCore

/// Body of `POST p/events`.
public struct EventRequest: WireShape {
  /// Names the event, so that sending it again does it once; 1 to 128 bytes. An `Idempotency-Key` does the same, and only one of them may be given.
  public var eventID: String?
  /// The event's name, one that the catalog declares.
  public var event: String
  /// The mode it happened in.
  public var mode: String?
  /// The score it carries, as it was written.
  public var score: Value?
  /// Why it happened, in a word that the catalog declares.
  public var reason: String?
  /// Attributes of the caller, over those that are registered.
  public var context: ObjectValue
  /// When it happened, in the player's time; nil means now.
  public var occurredAt: Instant?

  /// An event.
  public init(
    eventID: String? = nil, event: String, mode: String? = nil, score: Value? = .none, reason: String? = nil,
    context: ObjectValue = ObjectValue(), occurredAt: Instant? = nil
  ) {
    self.eventID = eventID
    self.event = event
    self.mode = mode
    self.score = score
    self.reason = reason
    self.context = context
    self.occurredAt = occurredAt
  }

  /// Its JSON.
  public var wire: Value {
    let context: Value? = context.isEmpty ? .none : .some(.object(context))
    return .object(
      ObjectValue().with("event_id", eventID).with("event", .some(.string(event))).with("mode", mode).with("score", score)
        .with("reason", reason).with("context", context).with("occurred_at", occurredAt))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer, only: ["event_id", "event", "mode", "score", "reason", "context", "occurred_at"])
    eventID = try members.optionalString("event_id")
    event = try members.string("event")
    mode = try members.optionalString("mode")
    score = members.optional("score")
    reason = try members.optionalString("reason")
    context = try members.object("context")
    occurredAt = try members.optionalInstant("occurred_at")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "Something that happened in the game.",
      required: ["event": SchemaText.described(SchemaText.string, "One of the events that the catalog declares.")],
      optional: [
        "event_id": SchemaText.described(
          SchemaText.string, "Names the event: sent again with the same content it is done once. 1 to 128 bytes."),
        "mode": SchemaText.string,
        "score": SchemaText.described(["type": "integer", "format": "int64", "minimum": 0], "For events that carry a score."),
        "reason": SchemaText.described(SchemaText.string, "One of the event's reasons."),
        "context": SchemaText.described(SchemaText.anyObject, "Attributes of the caller, over those that are registered."),
        "occurred_at": SchemaText.described(SchemaText.instant, "When it happened, for one that comes late; at most a week ago."),
      ], closed: true)
  }
}
