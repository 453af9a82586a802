// Something that happened in the game, as a game tells it.

package import GameConfCore

/// Body of `POST p/events`.
public struct EventRequest: WireRequest {
  package var eventID: String?
  package var sequence: WireSequence?
  package var event = ""
  package var mode: String?
  package var score: Value?
  package var reason: String?
  package var details = ObjectValue()
  package var context = ObjectValue()
  package var occurredAt: Instant?
  package var play: String?
  package var state: Value?
  package var isClosing = false

  package init() {}

  package init(
    eventID: String? = nil, sequence: WireSequence? = nil, event: String, mode: String? = nil, score: Value? = .none, reason: String? = nil,
    details: ObjectValue = ObjectValue(), context: ObjectValue = ObjectValue(), occurredAt: Instant? = nil,
    play: String? = nil, state: Value? = .none, isClosing: Bool = false
  ) {
    self.eventID = eventID
    self.sequence = sequence
    self.event = event
    self.mode = mode
    self.score = score
    self.reason = reason
    self.details = details
    self.context = context
    self.occurredAt = occurredAt
    self.play = play
    self.state = state
    self.isClosing = isClosing
  }

  package static var about: String { "Something that happened in the game." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional(
      "event_id", &eventID,
      "Names the event, in 1 to 128 bytes: sent again with the same content it is done once while its id is among the player's newest 64; “sequence” has no such limit."
    )
    fields.optional("sequence", &sequence, "The place in a client's queue, instead of an id: done once, however many there are.")
    fields.required("event", &event, "One of the events that the catalog declares.")
    fields.optional("mode", &mode, "The mode it happened in.")
    fields.optional("score", &score, "The score, for events that carry one.", .atLeast(0))
    fields.optional("reason", &reason, "One of the event's reasons.")
    fields.whenSet("details", &details, "What else it says, as the catalog declares it; with the context at most 16 KiB.")
    fields.whenSet("context", &context, "Attributes of the caller, over those that are registered.")
    fields.optional(
      "occurred_at", &occurredAt,
      "When it happened, by the host's clock, for one that comes late; at most a week ago, unless it belongs to a play.")
    fields.optional(
      "play", &play,
      "The play it belongs to: leaderboards, ranges and bests use the values that the play pinned. A closed play takes late events too.")
    fields.optional(
      "state", &state, "The game's own state of the play after the event, at most 4 KiB of JSON; stored in one transaction with the event.")
    fields.whenSet("close", &isClosing, "Closes the play, in one transaction with the event.")
    fields.refuse("play", "“state” and “close” need the “play” that they are about", if: play == nil && (state != nil || isClosing))
  }
}
