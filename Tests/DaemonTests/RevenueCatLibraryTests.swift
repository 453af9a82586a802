// RevenueCat's own library for JavaScript, unmodified, with the daemon through the bridge.

import GameConfCore
import Testing

@Suite(
  "RevenueCat's library for JavaScript", .serialized,
  .enabled(if: RevenueCatLibrary.isThere, "GAMECONF_CLIENTS names no folder with revenuecat-js, or there is no node"))
struct RevenueCatLibraryTests {
  private func step(_ what: String, as user: String) -> Value { ["as": .string(user), "do": .string(what)] }

  private func run(_ line: String...) -> Value { ["run": .list(([Built.control] + line).map(Value.string))] }

  @Test("RevenueCat's library configures itself, lists offerings, buys, and has Pro in Kidsdoku2")
  func buys() throws {
    let bridge = try RevenueCatBridge(RunningDaemon(), game: "kidsdoku2")
    let seen = try bridge.library([
      step("offerings", as: "anna"), step("info", as: "anna"), step("buy:monthly_sub_2", as: "anna"), step("info", as: "anna"),
      step("attributes", as: "anna"), step("currencies", as: "anna"), step("info", as: "ben"), step("buy:monthly_sub_2", as: "anna"),
    ])
    let offering = seen[0]["all"]?["default"]
    #expect(seen[0]["current"] == "default" && offering?["description"] == "default")
    let monthly: Value = [
      "id": "monthly_sub_2", "type": "subscription", "price": 2_990_000, "currency": "USD", "period": "P1M", "trial": nil, "intro": nil,
    ]
    #expect(offering?["packages"]?.listValue?.first == ["$rc_monthly", monthly], "\(seen[0])")
    #expect(seen[1]["active"] == [] && seen[1]["all"] == [:] && seen[1]["user"] == "anna")
    #expect(seen[2]["active"] == ["Pro"] && seen[2]["subscriptions"] == ["monthly_sub_2"], "\(seen[2])")
    #expect(seen[3]["all"]?["Pro"]?["willRenew"] == true && seen[3]["all"]?["Pro"]?["isSandbox"] == true, "\(seen[3])")
    #expect(seen[4]["answer"] == [:])
    // Virtual currencies are off. Error 28 is CustomerInfoError, to which the library converts the daemon's code 7259.
    #expect(seen[5]["error"] == 28, "\(seen[5])")
    #expect(seen[6]["active"] == [] && seen[6]["user"] == "ben")
    // Error 6 is ProductAlreadyPurchasedError.
    #expect(seen[7]["error"] == 6, "\(seen[7])")
    let entitlements = try bridge.daemon.read(at: "/v1/games/kidsdoku2/players/anna/entitlements")
    #expect(entitlements["entitlements"]?.listValue?.first?["is_active"] == true)
  }

  @Test("in each state of the guide, RevenueCat's library and the daemon report the same entitlement Pro")
  func states() throws {
    #expect(RevenueCatState.all.count == 20, "\(RevenueCatState.all.count)")
    let bridge = try RevenueCatBridge(RunningDaemon(catalogs: ["puzzles.yaml": RevenueCatState.catalog]), game: "puzzles")
    for state in RevenueCatState.all {
      let ending = try bridge.daemon.control(state.line)
      #expect(ending.status == 0, "\(state.name): \(ending.output)\(ending.errors)")
    }
    let seen = try bridge.library(RevenueCatState.all.map { step("info", as: $0.player) })
    for (state, info) in zip(RevenueCatState.all, seen) {
      let pro = info["all"]?["Pro"]
      #expect(pro?["isActive"]?.boolValue == state.isActive, "\(state.name): \(info)")
      #expect(pro?["willRenew"]?.boolValue == state.willRenew, "\(state.name): \(info)")
      #expect(pro?["periodType"]?.stringValue == state.periodType, "\(state.name): \(info)")
      #expect(pro?["product"]?.stringValue == state.product, "\(state.name): \(info)")
      #expect(info["active"] == (state.isActive == true ? ["Pro"] : []), "\(state.name)")
      try compare(info, state, bridge.daemon)
    }
  }

