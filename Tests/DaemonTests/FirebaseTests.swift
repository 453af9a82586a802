// Firebase's REST API over the real sockets, with the requests of its clients.

import GameConfCore
import Testing

@Suite("Firebase's API of a running daemon")
struct FirebaseTests {
  private static let template = """
    {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}],
     "parameters": {"speed": {"defaultValue": {"value": "3"}, "conditionalValues": {"ios": {"value": "3.5"}}, "valueType": "NUMBER"},
                    "elsewhere": {"defaultValue": {"value": "kept"}, "x": 1.50}}}
    """
  private static let server = """
    {"conditions": [{"name": "half", "condition": {"orCondition": {"conditions": [{"percent": {"percentOperator": "LESS_OR_EQUAL",
      "seed": "s", "microPercent": 50000000}}]}}}],
     "parameters": {"speed": {"defaultValue": {"value": "3"}, "conditionalValues": {"half": {"value": "3.5"}}, "valueType": "NUMBER"}}}
    """
  private static let admin = "/v1/projects/mine/remoteConfig"
  private static let fetch = "/v1/projects/mine/namespaces/firebase:fetch"

  private func daemon() throws -> RunningDaemon { try RunningDaemon(catalogs: ["mine.yaml": Mine.catalog]) }

  /// Sends a request with raw bytes as its body.
  private func send(
    _ daemon: RunningDaemon, _ method: String, _ target: String, _ body: [UInt8] = [], _ headers: [String: String] = [:],
    admin: Bool = true
  ) throws -> RawConnection.Answer {
    let connection = try RawConnection(admin ? daemon.adminSocket : daemon.gamesSocket)
    var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer anything\r\n"
    if method != "GET" { text += "Content-Type: application/json; charset=UTF-8\r\nContent-Length: \(body.count)\r\n" }
    for (name, value) in headers { text += "\(name): \(value)\r\n" }
    connection.send(Array((text + "\r\n").utf8) + body)
    return try #require(connection.answer())
  }

  private func publish(
    _ daemon: RunningDaemon, _ text: String, ifMatch: String? = "*", _ more: String = ""
  ) throws -> RawConnection.Answer {
    try send(daemon, "PUT", Self.admin + more, Array(text.utf8), ifMatch.map { ["If-Match": $0] } ?? [:])
  }

  private func fetched(
    _ daemon: RunningDaemon, _ more: [(String, Value)] = [], ifNoneMatch: String = "*", player: String = "p1"
  ) throws -> RawConnection.Answer {
    let body: Value = .object(ObjectValue([("app_instance_id", .string(player))] + more))
    return try send(daemon, "POST", Self.fetch + "?key=AIza", JSONWriter.bytes(body), ["If-None-Match": ifNoneMatch], admin: false)
  }

  @Test("refusals of Firebase's calls have Google's form, in the OpenAPI document too")
  func refusals() throws {
    let daemon = try daemon()
    let document = try daemon.ask("GET", "/openapi.json").json
    let paths = document["paths"]?.objectValue?.members.filter { $0.name.hasPrefix("/v1/projects/") } ?? []
    #expect(paths.count >= 8)
    for operation in paths.flatMap({ path in path.value.objectValue?.members ?? [] }) {
      let responses = operation.value["responses"]?.objectValue ?? ObjectValue()
      let refusals = responses.members.filter { $0.name >= "400" }
      #expect(refusals.count > 5, "\(operation.value)")
      #expect(refusals.allSatisfy { $0.value["$ref"] == "#/components/responses/FirebaseFailure" }, "\(operation.value)")
    }
    let content = document["components"]?["responses"]?["FirebaseFailure"]?["content"]?.objectValue?.members ?? []
    #expect(content.map(\.name) == ["application/json"])
    let members = content.first?.value["schema"]?["properties"]?["error"]?["properties"]?.objectValue?.members.map(\.name).sorted()
    for refused in [
      try send(daemon, "GET", "/v1/projects/nobody/remoteConfig"), try publish(daemon, "{", ifMatch: "*"),
      try send(daemon, "GET", Self.admin + ":listVersions?pageSize=0"),
      try send(daemon, "PUT", Self.admin, [], ["Origin": "http://evil.example"]), try send(daemon, "GET", Self.admin + "%ff"),
    ] {
      #expect(refused.status >= 400 && refused.headers["content-type"]?.hasPrefix("application/json") == true, "\(refused.text)")
      #expect(refused.json["error"]?.objectValue?.members.map(\.name).sorted() == members, "\(refused.text)")
    }
  }

