// An event as a game reports it.

package import GameConfCore

/// One event of `POST …/players/{player}/events`. An event from a client's queue also names its place in that queue.
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
      "The event's id, 1 to 128 bytes. A repeated event is recorded once while its id is among the player's newest 64; “sequence” has no such limit."
    )
    fields.optional("sequence", &sequence, "The place in a client's queue, instead of an id; a repeated event is recorded once.")
    fields.required("event", &event, "One of the catalog's events.")
    fields.optional("mode", &mode, "The mode.")
    fields.optional("score", &score, "The score, for events that have one.", .atLeast(0))
    fields.optional("reason", &reason, "One of the event's reasons.")
    fields.whenSet("details", &details, "The details that the catalog declares; with the context at most 16 KiB.")
    fields.whenSet("context", &context, "Attributes of the caller; they override the registered ones.")
    fields.optional(
      "occurred_at", &occurredAt,
      "The time of a late event, by the host's clock; at most a week ago, unless it belongs to a play.")
    fields.optional(
      "play", &play,
      "The play: leaderboards, ranges and bests use its pinned values. A closed play accepts late events too.")
    fields.optional(
      "state", &state, "The game's own state of the play after the event, at most 4 KiB of JSON; stored in one transaction with the event.")
    fields.whenSet("close", &isClosing, "Closes the play, in one transaction with the event.")
    fields.refuse("play", "“state” and “close” need the “play” that they are about", if: play == nil && (state != nil || isClosing))
  }
}
