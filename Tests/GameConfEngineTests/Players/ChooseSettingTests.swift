// Players' settings: admitted values, the layers above them, and values that return when they fit again.
import GameConfCore
import GameConfEngine
import GameConfStorage
import Testing

@Suite("Settings that players choose")
struct ChooseSettingTests {
  private let fixture = PlayerFixture()

  @Test("a player's setting is the value of its key, and after its removal the default is the value again")
  func set() async throws {
    let standing = try #require(try await fixture.choose(9, for: "order_length"))
    #expect(standing.stored == 9 && standing.effective?.value == 9 && standing.effective?.layer == .setting)
    #expect(standing.shadowedBy == nil && standing.skipped == nil)
    let removed = try #require(try await fixture.choose(nil, for: "order_length"))
    #expect(removed.stored == nil && removed.effective?.value == 6)
    let history = try await fixture.service.history(of: PlayerFixture.id(), limit: 10)
    #expect(history.map(\.details) == [["key": "order_length", "removed": true], ["key": "order_length", "removed": false]])
  }

  @Test("an override wins over a setting, and the setting's status names the layer of the override")
  func shadowed() async throws {
    try await fixture.force(8, "order_length", player: "p1")
    let standing = try #require(try await fixture.choose(12, for: "order_length"))
    #expect(standing.stored == 12 && standing.effective?.value == 8 && standing.shadowedBy == .playerOverride)
    try await fixture.unforce("order_length", player: "p1")
    try await fixture.force(7, "order_length")
    #expect(try await fixture.view().standing(ofSetting: "order_length").shadowedBy == .gameOverride)
    try await fixture.unforce("order_length")
    let free = try await fixture.view().standing(ofSetting: "order_length")
    #expect(free.effective?.value == 12 && free.shadowedBy == nil)
  }

  @Test("a setting that overrides make inadmissible is ignored meanwhile, and applies again afterwards")
  func board() async throws {
    try await fixture.choose(16, for: "order_length")
    let rows = [("order_length_max", 9 as Value), ("grid_side", 3)].map { key, value in
      OverrideRow(player: "p1", key: key, value: value)
    }
    let checking = WorldChecking(fixture.live.present)
    let context = fixture.context
    _ = try await OverrideService(store: fixture.store, checking: checking).importRows(rows, into: "g", context)
    let small = try await fixture.view().standing(ofSetting: "order_length")
    #expect(small.effective?.value == 6 && small.effective?.layer == .catalogDefault && small.stored == 16)
    #expect(small.shadowedBy == nil && small.skipped?.isEmpty == false)
    _ = try await OverrideService(store: fixture.store, checking: checking).clear(OverrideSelection(.player("p1")), in: "g", context)
    #expect(try await fixture.view().standing(ofSetting: "order_length").effective?.value == 16)
  }

  @Test("choosing a value that the catalog does not admit is refused and changes nothing")
  func refused() async throws {
    func choose(_ value: Value?, _ key: String) async -> ChangeRefusal? { await refusal { try await fixture.choose(value, for: key) } }
    #expect(await choose(1, "order_lenght") == .unknownKey("order_lenght", nearest: ["order_length"]))
    #expect(await choose(3, "grid_side") == .notASetting("grid_side"))
    #expect(await choose(nil, "grid_side") == .notASetting("grid_side"))
    for (value, code) in [("six" as Value, ProblemCode.typeMismatch), (17, .outOfRange), (3, .outOfRange), (nil, .typeMismatch)] {
      guard
        case .inadmissible("order_length", let fault) = await refusal({
          _ = try await fixture.service.change(PlayerFixture.id(), .choose([("order_length", value)]), fixture.change())
        }), fault.code == code, fault.pointer.isEmpty
      else {
        Issue.record("\(value) is refused as \(code)")
        continue
      }
    }
    #expect(try await fixture.view().stored == StoredPlayer())
  }

  @Test("a locked theme cannot be chosen, an unlocked one can, and a chosen theme that is locked later is ignored")
  func themes() async throws {
    #expect(
      await refusal { try await fixture.choose("forest", for: "selected_theme") }
        == .themeLocked(theme: "forest", setting: "selected_theme"))
    guard case .inadmissible(_, let fault) = await refusal({ try await fixture.choose("forrest", for: "selected_theme") }),
      fault.kind == .unknownTheme
    else {
      Issue.record("an unknown theme is another fault")
      return
    }
    try await fixture.gameOver(50)
    #expect(try await fixture.choose("forest", for: "selected_theme")?.effective?.value == "forest")
    #expect(await refusal { try await fixture.choose("dark", for: "selected_theme") } != nil)
    try await fixture.choose(true, for: "dark_mode")
    #expect(try await fixture.choose("dark", for: "selected_theme")?.effective?.value == "dark")
    try await fixture.choose(false, for: "dark_mode")
    let locked = try await fixture.view().standing(ofSetting: "selected_theme")
    #expect(locked.effective?.value == "neon" && locked.stored == "dark" && locked.skipped != nil)
  }

  @Test("a setting over the admin socket is audited with the value before and after")
  func audited() async throws {
    try await fixture.choose(9, for: "order_length")
    _ = try await fixture.service.change(PlayerFixture.id(), .choose([("order_length", 10)]), fixture.change(admin: true))
    let line = try #require(try await fixture.audits().last)
    #expect(line.action.rawValue == "player.setting" && line.key == "order_length" && line.before == 9 && line.after == 10)
    #expect(try await fixture.audits().count == 1)
  }
}