  @Test("a Firebase template is published with its ETag, returned unchanged with its version, listed and rolled back")
  func publishing() throws {
    let daemon = try daemon()
    let none = try send(daemon, "GET", Self.admin)
    #expect(none.status == 200 && none.json == ["conditions": [], "parameters": [:]] && none.headers["etag"] == "etag-mine-0")
    let blind = try publish(daemon, Self.template, ifMatch: nil)
    #expect(blind.status == 400 && blind.json["error"]?["status"] == "INVALID_ARGUMENT", "\(blind.text)")
    let first = try publish(daemon, Self.template, ifMatch: "etag-mine-0")
    #expect(first.status == 200 && first.headers["etag"] == "etag-mine-1", "\(first.text)")
    let given = try send(daemon, "GET", Self.admin)
    #expect(given.headers["etag"] == "etag-mine-1")
    #expect(given.json["version"]?["updateUser"]?["email"]?.stringValue?.hasSuffix("@localhost") == true)
    #expect(given.json["version"]?["versionNumber"] == "1" && given.json["version"]?["updateType"] == "INCREMENTAL_UPDATE")
    // Only the version is inserted; all other bytes are unchanged, also a number that JSON could write differently.
    #expect(given.text.hasPrefix(String(Self.template.dropLast(1))) && given.text.contains("\"x\": 1.50"))

    let changed = given.text.replacing("\"value\": \"3\"", with: "\"value\": \"2.5\"")
    let second = try publish(daemon, changed, ifMatch: "etag-mine-1")
    #expect(second.status == 200 && second.headers["etag"] == "etag-mine-2")
    let late = try publish(daemon, changed.replacing("2.5", with: "1.5"), ifMatch: "etag-mine-1")
    #expect(late.status == 400 && late.json["error"]?["code"] == 400 && late.json["error"]?["status"] == "FAILED_PRECONDITION")
    #expect(late.json["error"]?["message"]?.stringValue?.hasPrefix("[VERSION_MISMATCH]") == true, "\(late.text)")
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 2.5)
    let again = try send(daemon, "GET", Self.admin).text
    #expect(again.hasPrefix(String(Self.template.replacing("\"value\": \"3\"", with: "\"value\": \"2.5\"").dropLast(1))))

