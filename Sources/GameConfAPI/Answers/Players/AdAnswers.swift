// The decision of an ad placement on an event, and the placement's status between events.

package import GameConfCore

/// The decision whether an event shows an ad at a placement.
public struct AdDecisionAnswer: WireObject {
  package var placement = ""
  package var format = ""
  package var shows = false
  package var decisionID: String?
  package var reason: String?
  package var isForced = false
  package var counters = AdCounters()
  package var next = WireAdNext()

  package init() {}

  package init(
    placement: String, format: String, shows: Bool, decisionID: String? = nil, reason: String? = nil, isForced: Bool = false,
    counters: AdCounters, next: WireAdNext
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

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "AdDecision" }

  package static var about: String { "The decision about an ad at a placement." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("placement", &placement, "The placement.")
    fields.required("format", &format, "The kind of ad.", .words(Placement.Format.self))
    fields.required("show", &shows, "True if the ad is to be shown.")
    fields.optional("decision_id", &decisionID, "The decision's id, for the later report about the ad.")
    fields.optional("reason", &reason, "The first rule that refused.", .words(AdRefusal.self))
    fields.whenSet("forced", &isForced, "True if an admin made it show.")
    fields.required("counters", &counters, "The counters, after the event.")
    fields.required("next", &next, "The earliest next ad.")
  }
}

/// Answer of `GET …/players/{player}/ads/{placement}`: the placement's counters, and the decision that an event would get now.
public struct AdStatusAnswer: WireObject {
  package var placement = ""
  package var format = ""
  package var event = ""
  package var wouldShow = false
  package var reason: String?
  package var counters = AdCounters()
  package var next = WireAdNext()

  package init() {}

  package init(
    placement: String, format: String, event: String, wouldShow: Bool, reason: String? = nil, counters: AdCounters, next: WireAdNext
  ) {
    self.placement = placement
    self.format = format
    self.event = event
    self.wouldShow = wouldShow
    self.reason = reason
    self.counters = counters
    self.next = next
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "AdStatus" }

  package static var about: String { "The state of a placement." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("placement", &placement, "The placement.")
    fields.required("format", &format, "The kind of ad.", .words(Placement.Format.self))
    fields.required("event", &event, "The event after which it may show.")
    fields.required("would_show", &wouldShow, "True if the event would show an ad now; this is not a permission to show one.")
    fields.optional("reason", &reason, "The first rule that would refuse.", .words(AdRefusal.self))
    fields.required("counters", &counters, "The counters.")
    fields.required("next", &next, "The earliest next ad.")
  }
}
