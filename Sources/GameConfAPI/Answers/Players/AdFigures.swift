// The counters of an ad placement for a player, and the earliest time of the placement's next ad.

package import GameConfCore

extension AdCounters: WireObject {
  package static var about: String { "A placement's counters." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("events", &events, "The number of events since the last show, reset or exemption.")
    fields.required("every", &every, "The number of events that make an ad due.")
    fields.required("owed", &isOwed, "True if a show is owed because the last one had no ad.")
    fields.required("forced", &isForced, "True if an admin made the next event show an ad.")
    fields.required("shows_in_visit", &showsInVisit, "The number of shows in this visit.")
    fields.required("shows_ever", &showsEver, "The number of shows ever.")
    fields.optional("last_show_at", &lastShowAt, "The time of the last show at this placement.")
  }
}

/// The earliest time of a placement's next ad, as far as it is known now.
public struct WireAdNext: WireObject {
  package var events: Int64 = 0
  package var visits: Int64 = 0
  package var notBefore: Instant?
  package var blockedBy: String?

  package init() {}

  package init(events: Int64, visits: Int64 = 0, notBefore: Instant? = nil, blockedBy: String? = nil) {
    self.events = events
    self.visits = visits
    self.notBefore = notBefore
    self.blockedBy = blockedBy
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "AdNext" }

  package static var about: String { "The earliest next ad." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("events", &events, "The number of events until then; 0 if blocked_by says that it is unknown.")
    fields.required("visits", &visits, "The number of visits until then.")
    fields.optional("not_before", &notBefore, "The time before which no ad shows.")
    fields.optional(
      "blocked_by", &blockedBy, "The rule that refuses ads until something other than time and play changes.", .words(AdRefusal.self))
  }
}
