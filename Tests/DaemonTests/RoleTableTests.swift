// Roles by call and by act: all calls that need a role, and all acts whose role depends on the body or on stored data.

import GameConfCore
import Glibc
import Testing

@Suite("The table of roles", .serialized)
struct RoleTableTests {
  private enum Role: CaseIterable { case outsider, publisher, tester, admin }

  /// The roles admitted by each declared need. If a call's need depends on the request or on stored data, the call is also in ``acts``.
  private static let admitted: [String: Set<Role>] = [
    "tester": [.tester, .admin], "publisher": [.publisher, .admin], "admin": [.admin],
  ]
  /// The calls of each role, without those that everyone may make. A new call that needs a role must be listed here.
  private static let calls: [String: Set<String>] = [
    "tester": [
      "acceptPrice", "approve", "beginScenario", "billingRetry", "cancelRenewal", "clearTransactions", "closePlay", "copyPlayer", "decline",
      "deletePlayerOverride", "deleteSetting", "deleteTransaction", "changePrice", "expire", "finishTransaction", "forceAd", "grant",
      "openPlay", "openVisit", "patchPlayer", "purchase", "putContext", "putPlayState", "putPlayerClock", "putPlayerOverride", "putSetting",
      "putStoreBehaviour", "recordEvent", "recover", "refund", "refundDecline", "releasePlayerOverride", "removeBests", "removeBoardRows",
      "putSettings", "renew", "renewalOn", "reportAd", "resetAds", "resetPlayer", "resolve", "restorePurchases", "revertMany", "revoke",
      "switchPremium",
    ],
    "publisher": [
      "activateTemplate", "fetchTemplate", "putFirebaseNamespaceTemplate", "putFirebaseTemplate", "putTemplate", "putTemplateSource",
      "rollbackFirebaseTemplate",
      "rollbackTemplate",
    ],
    "admin": [
      "deleteOverride", "forgetGame", "forgetPlayer", "forgetStored", "playerRows", "putGameClock", "putOverride", "releaseOverride",
      "reload",
      "resetGameClock", "storeBackup", "storeCheck", "storeCopies", "storeCopyRemove", "storeRestore", "storedRows",
    ],
    "tester_for_player": ["clearOverrides", "importOverrides", "revert"], "as_begun": ["endScenario", "renewScenario"],
    "tester_with_query": ["products"],
  ]

  /// One form of a call, such as a certain body, with the roles that may make it.
  private struct CallAttempt {
    var name: String
    var method: String
    var target: String
    var body: Value?
    var admits: Set<Role>
    var takesDryRun = true
  }

  private static let uid: UInt32 = 54_400

  /// Returns a daemon, and a user of each role.
  private func setting(_ folder: TemporaryFolder) throws -> (here: ExampleDaemon, users: [Role: OtherUser])? {
    let names = ["games", "mail", "news", "uucp", "audio"]
    let groups = names.compactMap { name in getgrnam(name).map { (name, $0.pointee.gr_gid) } }
    guard groups.count >= 3 else {
      print("SKIPPED: roles were not tried, since this host has too few groups")
      return nil
    }
    var users: [Role: OtherUser] = [:]
    let gids: [Role: UInt32] = [.publisher: groups[0].1, .tester: groups[1].1, .admin: groups[2].1]
    for (at, role) in Role.allCases.enumerated() {
      users[role] = try OtherUser(uid: Self.uid + UInt32(at), groups: gids[role].map { [$0] } ?? [], in: folder)
    }
    guard users.count == Role.allCases.count, access("/usr/bin/curl", X_OK) == 0 else { return nil }
    let here = try ExampleDaemon(
      folder: folder,
      arguments: ["--publisher-group", groups[0].0, "--tester-group", groups[1].0, "--admin-group", groups[2].0])
    return (here, users)
  }

