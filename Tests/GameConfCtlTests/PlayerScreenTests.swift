// The live screen of a player fits its terminal.

import GameConfAPI
import GameConfCore
import Testing

@testable import gameconfctl

@Suite("A player's live screen")
struct PlayerScreenTests {
  private static let now = Instant(seconds: 1_000_000)

  private static var screen: PlayerScreen {
    var limited = Sample.value("speed", 4.0, source: "override.player")
    limited.nextChangeAt = now.adding(milliseconds: 7_140_000)
    var held = WireEntitlement(id: "Pro", isActive: true, expiresAt: Instant(seconds: 2_000_000))
    (held.product, held.willRenew) = ("monthly", true)
    let store = EntitlementsAnswer(
      game: "g", player: "p1", at: now, isAdFree: false, entitlements: [held, WireEntitlement(id: "Old", isActive: false, expiresAt: nil)],
      purchased: ObjectValue())
    let audit = (0..<9).map {
      AuditEntry(
        id: Int64(9 - $0), at: now.adding(milliseconds: -Int64($0) * 120_000) ?? now, author: Sample.author, action: "override.set",
        key: "speed", after: 4.0)
    }
    return PlayerScreen(
      page: PlayerSample.page,
      values: [Sample.value("sound", false, type: "boolean", source: "setting"), limited, Sample.value("lives", 3)],
      store: store, audit: audit)
  }

  @Test(
    "the live screen has a line of state, changed values, the next ad, the store's next event, bars, and five audit entries")
  func whole() {
    #expect(
      Self.screen.lines(.terminal(80, now: Self.now), height: 24) == [
        "p1 in g: 55 points in 2 games, best 30, visit 1, clock 1970-01-01 00:00 UTC",
        "changed  speed  4.0  override.player, 1 h 59 min left",
        "         sound  false  setting",
        "ad       game_over: with the next game_over",
        "store    Pro by monthly, renews 1970-01-24 03:33 UTC",
        "theme    1 of 3 unlocked: neon",
        "         ocean  █████░░░░░░░░░░░░░░░ 55 / 200",
        "audit    just now    ada  override.set speed 4.0",
        "         2 min ago   ada  override.set speed 4.0",
        "         4 min ago   ada  override.set speed 4.0",
        "         6 min ago   ada  override.set speed 4.0",
        "         8 min ago   ada  override.set speed 4.0",
      ])
  }

  @Test("the largest state fits the live screen, with the number of omitted rows", arguments: [(80, 24), (40, 24), (80, 12), (20, 3)])
  func fits(width: Int, height: Int) {
    var screen = Self.screen
    let themes = (0..<40).map { number in
      ThemeAnswer(
        theme: "theme\(number)", name: "", kind: .milestone, by: "m", isUnlocked: false, milestone: 9,
        progress: WireProgress(value: Int64(number), target: 99, isUnlocked: false))
    }
    screen.page.themes = themes
    screen.page.ads = Array(repeating: PlayerSample.ad, count: 7)
    screen.values = (0..<50).map {
      Sample.value("a_rather_long_name_of_a_key_\($0)", .string(String(repeating: "長", count: 60)), source: "override.game")
    }
    let lines = screen.lines(.terminal(width, now: Self.now), height: height)
    #expect(lines.count < height && lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
    if height == 24 {
      #expect(lines.contains { $0.hasSuffix("and 45 more") } && lines.contains { $0.hasPrefix("audit") }, "\(lines)")
    }
  }
}
