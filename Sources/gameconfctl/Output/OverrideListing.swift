// Renders overrides as a table.

import GameConfAPI
import GameConfCore

enum OverrideListing {
  /// Returns a table of overrides.
  /// - Parameter now: The time of the clock that the overrides' windows follow.
  static func of(_ overrides: [WireOverride], now: Instant = Console.now) -> Table {
    Table(overrides, whenEmpty: "nothing is overridden") {
      Column("key") { $0.key }
      Column("value", .value) { $0.value }
      Column("player") { $0.player }
      Column("from", .when) { $0.window?.from }
      Column("until", .when) { $0.window?.until }
      Column("window", .aside) { $0.window?.id }
      Column("author", .aside) { $0.author.label }
      Column("at", .when, .aside) { $0.at }
      Column("state", .state) { state(of: $0, among: overrides, now) }
      Column("reason", .aside) { $0.reason }
    }
  }

  /// Returns the state of an override. A window of the same key and player may hide a permanent override; the override's state then names
  /// the window.
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
  /// The author's name, or else the uid.
  var label: String { name ?? uid.map { "uid \($0)" } ?? "-" }
}
