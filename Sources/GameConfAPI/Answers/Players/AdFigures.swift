// What a placement has counted for a player, and when its next ad may come.

package import GameConfCore

/// A placement's counters.
public struct WireAdCounters: WireObject {
  package var events: Int64 = 0
  package var every: Int64 = 0
  package var isOwed = false
  package var isForced = false
  package var showsInVisit: Int64 = 0
  package var showsEver: Int64 = 0
  package var lastShowAt: Instant?

  package init() {}

  package init(
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

  /// The name that the contract has for it.
  public static var schemaName: String { "AdCounters" }

  package static var about: String { "A placement's counters." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("events", &events, "Events since the last show, reset or exemption.")
    fields.required("every", &every, "How many make the next ad due.")
    fields.required("owed", &isOwed, "Whether a show that brought no ad is owed.")
    fields.required("forced", &isForced, "Whether an admin forces the next one.")
    fields.required("shows_in_visit", &showsInVisit, "How many shows there were in this visit.")
    fields.required("shows_ever", &showsEver, "How many shows there ever were.")
    fields.optional("last_show_at", &lastShowAt, "When the last one at this placement was.")
  }
}

/// When an ad may come at the earliest, as far as is known now.
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

  /// The name that the contract has for it.
  public static var schemaName: String { "AdNext" }

  package static var about: String { "When an ad may come at the earliest." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("events", &events, "How many more events it takes; 0 when blocked_by says why that is not known.")
    fields.required("visits", &visits, "How many more visits it takes.")
    fields.optional("not_before", &notBefore, "The instant before which none comes.")
    fields.optional("blocked_by", &blockedBy, "What refuses until something other than time and play changes it.", .words(AdRefusal.self))
  }
}
