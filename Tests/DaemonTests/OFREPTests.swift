// OpenFeature's remote evaluation protocol (OFREP) over the sockets of the real daemon.
import GameConfCore
import Testing

@Suite("OpenFeature's protocol")
struct OFREPTests {
  private static let game = "/v1/games/wheresthedot"
  private static let flags = "/ofrep/v1/evaluate/flags"
  private static let key = "arcade_time_limit_base"
  private static let selector = ["Flagd-Selector": "flagSetId=wheresthedot"]

  private func force(_ daemon: RunningDaemon, _ value: String, _ more: String...) throws {
    #expect(try daemon.control(["config", "set", "wheresthedot", Self.key, value, "--reason", "test"] + more).status == 0)
  }

  @Test("OFREP answers one flag at the game's path, or at the root with a selector, always with variant and metadata")
  func one() throws {
    let daemon = try RunningDaemon()
    for (path, headers) in [(Self.game + Self.flags, [:]), (Self.flags, Self.selector)] {
      let answer = try daemon.ask(
        "POST", path + "/" + Self.key + "?unknown=1&x=", body: ["context": ["targetingKey": "p1"]], headers: headers)
      #expect(answer.status == 200 && answer.json["key"] == .string(Self.key) && answer.json["value"] == 2.5)
      #expect(answer.json["variant"] == "" && answer.json["reason"] == "STATIC")
      #expect(answer.json["metadata"]?["source"] == "default" && answer.json["metadata"]?["overridden"] == false)
    }
  }

  @Test(
    "an OFREP request without body, context or targetingKey is anonymous",
    arguments: [nil, [:], ["context": [:]]] as [Value?])
  func nobody(body: Value?) throws {
    let daemon = try RunningDaemon()
    #expect(try daemon.ask("POST", Self.game + Self.flags + "/" + Self.key, body: body).json["value"] == 2.5)
    #expect(try daemon.ask("POST", Self.game + Self.flags, body: body).json["flags"]?.listValue?.isEmpty == false)
  }