  /// Returns the HTTP statuses of calls that a user makes, with or without dry runs.
  private func statuses(_ acts: [CallAttempt], _ user: OtherUser, _ daemon: RunningDaemon, dryRun: Bool = true) throws -> [String] {
    var words: [String] = []
    for act in acts {
      if !words.isEmpty { words.append("--next") }
      words += [
        "-s", "-o", "/dev/null", "-w", "%{http_code}\\n", "--max-time", "20", "--unix-socket", daemon.adminSocket, "-X", act.method,
      ]
      if let body = act.body {
        words += ["-H", "Content-Type: application/json", "-d", String(decoding: JSONWriter.bytes(body), as: UTF8.self)]
      }
      let isRead = act.method == "GET" || !act.takesDryRun
      words.append("http://localhost" + act.target + (isRead || !dryRun ? "" : (act.target.contains("?") ? "&" : "?") + "dry_run=true"))
    }
    let ending = try user.run("/usr/bin/curl", words)
    let statuses = ending.output.split(separator: "\n").map(String.init)
    try #require(statuses.count == acts.count, "\(ending.errors)")
    return statuses
  }

  @Test("each role may make exactly the calls in its row of the table of roles", .needs(.firebase))
  func everyCall() throws {
    let folder = try TemporaryFolder()
    guard let (here, users) = try setting(folder) else { return }
    // RevenueCat's calls are on the games socket, which needs no role for them, and are refused on the admin socket.
    let calls = try here.calls().filter { !$0.path.contains("/revenuecat/") }
    let declared = Dictionary(grouping: calls.filter { $0.needs != "anyone" }, by: \.needs).mapValues { Set($0.map(\.name)) }
    #expect(declared == Self.calls)
    for call in calls where call.changes != nil && !call.path.hasPrefix("/v1/projects/") {
      #expect(call.needs != "anyone", "\(call.name) changes something")
    }
    let before = try here.state()
    var acts: [CallAttempt] = []
    for call in calls where !["storeRestore", "storeBackup"].contains(call.name) && !call.path.hasPrefix("/v1/projects/") {
      guard let admits = Self.admitted[call.needs] else { continue }
      acts.append(
        CallAttempt(
          name: call.name, method: call.method, target: call.target(), body: call.body, admits: admits, takesDryRun: call.changes != nil))
    }
    #expect(acts.count > 55)
    for (role, user) in users {
      for (act, status) in zip(acts, try statuses(acts, user, here.daemon)) {
        #expect((status != "403") == act.admits.contains(role), "\(act.name) as \(role): \(status)")
      }
    }
    #expect(try here.state() == before)
  }