  /// Compares the library's customer info with the daemon's entitlements.
  private func compare(_ info: Value, _ state: RevenueCatState, _ daemon: RunningDaemon) throws {
    let answer = try daemon.read(at: "/v1/games/puzzles/players/\(state.player)/entitlements")
    let own = answer["entitlements"]?.listValue?.first { $0["id"] == "Pro" }
    #expect(own?["is_active"]?.boolValue ?? false == state.isActive ?? false, "\(state.name): \(answer)")
    guard state.isActive == true, let own else { return }
    let renews = own["will_renew"] == true && own["billing_issues_detected_at"] == nil
    #expect(renews == state.willRenew, "\(state.name): \(own)")
    // The player's clock is ahead, so the library gets dates converted to the host's time.
    let clock = try daemon.ask("GET", "/v1/games/puzzles/players/\(state.player)/clock", admin: true).json
    let ahead = clock["offset_milliseconds"]?.integerValue ?? 0
    guard let end = own["expires_at"]?.stringValue else {
      #expect(info["all"]?["Pro"]?["expires"] == nil || info["all"]?["Pro"]?["expires"] == .null, "\(state.name)")
      return
    }
    let expiry = try Instant(parsing: try #require(info["all"]?["Pro"]?["expires"]?.stringValue))
    let difference = expiry.milliseconds - (try Instant(parsing: end).milliseconds - ahead)
    #expect((0..<1000).contains(difference), "\(state.name): \(expiry) is not \(end) less \(ahead) ms")
  }

  @Test("RevenueCat's library follows a subscription while the clock moves, at rates 1 and 3 600", arguments: ["1", "3600"])
  func life(rate: String) throws {
    let bridge = try RevenueCatBridge(RunningDaemon(catalogs: ["puzzles.yaml": RevenueCatState.catalog]), game: "puzzles")
    if rate != "1" { #expect(try bridge.daemon.control("iap", "clock", "puzzles", "rate", rate, "--yes").status == 0) }
    func play(_ acts: String, _ product: String = "monthly") -> Value { run("iap", "play", "puzzles", "anna", product, acts) }
    let info = step("info", as: "anna")
    let seen = try bridge.library([
      step("buy:monthly", as: "anna"),
      play("wait:P40D"), info,
      play("cancel"), info,
      play("resume,fail"), info,
      play("wait:P17D"), info,
      play("recover"), info,
      play("refund"), info,
      step("buy:lifetime", as: "anna"),
      play("refund", "lifetime"), info,
      step("info", as: "ben"),
    ])
    func pro(_ at: Int) -> Value { seen[at]["all"]?["Pro"] ?? .null }
    #expect(pro(0)["isActive"] == true && pro(0)["willRenew"] == true, "\(seen[0])")
    #expect(pro(2)["isActive"] == true && pro(2)["willRenew"] == true, "after a renewal: \(seen[2])")
    #expect(pro(4)["isActive"] == true && pro(4)["willRenew"] == false, "after a cancellation: \(seen[4])")
    #expect(pro(6)["isActive"] == true && pro(6)["willRenew"] == false && pro(6)["billingIssue"] == true, "in grace: \(seen[6])")
    #expect(pro(8)["isActive"] == false && pro(8)["willRenew"] == false, "after grace: \(seen[8])")
    #expect(pro(10)["isActive"] == true && pro(10)["willRenew"] == true, "recovered: \(seen[10])")
    #expect(pro(12)["isActive"] == false && seen[12]["active"] == [], "refunded: \(seen[12])")
    #expect(pro(13)["isActive"] == true && seen[13]["others"] == ["lifetime"], "for good: \(seen[13])")
    #expect(seen[15]["active"] == [] && seen[15]["others"] == [], "refunded again: \(seen[15])")
    #expect(seen[16]["user"] == "ben" && seen[16]["active"] == [])
  }

  @Test("RevenueCat's library reports the simulated store's failures as its own errors, and a player's remaining offers")
  func failures() throws {
    let bridge = try RevenueCatBridge(RunningDaemon(catalogs: ["puzzles.yaml": RevenueCatState.catalog]), game: "puzzles")
    func fail(_ player: String, _ call: String, _ error: String) -> Value {
      run("iap", "behaviour", "puzzles", player, "fail", call, "--error", error)
    }
    let seen = try bridge.library([
      fail("a", "purchase", "payment_declined"), step("buy:monthly", as: "a"),
      fail("b", "verification", "invalid_signature"), step("buy:monthly", as: "b"), step("info", as: "b"),
      fail("c", "purchase", "ineligible_for_offer"), step("buy:monthly", as: "c"),
      run("iap", "behaviour", "puzzles", "d", "ask-to-buy", "on"), step("buy:monthly", as: "d"),
      run("iap", "approve", "puzzles", "d", "monthly"), step("info", as: "d"),
      step("offerings", as: "e"), step("buy:trial", as: "e"), run("iap", "expire", "puzzles", "e", "trial"), step("offerings", as: "e"),
    ])
    #expect(seen[1]["error"] == 2, "StoreProblemError: \(seen[1])")
    #expect(seen[3]["error"] == 8 && seen[4]["active"] == [], "InvalidReceiptError: \(seen[3])")
    #expect(seen[6]["error"] == 18, "IneligibleError: \(seen[6])")
    #expect(seen[8]["active"] == [] && seen[8]["error"] == nil, "Ask to Buy: \(seen[8])")
    #expect(seen[10]["active"] == ["Pro"], "approved: \(seen[10])")
    func trial(_ at: Int) -> Value? {
      seen[at]["all"]?["trials"]?["packages"]?.listValue?.first { $0.listValue?.first == "trial" }?.listValue?.last?["trial"]
    }
    #expect(trial(11) == "P1W" && trial(14) == .null, "\(seen[11]) \(seen[14])")
    #expect(seen[11]["all"]?["trials"]?["metadata"] == ["headline": "Try it for a week"])
  }

  @Test("a login in RevenueCat's library joins the anonymous user to the known one, once")
  func login() throws {
    let bridge = try RevenueCatBridge(RunningDaemon(), game: "kidsdoku2")
    let (one, other) = ("$RCAnonymousID:00000000000000000000000000000001", "$RCAnonymousID:00000000000000000000000000000002")
    let seen = try bridge.library([
      step("buy:monthly_sub_2", as: one), step("identify", as: "anna"), step("info", as: one), step("info", as: other),
      step("identify", as: "anna"), step("info", as: other),
    ])
    #expect(seen[1]["wasCreated"] == true && seen[1]["user"] == "anna" && seen[1]["active"] == ["Pro"], "\(seen[1])")
    #expect(seen[2]["user"] == "anna" && seen[2]["active"] == ["Pro"], "the anonymous id is another name: \(seen[2])")
    #expect(seen[4]["wasCreated"] == false && seen[4]["active"] == ["Pro"], "\(seen[4])")
    #expect(seen[5]["user"] == .string(other) && seen[5]["active"] == [], "a second one stays apart: \(seen[5])")
    // Forgetting the player removes the moved purchases and the alias.
    #expect(try bridge.daemon.control("player", "forget", "kidsdoku2", "anna", "--yes").status == 0)
    let after = try bridge.library([step("info", as: one)])
    #expect(after[0]["user"] == .string(one) && after[0]["active"] == [], "\(after[0])")
  }
}
