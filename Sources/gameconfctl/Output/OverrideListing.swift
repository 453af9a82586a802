// Overrides as rows.

import GameConfAPI
import GameConfCore

enum OverrideListing {
  /// - Parameter now: what the clock that windows go by shows.
  static func of(_ overrides: [WireOverride], now: Instant = Console.now) -> Table {
    var table = Table(
      [
        "key", .value("value"), "player", .when("from"), .when("until"), .aside("window"), .aside("author"), .aside(.when("at")),
        .state("state"), .aside("reason"),
      ], whenEmpty: "nothing is overridden")
    for each in overrides {
      table.add([
        each.key, ValueStyle.cell(each.value), each.player ?? "-", each.window?.from.text ?? "-", each.window?.until.text ?? "-",
        each.window?.id ?? "-", each.author.label, each.at.text, state(of: each, among: overrides, now), each.reason ?? "-",
      ])
    }
    return table
  }

  /// The state of an override, and what is above it in its own scope.
  static func state(of each: WireOverride, among all: [WireOverride], _ now: Instant) -> String {
    if let why = each.quarantined { return "quarantined: \(why)" }
    if let window = each.window { return window.from > now ? "to come" : window.until <= now ? "ended" : "in force" }
    let above = all.first { other in
      guard other.key == each.key, other.player == each.player, other.quarantined == nil, let window = other.window else { return false }
      return window.from <= now && now < window.until
    }
    guard let window = above?.window else { return "in force" }
    return "below window \(window.id ?? "-")"
  }
}

extension WireAuthor {
  /// The name, else the number.
  var label: String { name ?? uid.map { "uid \($0)" } ?? "-" }
}