    let listed = try send(daemon, "GET", Self.admin + ":listVersions?pageSize=1&alt=json")
    #expect(listed.json["versions"]?.listValue?.count == 1 && listed.json["versions"]?.listValue?.first?["versionNumber"] == "2")
    let token = try #require(listed.json["nextPageToken"]?.stringValue)
    let rest = try send(daemon, "GET", Self.admin + ":listVersions?pageSize=1&pageToken=\(token)")
    #expect(rest.json["versions"]?.listValue?.first?["versionNumber"] == "1" && rest.json["nextPageToken"] == nil)
    let back = try send(daemon, "POST", Self.admin + ":rollback", Array("{\"versionNumber\": \"1\"}".utf8))
    #expect(back.status == 200 && back.headers["etag"] == "etag-mine-3", "\(back.text)")
    #expect(back.json["version"]?["updateType"] == "ROLLBACK" && back.json["version"]?["rollbackSource"] == "1")
    try daemon.restart(killing: true)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 3.0)
    #expect(try send(daemon, "GET", Self.admin + "?versionNumber=2").text.contains("\"2.5\""))
  }

  @Test("an invalid Firebase template is refused in Google's form and changes nothing")
  func refused() throws {
    let daemon = try daemon()
    #expect(try publish(daemon, Self.template).status == 200)
    for (text, status) in [
      ("", 400), ("[", 400), ("{\"parameters\": {\"speed\": {\"defaultValue\": {\"value\": \"99\"}}}}", 400),
      ("{\"gameconf_template\": 1}", 400), ("{\"conditions\": [{\"name\": \"c\", \"expression\": \"percent <= 200\"}]}", 400),
    ] {
      let answer = try publish(daemon, text)
      #expect(answer.status == status && answer.json["error"]?["code"]?.integerValue == Int64(status), "\(text): \(answer.text)")
    }
    let range = try publish(daemon, "{\"parameters\": {\"speed\": {\"defaultValue\": {\"value\": \"99\"}}}}")
    let message = range.json["error"]?["message"]?.stringValue ?? ""
    #expect(message.hasPrefix("[VALIDATION_ERROR]") && message.contains("/parameters/speed/defaultValue/value"), "\(message)")
    for query in ["?validate_only=true", "?validateOnly=true", "?dry_run=true"] {
      let checked = try publish(daemon, Self.template.replacing("\"3\"", with: "\"1.5\""), query)
      #expect(checked.status == 200 && checked.headers["etag"]?.hasSuffix("-0") == true, "\(checked.text)")
    }
    // Firebase itself would refuse this template; a push here accepts it.
    let loose = "{\"parameters\": {\"else-where\": {\"defaultValue\": {\"value\": \"on\"}, \"valueType\": \"BOOLEAN\"}}}"
    let reply = try publish(daemon, loose, "?validate_only=true")
    #expect(reply.status == 400 && reply.json["error"]?["message"]?.stringValue?.hasPrefix("[VALIDATION_ERROR]: /parameters/") == true)
    #expect(reply.text.contains("refuses the key “else-where”") && reply.text.contains("as BOOLEAN"), "\(reply.text)")
    #expect(try publish(daemon, loose, "?dry_run=true").status == 200)
    for path in ["/v1/projects/mine/nothing", "/v1/projects/mine", "/v1/projects/mine/remoteConfig:undo"] {
      let stray = try send(daemon, "GET", path)
      #expect(stray.status == 404 && stray.json["error"]?["status"] == "NOT_FOUND", "\(path): \(stray.text)")
    }
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 3.0)
    #expect(try send(daemon, "POST", Self.admin + ":rollback", Array("{\"versionNumber\": \"17\"}".utf8)).status == 404)
    #expect(try send(daemon, "POST", Self.admin + ":rollback", Array("{}".utf8)).status == 400)
    #expect(try send(daemon, "POST", Self.admin + ":rollback?versionNumber=17").status == 404)
    #expect(try send(daemon, "POST", Self.admin + ":rollback?versionNumber=2", Array("{\"versionNumber\": \"1\"}".utf8)).status == 400)
    #expect(try send(daemon, "GET", Self.admin + "?versionNumber=17").json["error"]?["status"] == "NOT_FOUND")
    #expect(try send(daemon, "GET", "/v1/projects/other/remoteConfig").json["error"]?["status"] == "NOT_FOUND")
    #expect(try send(daemon, "GET", "/v1/projects/mine/namespaces/else/remoteConfig").status == 404)
    #expect(try send(daemon, "GET", Self.admin + ":listVersions?pageSize=301").status == 200)
    #expect(try send(daemon, "GET", Self.admin + ":listVersions?endVersionNumber=9223372036854775807").status == 200)
    let games = try send(daemon, "GET", Self.admin, admin: false)
    #expect(games.status == 403 && games.json["error"]?["status"] == "PERMISSION_DENIED", "\(games.text)")
    #expect(try daemon.ask("PUT", "/v1/games/mine/template", body: ["gameconf_template": 1, "values": [:]], admin: true).status == 200)
    let other = try send(daemon, "GET", Self.admin)
    #expect(other.status == 400 && other.json["error"]?["message"]?.stringValue?.contains("not in Firebase's form") == true)
  }

  @Test("Firebase's defaults are returned as JSON, property list and XML")
  func defaults() throws {
    let daemon = try daemon()
    #expect(try publish(daemon, Self.template.replacing("kept", with: "<&>")).status == 200)
    let target = Self.admin + ":downloadDefaults?format="
    #expect(try send(daemon, "GET", target + "JSON").json == ["speed": "3", "elsewhere": "<&>"])
    let list = try send(daemon, "GET", target + "PLIST")
    #expect(list.text.contains("<key>elsewhere</key>\n    <string>&lt;&amp;&gt;</string>") && list.headers["etag"] == "etag-mine-1")
    #expect(try send(daemon, "GET", target + "XML").text.contains("<key>speed</key>\n    <value>3</value>"))
    #expect(try send(daemon, "GET", target + "YAML").status == 400)
  }

  @Test("a Firebase fetch has values of the template and overrides as texts, no secrets, and an ETag that changes with an override")
  func fetching() throws {
    let daemon = try daemon()
    #expect(try fetched(daemon).json["state"] == "NO_TEMPLATE")
    #expect(try publish(daemon, Self.template).status == 200)
    let first = try fetched(daemon)
    #expect(first.json["entries"] == ["speed": "3.0"] && first.json["state"] == "UPDATE", "\(first.text)")
    #expect(try fetched(daemon, [("app_id", "1:7:ios:abc")]).json["entries"] == ["speed": "3.5"])
    #expect(try fetched(daemon, [("custom_signals", ["platform": "ios"])]).json["entries"] == ["speed": "3.5"])
    let tag = try #require(first.headers["etag"])
    let same = try fetched(daemon, ifNoneMatch: tag)
    #expect(same.status == 200 && same.json["state"] == "NO_CHANGE" && same.json["entries"] == nil && same.headers["etag"] == tag)

    #expect(try daemon.put("lives", 9).status == 201)
    #expect(try daemon.put("token", "hidden").status == 201)
    #expect(try daemon.put("title", "for p1", player: "p1").status == 201)
    let overridden = try fetched(daemon, ifNoneMatch: tag)
    #expect(overridden.json["entries"] == ["speed": "3.0", "lives": "9", "title": "for p1"], "\(overridden.text)")
    #expect(overridden.headers["etag"] != tag)
    let versions = [first, overridden].compactMap { $0.json["templateVersion"]?.stringValue.flatMap { Int64($0) } }
    #expect(versions.count == 2 && versions[0] < versions[1])
    #expect(try fetched(daemon, player: "p2").json["entries"] == ["speed": "3.0", "lives": "9"])
    // The app knows the player's own setting.
    #expect(try daemon.ask("PUT", "/v1/games/mine/players/p1/settings/sound", body: ["value": false]).status == 200)
    #expect(try fetched(daemon).json["entries"]?["sound"] == nil)
    #expect(try send(daemon, "POST", "/v1/projects/mine/namespaces/fireperf:fetch", Array("{}".utf8)).json["state"] == "NO_TEMPLATE")
    #expect(try fetched(daemon, player: "a\nb").json["error"]?["status"] == "INVALID_ARGUMENT")
  }

  @Test("a Firebase body marked as gzip is accepted compressed or not, up to one mebibyte")
  func packed() throws {
    let daemon = try daemon()
    #expect(try publish(daemon, Self.template).status == 200)
    let claims = ["Content-Encoding": "gzip"]
    let plain = Array("{\"app_instance_id\": \"p1\", \"app_id\": \"1:7:ios:abc\"}".utf8)
    #expect(try send(daemon, "POST", Self.fetch, plain, claims, admin: false).json["entries"] == ["speed": "3.5"])
    let packed = try Self.gzip(plain)
    #expect(packed != plain && packed.first == 0x1F)
    let answer = try send(daemon, "POST", Self.fetch, packed, claims, admin: false)
    #expect(answer.json["entries"] == ["speed": "3.5"], "\(answer.text)")
    #expect(try send(daemon, "POST", Self.fetch, Array(packed.dropLast(3)), claims, admin: false).status == 400)
    let most = try Self.gzip(Array("{}".utf8) + [UInt8](repeating: 0x20, count: (1 << 20) - 2))
    #expect(try send(daemon, "POST", Self.fetch, most, claims, admin: false).status == 200)
    let more = try Self.gzip(Array("{}".utf8) + [UInt8](repeating: 0x20, count: (1 << 20) - 1))
    let bomb = try send(daemon, "POST", Self.fetch, more, claims, admin: false)
    #expect(bomb.status == 413 && bomb.json["error"]?["code"] == 413, "\(bomb.text)")
    let text = Array(Self.template.replacing("\"3\"", with: "\"1.5\"").utf8)
    #expect(try send(daemon, "PUT", Self.admin, Self.gzip(text), ["Content-Encoding": "gzip", "If-Match": "*"]).status == 200)
    #expect(try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 1.5)
  }

  /// Compresses bytes with this machine's gzip.
  private static func gzip(_ bytes: [UInt8]) throws -> [UInt8] {
    let folder = try TemporaryFolder()
    try folder.write(bytes, to: "body")
    let ending = try ChildProcess("/bin/sh", ["-c", "gzip -c \(folder.path)/body > \(folder.path)/body.gz"]).waitForEnd()
    #expect(ending.status == 0, "\(ending.errors)")
    return try #require(TemporaryFolder.read(folder.path + "/body.gz"))
  }

  @Test("a server template for Firebase has overrides as unconditional defaults, and no secrets")
  func serverTemplate() throws {
    let daemon = try daemon()
    let target = "/v1/projects/mine/namespaces/firebase-server/serverRemoteConfig"
    #expect(try send(daemon, "GET", target, admin: false).json["parameters"] == .object(ObjectValue()))
    #expect(try publish(daemon, Self.server).status == 200)
    let given = try send(daemon, "GET", target, admin: false)
    #expect(given.json["parameters"]?["speed"]?["conditionalValues"]?["half"]?["value"] == "3.5", "\(given.text)")
    #expect(given.json["conditions"]?.listValue?.first?["name"] == "half")
    let tag = given.headers["etag"]
    #expect(tag?.hasPrefix("etag-mine-") == true)
    #expect(try daemon.put("speed", 1.5).status == 201)
    #expect(try daemon.put("sound", false).status == 201)
    #expect(try daemon.put("token", "hidden").status == 201)
    #expect(try daemon.put("lives", 7, player: "p1").status == 201)
    let overridden = try send(daemon, "GET", target, admin: false)
    #expect(overridden.json["parameters"]?["speed"] == ["defaultValue": ["value": "1.5"], "valueType": "NUMBER"], "\(overridden.text)")
    #expect(overridden.json["parameters"]?["sound"] == ["valueType": "BOOLEAN", "defaultValue": ["value": "false"]])
    #expect(overridden.json["parameters"]?["token"] == nil && overridden.json["parameters"]?["lives"] == nil)
    #expect(overridden.headers["etag"] != tag)
    // The raw template does not contain overrides, because a client would publish them back.
    #expect(try send(daemon, "GET", "/v1/projects/mine/namespaces/firebase-server/remoteConfig").json["parameters"]?["sound"] == nil)
    #expect(try publish(daemon, Self.template).status == 200)
    let client = try send(daemon, "GET", target, admin: false)
    #expect(client.status == 400 && client.json["error"]?["message"]?.stringValue?.contains("/conditions/0") == true, "\(client.text)")
  }

  @Test("Firebase's stream notifies of the newest version and of each later one, also for overrides")
  func stream() throws {
    let daemon = try daemon()
    #expect(try publish(daemon, Self.template).status == 200)
    let connection = try RawConnection(daemon.gamesSocket)
    let body = "{\"appInstanceId\": \"p1\", \"lastKnownVersionNumber\": \"1\"}"
    connection.send(
      "POST /v1/projects/mine/namespaces/firebase:streamFetchInvalidations?key=x HTTP/1.1\r\nHost: localhost\r\n"
        + "Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
    #expect(connection.beginStream() == 200)
    func next() throws -> Int64 {
      while true {
        let text = String(decoding: try #require(connection.nextChunk()), as: UTF8.self)
        if !text.contains("{") { continue }
        let prefix = "{\"latestTemplateVersionNumber\":\""
        #expect(text.hasPrefix(prefix) && text.hasSuffix("\"}\n"), "\(text)")
        return try #require(Int64(text.dropFirst(prefix.count).prefix { $0 != "\"" }))
      }
    }
    func version() throws -> Int64 { try #require(fetched(daemon).json["templateVersion"]?.stringValue.flatMap { Int64($0) }) }
    let first = try next()
    #expect(try version() == first)
    #expect(try daemon.put("lives", 9).status == 201)
    let second = try next()
    #expect(second > first)
    #expect(try version() == second)
    #expect(try publish(daemon, Self.template.replacing("\"3\"", with: "\"1.5\"")).status == 200)
    let third = try next()
    #expect(third > second)
    #expect(try version() == third)
    #expect(try daemon.put("title", "p1's", player: "p1").status == 201)
    #expect(try next() > third)
  }
}