  @Test("an OFREP request with an empty player's id is refused")
  func emptyPlayer() throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask("POST", Self.game + Self.flags + "/" + Self.key, body: ["context": ["targetingKey": ""]])
    #expect(answer.status == 400 && answer.json["errorCode"] == "INVALID_CONTEXT", "\(answer)")
    let fetch = try daemon.ask("POST", "/v1/projects/wheresthedot/namespaces/firebase:fetch", body: ["app_instance_id": ""])
    #expect(fetch.status == 400, "\(fetch)")
  }

  @Test("OFREP answers a player's override to that player only, and its author to admins only")
  func overridden() throws {
    let daemon = try RunningDaemon()
    try force(daemon, "3.5", "--player", "p1")
    let path = Self.game + Self.flags + "/" + Self.key
    let mine = try daemon.ask("POST", path, body: ["context": ["targetingKey": "p1"]])
    #expect(mine.json["value"] == 3.5 && mine.json["metadata"]?["overridden"] == true && mine.json["metadata"]?["override_author"] == nil)
    #expect(try daemon.ask("POST", path, body: ["context": ["targetingKey": "p2"]]).json["value"] == 2.5)
    let admin = try daemon.ask("POST", path, body: ["context": ["targetingKey": "p1"]], admin: true)
    #expect(admin.json["metadata"]?["override_author"]?.stringValue?.isEmpty == false)
  }

  @Test("an OFREP request for all flags gets 304 while nothing has changed, in any order of the context's members")
  func bulk() throws {
    let daemon = try RunningDaemon()
    let path = Self.game + Self.flags
    let first = try daemon.ask("POST", path, body: ["context": ["targetingKey": "p1", "a": 1, "b": 2]])
    let tag = try #require(first.headers["etag"])
    #expect(first.json["eventStreams"]?.listValue?.first?["inactivityDelaySec"] == 45)
    let again: Value = ["context": ["b": 2, "a": 1, "targetingKey": "p1"]]
    let same = try daemon.ask("POST", path, body: again, headers: ["If-None-Match": tag])
    #expect(same.status == 304 && same.body.isEmpty && same.headers["etag"] == tag)
    let any = try daemon.ask("POST", path, body: again, headers: ["If-None-Match": "*"])
    #expect(any.status == 304 && any.body.isEmpty && any.headers["etag"] == tag)
    // Answers with the same ETag have equal values, but each names another start position of its event stream.
    let other = try daemon.ask("POST", path, body: again)
    #expect(tag.hasPrefix("W/\"") && other.headers["etag"] == tag && other.json["flags"] == first.json["flags"])
    #expect(try daemon.ask("POST", path, body: ["context": ["targetingKey": "p1"]], headers: ["If-None-Match": tag]).status == 200)
    try force(daemon, "3.5")
    let changed = try daemon.ask("POST", path, body: again, headers: ["If-None-Match": "\"x\", " + tag])
    #expect(changed.status == 200 && changed.headers["etag"] != tag)
    #expect(changed.json["flags"]?.listValue?.first { $0["key"] == .string(Self.key) }?["value"] == 3.5)
  }

  @Test(
    "an OFREP refusal has the protocol's form",
    arguments: [
      ("POST", "/nothing%2Fat/all", "{}", 404, "FLAG_NOT_FOUND"), ("POST", "/\(key)", "{", 400, "PARSE_ERROR"),
      ("POST", "/\(key)", "[]", 400, "PARSE_ERROR"), ("POST", "/\(key)", #"{"context": 1}"#, 400, "INVALID_CONTEXT"),
      ("POST", "/\(key)", #"{"context": {"targetingKey": 1}}"#, 400, "INVALID_CONTEXT"), ("PUT", "/\(key)", "{}", 405, "GENERAL"),
      ("GET", "", "", 405, "GENERAL"),
    ])
  func refused(method: String, path: String, body: String, status: Int, word: String) throws {
    let daemon = try RunningDaemon()
    let connection = try RawConnection(daemon.gamesSocket)
    let head = "\(method) \(Self.game + Self.flags + path) HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\n"
    connection.send(head + (body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n") + "\r\n" + body)
    let answer = try #require(connection.answer())
    #expect(answer.status == status && answer.json["errorCode"] == .string(word))
    #expect(answer.json["errorDetails"]?.stringValue?.isEmpty == false && answer.headers["content-type"] == "application/json")
    if path.hasPrefix("/nothing") { #expect(answer.json["key"] == "nothing/at/all") }
  }

  @Test("an OFREP request with another media type or a too large body is refused in the protocol's form")
  func server() throws {
    let daemon = try RunningDaemon()
    for (fields, status) in [
      ("Content-Type: text/plain\r\nContent-Length: 2\r\n", 415), ("Content-Type: application/json\r\nContent-Length: 9999999\r\n", 413),
    ] {
      let connection = try RawConnection(daemon.gamesSocket)
      connection.send("POST \(Self.game + Self.flags) HTTP/1.1\r\nHost: l\r\n\(fields)\r\n{}")
      let answer = try #require(connection.answer())
      #expect(answer.status == status && answer.json["errorCode"] == "GENERAL")
    }
    #expect(try daemon.ask("POST", Self.flags, body: [:]).status == 400)
    #expect(try daemon.ask("POST", Self.flags, body: [:], headers: ["Flagd-Selector": "flagSetId=none"]).status == 404)
    let document = try daemon.ask("GET", "/openapi.json").json
    #expect(document["paths"]?[Self.flags]?["post"]?["responses"]?["404"] != nil)
  }

  @Test("the event stream that an OFREP answer names notifies of changes, immediately if one has already happened")
  func events() throws {
    let daemon = try RunningDaemon()
    let answer = try daemon.ask("POST", Self.game + Self.flags, body: ["context": ["targetingKey": "p1"]])
    let target = try #require(answer.json["eventStreams"]?.listValue?.first?["endpoint"]?["requestUri"]?.stringValue)
    let stream = try StreamReader(daemon.gamesSocket, target)
    try force(daemon, "3.5")
    let event = try #require(stream.next())
    let data = try JSONReader.value(from: event.data)
    #expect(event.event == "message" && data["type"] == "refetchEvaluation" && data["etag"] == event.id.map(Value.string))
    #expect(data["lastModified"]?.integerValue != nil)
    #expect(try StreamReader(daemon.gamesSocket, target).data()["type"] == "refetchEvaluation")
  }

  @Test(
    "an OFREP stream's path begins with the gateway's prefix, and the answer's ETag depends on the prefix")
  func prefixed() throws {
    let daemon = try RunningDaemon()
    let path = Self.game + Self.flags
    func target(_ prefix: String) throws -> (text: String, tag: String) {
      let answer = try daemon.ask("POST", path, body: [:], headers: prefix.isEmpty ? [:] : ["X-Forwarded-Prefix": prefix])
      let text = answer.json["eventStreams"]?.listValue?.first?["endpoint"]?["requestUri"]?.stringValue
      return (try #require(text, "\(answer)"), try #require(answer.headers["etag"]))
    }
    let plain = try target("")
    for prefix in ["/t/Token_1", "/t/Token_1/"] {
      let behind = try target(prefix)
      #expect(behind.text.hasPrefix("/t/Token_1/v1/games/wheresthedot/ofrep/v1/events?") && behind.tag != plain.tag)
    }
    let bare = try target("/")
    #expect(plain.text.hasPrefix("/v1/games/") && bare.text.hasPrefix("/v1/games/"))
    for prefix in ["games", "//evil.example", "/a//b", "/a b", "/a, /b", "/" + String(repeating: "a", count: 256)] {
      let answer = try daemon.ask("POST", path, body: [:], headers: ["X-Forwarded-Prefix": prefix])
      #expect(answer.status == 400 && answer.json["errorDetails"]?.stringValue?.hasPrefix("X-Forwarded-Prefix must be one path") == true)
    }
  }

  @Test("OFREP compresses a large answer if the client accepts gzip, and a request with the answer's ETag gets 304")
  func compressed() throws {
    let daemon = try RunningDaemon()
    let path = Self.game + Self.flags
    let plain = try daemon.ask("POST", path, body: [:])
    #expect(plain.headers["content-encoding"] == nil && plain.headers["vary"] == nil && plain.body.count > 4 << 10)
    let packed = try daemon.ask("POST", path, body: [:], headers: ["Accept-Encoding": "deflate, gzip"])
    #expect(packed.status == 200 && packed.headers["content-encoding"] == "gzip" && packed.headers["vary"] == "Accept-Encoding")
    #expect(packed.body.count * 3 < plain.body.count)
    try daemon.folder.write(packed.body, to: "answer.gz")
    let text = try ChildProcess("/bin/gzip", ["-dc", daemon.folder.path + "/answer.gz"]).waitForEnd().output
    #expect(try JSONReader.value(from: text)["flags"] == plain.json["flags"])
    let tag = try #require(packed.headers["etag"])
    #expect(tag.hasPrefix("W/\"") && plain.headers["etag"] == tag)
    for list in [tag, String(tag.dropFirst(2))] {
      #expect(try daemon.ask("POST", path, body: [:], headers: ["Accept-Encoding": "gzip", "If-None-Match": list]).status == 304)
    }
    let small = try daemon.ask("POST", path + "/" + Self.key, body: [:], headers: ["Accept-Encoding": "gzip"])
    #expect(small.headers["content-encoding"] == nil && small.json["value"] == 2.5)
  }

  @Test(
    "an OFREP client follows the event stream through the bridge (ADR-0008), with its token in a header or in the path",
    arguments: ["header", "path"])
  func followed(way: String) throws {
    let daemon = try RunningDaemon()
    let environment = ["GAMECONF_SOCKET": daemon.gamesSocket, "GAMECONF_ADMIN_SOCKET": daemon.adminSocket]
    let script = Built.tree + "/Tests/Clients/python/ofrep_follow.py"
    let client = try ChildProcess(
      "/usr/bin/env", ["python3", script, way, "wheresthedot", Self.key, Built.control], environment: environment)
    let ending = client.waitForEnd()
    #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
  }
}
