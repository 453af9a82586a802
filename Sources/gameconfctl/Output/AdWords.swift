// Words about ads: the decision about an ad, and the time of the next one.

import GameConfAPI

enum AdWords {
  /// Returns words about the time of the next ad, which follow “next ad” in a sentence.
  static func next(_ ad: AdStatusAnswer) -> Sentence {
    if ad.wouldShow { return "with the next \(ad.event)" }
    return next(ad.next, event: ad.event)
  }

  static func next(_ next: WireAdNext, event: String) -> Sentence {
    if let blocker = next.blockedBy { return "not while \(blocker)" }
    var words: Sentence = next.events <= 1 ? "with the next \(event)" : "with the \(ordinal(next.events)) \(event) from now"
    if next.visits > 0 { words += next.visits == 1 ? ", in another visit" : ", \(next.visits) visits from now" }
    if let instant = next.notBefore { words += ", not before \(time: instant, .clock)" }
    return words
  }

  /// Returns words about the decision on an ad that the response to an event contains.
  static func decision(_ ad: AdDecisionAnswer) -> Sentence {
    let place = ad.placement
    let counted = "\(ad.counters.events) of \(ad.counters.every)"
    if ad.shows {
      let id = ad.decisionID.map { ", decision \($0)" } ?? ""
      return "ad at \(place): show\(ad.isForced ? " (forced)" : "")\(id)"
    }
    return "ad at \(place): no ad, \(ad.reason ?? "-") (\(counted))"
  }

  static func table(_ ads: [AdStatusAnswer]) -> Table {
    Table(ads, whenEmpty: "no placements: no ads") {
      Column("placement") { $0.placement }
      Column("counter") { ad in
        "\(ad.counters.events) of \(ad.counters.every) \(ad.event)" + (ad.counters.isOwed ? ", one owed" : "")
          + (ad.counters.isForced ? ", forced" : "")
      }
      Column("shows") { "\($0.counters.showsEver), \($0.counters.showsInVisit) in this visit" }
      Column("next ad") { next($0) }
      Column("an event now") { $0.wouldShow ? "would show" : $0.reason }
    }
  }

  private static func ordinal(_ number: Int64) -> String {
    let ending =
      switch (number % 10, number % 100) {
      case (_, 11...13): "th"
      case (1, _): "st"
      case (2, _): "nd"
      case (3, _): "rd"
      default: "th"
      }
    return "\(number)\(ending)"
  }
}