  @Test("a call whose body or stored data decides its target needs a tester for one player, and an admin for a whole game")
  func everyAct() throws {
    let folder = try TemporaryFolder()
    guard let (here, users) = try setting(folder), let tester = users[.tester], let admin = users[.admin] else { return }
    let (daemon, game) = (here.daemon, "/v1/games/wheresthedot")
    let (key, one) = ("arcade_difficulty_step", ["arcade_difficulty_step": 15] as Value)
    func begin(_ user: OtherUser, game isForGame: Bool) throws -> String {
      var body: ObjectValue = ["games": ["wheresthedot": isForGame ? ["overrides": one] : [:]]]
      if isForGame { body["scope"] = "game" }
      let words = ["-s", "--unix-socket", daemon.adminSocket, "-H", "Content-Type: application/json", "-d"]
      let answer = try user.run(
        "/usr/bin/curl", words + [String(decoding: JSONWriter.bytes(.object(body)), as: UTF8.self), "http://localhost/v1/scenarios"])
      return try #require(try JSONReader.value(from: answer.output)["id"]?.stringValue, "\(answer.output)")
    }
    #expect(try daemon.put(key, 15, game: "wheresthedot", player: "p1").status == 201)
    let ofPlayer = try #require(daemon.audit(game: "wheresthedot").first?["id"]?.integerValue)
    #expect(try daemon.put("arcade_mode_enabled", false, game: "wheresthedot").status == 201)
    let ofGame = try #require(daemon.audit(game: "wheresthedot").first?["id"]?.integerValue)
    let (others, whole) = (try begin(admin, game: false), try begin(admin, game: true))
    let (both, some): (Set<Role>, Set<Role>) = ([.admin], [.tester, .admin])
    func rows(_ player: String?) -> Value {
      var row: ObjectValue = ["key": .string(key), "value": 16]
      row["player"] = player.map(Value.string)
      return .list([.object(row)])
    }
    let acts = [
      CallAttempt(name: "begin for players", method: "POST", target: "/v1/scenarios", body: ["games": ["kidsdoku2": [:]]], admits: some),
      CallAttempt(
        name: "begin for a game", method: "POST", target: "/v1/scenarios", body: ["scope": "game", "games": ["kidsdoku2": [:]]],
        admits: both),
      CallAttempt(name: "end another's for players", method: "DELETE", target: "/v1/scenarios/\(others)", body: nil, admits: some),
      CallAttempt(name: "end one for a game", method: "DELETE", target: "/v1/scenarios/\(whole)", body: nil, admits: both),
      CallAttempt(name: "end one that is over", method: "DELETE", target: "/v1/scenarios/000000000000", body: nil, admits: some),
      CallAttempt(name: "renew another's for players", method: "PUT", target: "/v1/scenarios/\(others)/lease", body: nil, admits: some),
      CallAttempt(name: "renew one for a game", method: "PUT", target: "/v1/scenarios/\(whole)/lease", body: nil, admits: both),
      CallAttempt(name: "revert a player's", method: "POST", target: game + "/audit/\(ofPlayer)/revert", body: nil, admits: some),
      CallAttempt(name: "revert a game's", method: "POST", target: game + "/audit/\(ofGame)/revert", body: nil, admits: both),
      CallAttempt(
        name: "clear a player's", method: "POST", target: game + "/overrides/clear", body: ["scope": "player", "player": "p1"], admits: some
      ),
      CallAttempt(name: "clear a game's", method: "POST", target: game + "/overrides/clear", body: ["scope": "game"], admits: both),
      CallAttempt(name: "clear all players'", method: "POST", target: game + "/overrides/clear", body: ["scope": "players"], admits: both),
      CallAttempt(name: "clear everything", method: "POST", target: game + "/overrides/clear", body: ["scope": "all"], admits: both),
      CallAttempt(
        name: "import a player's", method: "POST", target: game + "/overrides/import", body: ["mode": "merge", "overrides": rows("p2")],
        admits: some),
      CallAttempt(
        name: "import a game's", method: "POST", target: game + "/overrides/import", body: ["mode": "merge", "overrides": rows(nil)],
        admits: both),
      CallAttempt(
        name: "import in place of all", method: "POST", target: game + "/overrides/import",
        body: ["mode": "replace", "overrides": rows("p2")], admits: both),
      CallAttempt(name: "read products for a player", method: "GET", target: game + "/products?player=p1", body: nil, admits: some),
      CallAttempt(
        name: "read products", method: "GET", target: game + "/products", body: nil, admits: Set(Role.allCases).subtracting([.outsider])),
    ]
    for (role, user) in users {
      for (act, status) in zip(acts, try statuses(acts, user, daemon)) {
        #expect((status != "403") == act.admits.contains(role), "\(act.name) as \(role): \(status)")
      }
    }
    #expect(try daemon.read(key, game: "wheresthedot")["value"] == 15, "the scenario for the game is in force")
    // A former admin who is a tester now may end the scenarios that they began, but not renew them.
    let formerly = try #require(try OtherUser(uid: admin.uid, groups: tester.groups, in: folder))
    let last = acts.filter { ["renew one for a game", "end one for a game"].contains($0.name) }
    #expect(try statuses(last.reversed(), formerly, daemon, dryRun: false) == ["403", "204"])
    #expect(try daemon.read(key, game: "wheresthedot")["value"] != 15)
  }
}
