// gameconf-fetch between a real daemon and servers with all kinds of faults.

import GameConfCore
import Glibc
import Testing

@Suite("gameconf-fetch")
struct FetchTests {
  /// The faults of a server, each with the expected report.
  private static let hostile: [(name: String, way: Value, says: String)] = [
    ("500", ["do": "status", "status": 500], "it answered 500"),
    ("a redirect loop", ["do": "loop"], "it is redirected more than 5 times"),
    ("a gigabyte", ["do": "endless"], "the answer is longer than 1048576 bytes"),
    ("a packed gigabyte", ["do": "endless", "coding": "gzip"], "the answer is longer than 1048576 bytes"),
    ("half an answer", ["do": "half", "document": .string(TemplateServer.document("3.5"))], "the answer is incomplete"),
    ("half a document", ["do": "document", "document": "{\"parameters\": {\"speed\": {"], "it is not a complete JSON document"),
    ("an empty document", ["do": "document", "document": "{}"], "has no values"),
    ("a page", ["do": "document", "document": "<html>hello</html>", "kind": "text/html"], "it answered an HTML page"),
    ("no template", ["do": "document", "document": "{\"a\": 1}"], "has no values"),
    ("a wrong type", ["do": "document", "document": .string(TemplateServer.document("fast"))], "speed"),
    ("YAML that may be cut", ["do": "unmeasured", "document": .string(FetchTests.yaml("3.5"))], "it may be cut"),
    (
      "packed by what nobody requested", ["do": "status", "status": 200, "body": "no", "headers": ["Content-Encoding": "br"]],
      "unpacked from “br”"
    ),
    (
      "a head of a megabyte",
      ["do": "status", "status": 200, "body": "{}", "headers": ["ETag": .string(String(repeating: "x", count: 1_000_000))]],
      "the answer's head is longer than 65536 bytes"
    ),
    ("a value out of range", ["do": "document", "document": .string(TemplateServer.document("99"))], "above the maximum"),
  ]

  private static func yaml(_ speed: String) -> String { "gameconf_template: 1\nvalues:\n  speed: \(speed)\n" }

  @Test("gameconf-fetch accepts YAML without a length only if TLS was closed properly or the document has an end, and JSON always")
  func unmeasured() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    for (speed, text, ends) in [
      (3.5, Self.yaml("3.5"), true), (4.0, Self.yaml("4") + "...\n", false), (2.5, TemplateServer.document("2.5"), false),
    ] {
      try world.server.does(["do": "unmeasured", "document": .string(text), "ends": .bool(ends)])
      try world.waits(for: .double(speed))
    }
  }

  @Test("gameconf-fetch keeps all values whatever a server answers, and reports the fault and its end once")
  func hostile() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    for (name, way, says) in Self.hostile {
      try world.server.does(way)
      try world.fails(says, name)
      #expect(try world.wrong().contains { $0.contains(says) }, "\(name)")
      try world.waitsForRequests(2)
      #expect(try world.speed() == 3.0, "\(name)")
      let shown = try world.daemon.control("template", "show", "mine")
      #expect(shown.output == TemplateServer.document("3") && shown.errors.contains("fails since"), "\(name): \(shown.errors)")
      try world.server.gives("3")
      try world.recovers(name)
    }
    #expect(try world.daemon.read(at: "/v1/games/mine/template/versions", admin: true)["versions"]?.listValue?.count == 1)
    try world.server.gives("3.5")
    try world.waits(for: 3.5)
  }

  @Test("gameconf-fetch gives up on a server that sends one byte per second")
  func slow() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    try world.server.does(["do": "slow"])
    try world.fails("too slow", "a byte a second")
    #expect(try world.speed() == 3.0)
    try world.server.gives("3")
    try world.recovers("a byte a second")
  }

  @Test(
    "gameconf-fetch refuses an expired certificate and an unknown authority",
    arguments: [
      ("https: https://localhost:EXPIRED/t.json, ", "certificate has expired"),
      ("https: https://localhost:PORT/t.json, ca_file: /etc/ssl/certs/ca-certificates.crt, ", "certificate"),
      ("https: https://localhost:PORT/t.json, ca_file: FOLDER/key.json, ", "certificate"),
      ("https: https://localhost:PORT/t.json, ca_file: FOLDER/none.pem, ", "certificate"),
    ])
  func certificates(source: String, says: String) throws {
    let world = try FetchWorld(source)
    try world.fails(says, source)
    #expect(try world.speed() == 2.0 && world.wrong().contains { $0.contains("certificate") || $0.contains("error setting") })
    #expect(try world.server.requests().isEmpty, "nothing was asked of it")
  }

  @Test("gameconf-fetch sends the ETag, accepts gzip, and respects Retry-After")
  func polite() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    #expect(try world.waits { try world.server.requests().contains { $0["status"] == 304 } })
    #expect(try world.server.requests().allSatisfy { $0["encoding"] == "gzip" })
    try world.server.does([
      "do": "status", "status": 429, "headers": ["Retry-After": "7000"], "body": "{\"error\": {\"message\": \"too many\"}}",
    ])
    try world.fails("it answered 429: too many", "429")
    let source = try world.source()
    #expect((6_900...7_000).contains(source["next_seconds"]?.integerValue ?? 0), "\(source)")
  }

  @Test("gameconf-fetch limits Retry-After to six hours and reports that")
  func ages() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    try world.server.does(["do": "status", "status": 503, "headers": ["Retry-After": "100000000000000000000"]])
    try world.fails("it answered 503; its “Retry-After” is longer than six hours", "503")
    let source = try world.source()
    #expect((21_500...21_600).contains(source["next_seconds"]?.integerValue ?? 0), "\(source)")
  }

  private static let firebase =
    "firebase: client, project: my-game, key: FOLDER/key.json, base_url: \"https://localhost:PORT\", token_url: \"https://localhost:PORT/token\", "

  @Test("gameconf-fetch gets a Google token for a signed assertion, sends the ETag, and reads a rotated key")
  func firebase() throws {
    let world = try FetchWorld(Self.firebase)
    try world.waits(for: 3.0)
    #expect(try world.waits { try world.server.requests().contains { $0["status"] == 304 } })
    let requests = try world.server.requests()
    #expect(requests.filter { $0["method"] == "POST" }.count == 1, "one token for all")
    #expect(requests.contains { $0["path"] == "/v1/projects/my-game/remoteConfig" })

    // A key pair that the server does not know, and expired tokens.
    let file = world.server.folder.path + "/key.json"
    let good = try #require(TemporaryFolder.read(file))
    let made = try ChildProcess(
      "/usr/bin/env", ["openssl", "genpkey", "-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"]
    ).waitForEnd()
    guard case .object(var key) = try JSONReader.value(from: good) else { return }
    key["private_key"] = .string(made.output)
    try world.server.folder.write(JSONWriter.bytes(.object(key)), to: "key.json", mode: 0o600)
    try world.server.does(["do": "document", "document": .string(TemplateServer.document("3.5")), "revoked": true])
    let lines = try #require(world.fetch.waitForLine(containing: "template not fetched from Firebase project my-game (client)"))
    #expect(
      try world.waits {
        try world.wrong().contains { $0.contains("invalid_grant") || $0.contains("the signature is not") }
      },
      "\(lines)")
    #expect(try world.speed() == 3.0)
    try world.server.folder.write("no key, but secret words", to: "key.json", mode: 0o600)
    #expect(
      try world.waits { try world.wrong().contains { $0.contains("key.json is refused: it is not a JSON object") } })
    #expect(try !world.wrong().contains { $0.contains("secret words") })
    try world.server.folder.write(good, to: "key.json", mode: 0o600)
    try world.server.gives("3.5")
    try world.recovers("the key")
    #expect(try world.speed() == 3.5)
  }

  @Test("gameconf-fetch pushes after the daemon has returned, and the last template is served without a network")
  func daemonAway() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    world.daemon.stop()
    try world.server.gives("3.5")
    try world.fails("fetched, but not pushed", "the daemon away")
    // One fetch may have begun before the new document was set; the first of two more fetches certainly has it.
    try world.waitsForRequests(2)
    try world.daemon.start()
    try world.recovers("the daemon away")
    #expect(try world.speed() == 3.5)
    world.server.process.signal(SIGKILL)
    try world.fails("", "no server")
    try world.daemon.restart(killing: true)
    #expect(try world.speed() == 3.5)
    #expect(try world.waits { try !world.wrong().isEmpty }, "a new daemon is told what is wrong")
  }

  @Test("gameconf-fetch pushes an unchanged document again to a daemon that has lost its data")
  func lost() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    #expect(try world.waits { try world.server.requests().contains { $0["status"] == 304 } })
    world.daemon.stop()
    #expect(try ChildProcess("/bin/rm", ["-r", world.daemon.folder.path + "/state"]).waitForEnd().status == 0)
    try world.daemon.start()
    try world.waits(for: 3.0)
  }

  @Test("gameconf-fetch refuses the daemon itself as a source, by any of its calls", .needs(.firebase))
  func ownDaemon() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    let projects = "/v1/projects/mine"
    for (path, isAdmin) in [
      ("/v1/games/mine/template", true), ("/v1/games/mine/template/versions/1", true), (projects + "/remoteConfig", true),
      (projects + "/namespaces/firebase-server/remoteConfig", true), (projects + "/remoteConfig:downloadDefaults?format=JSON", true),
      (projects + "/namespaces/firebase-server/serverRemoteConfig", false), ("/v1/games/mine/config", false),
    ] {
      try world.server.does([
        "do": "relay", "socket": .string(isAdmin ? world.daemon.adminSocket : world.daemon.gamesSocket), "path": .string(path),
      ])
      try world.fails("the source is gameconfd itself", path)
      try world.server.gives("3")
      try world.recovers(path)
    }
    #expect(try world.daemon.read(at: "/v1/games/mine/template/versions", admin: true)["versions"]?.listValue?.count == 1)
  }

  @Test("gameconf-fetch reports a game that is not served, and pushes when it is")
  func unknownGame() throws {
    let server = try TemplateServer()
    try server.gives("3")
    let daemon = try RunningDaemon(catalogs: ["a.yaml": Mine.text(game: "a")])
    try daemon.folder.write(
      "games: {mine: {https: \"https://localhost:\(server.port)/t\", ca_file: \(server.folder.path)/ca.pem, interval: 100ms}}",
      to: "fetch.yaml")
    let fetch = try ChildProcess(Built.fetch, ["--config", daemon.folder.path + "/fetch.yaml", "--socket", daemon.adminSocket])
    let lines = try #require(fetch.waitForLine(containing: "template not fetched"))
    let line = try #require(lines.last)
    #expect(line.contains("There is no game “mine”") && !line.contains("not pushed"), "refused, and not that the daemon is away: \(line)")
    try daemon.folder.write(Mine.catalog, to: "games/mine.yaml")
    #expect(try daemon.control("reload").status == 0)
    #expect(try daemon.waits(seconds: 60) { try daemon.ask("GET", "/v1/games/mine/config/speed").json["value"] == 3.0 })
    fetch.signal(SIGTERM)
  }

  @Test("a rollback lasts until the source changes, also over a restart of gameconf-fetch")
  func rollback() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    try world.server.gives("3.5")
    try world.waits(for: 3.5)
    #expect(try world.daemon.control("template", "rollback", "mine").status == 0)
    #expect(try world.speed() == 3.0)
    try world.restartFetch()
    try world.waitsForRequests(3)
    #expect(try world.speed() == 3.0)
    let versions = try world.daemon.control("template", "versions", "mine").output
    #expect(versions.contains("fetched") && versions.contains("fetched from https://localhost:"), "\(versions)")
    try world.server.gives("4")
    try world.waits(for: 4.0)
  }

  private static let withLeast =
    Mine.catalog
    + "\n  remote_min_fetch_interval: {type: integer, default: 0, range: {min: 0, max: 86400}, section: Play, description: Least seconds.}\n"

  @Test("gameconf-fetch fetches on request after remote_min_fetch_interval has passed")
  func onRequest() throws {
    let world = try FetchWorld(interval: "1h", catalog: Self.withLeast)
    try world.waits(for: 3.0)
    #expect(try world.waits { try world.source()["source"] != nil })
    try world.server.gives("3.5")
    let ending = try world.daemon.control("template", "fetch", "mine", "--reason", "spring")
    #expect(ending.status == 0 && ending.output.contains("is fetched now"), "\(ending.output)\(ending.errors)")
    try world.waits(for: 3.5)
    #expect(try world.daemon.put("remote_min_fetch_interval", 3600).status == 201)
    let later = try world.daemon.control("template", "fetch", "mine")
    #expect(later.output.contains("when remote_min_fetch_interval has passed"), "\(later.output)\(later.errors)")
    let wait = try world.daemon.ask("POST", "/v1/games/mine/template/fetch?dry_run=true", admin: true).json
    #expect((3_500...3_600).contains(wait["wait_seconds"]?.integerValue ?? 0) && wait["dry_run"] == true, "\(wait)")
    let lines = try world.daemon.ask("GET", "/v1/games/mine/audit", admin: true).json["entries"]?.listValue ?? []
    #expect(lines.filter { $0["action"] == "template.fetch" }.map { $0["reason"] } == [nil, "spring"])
  }

  @Test("a game with a template file refuses fetched templates and requests for a fetch")
  func oneSource() throws {
    let folder = try TemporaryFolder()
    try folder.write(TemplateServer.document("3"), to: "t.json")
    let world = try FetchWorld(catalog: Mine.catalog + "\nsource: {file: \(folder.path)/t.json}\n")
    try world.fails("\(folder.path)/t.json, and a game has one source", "a file beside it")
    #expect(try world.speed() == 3.0)
    let ending = try world.daemon.control("template", "fetch", "mine")
    #expect(ending.status == 6 && ending.errors.contains("NO_TEMPLATE_SOURCE"), "\(ending.errors)")
  }

  @Test("a fetched template waits if the catalog wants activation by hand")
  func byHand() throws {
    let world = try FetchWorld(catalog: Mine.catalog + "\nsource: pushed\nactivate: manual\n")
    let path = "/v1/games/mine/template/versions"
    #expect(
      try world.waits { try !(world.daemon.read(at: path, admin: true)["versions"]?.listValue ?? []).isEmpty })
    #expect(try world.speed() == 2.0)
    #expect(try world.daemon.control("template", "activate", "mine").status == 0)
    #expect(try world.speed() == 3.0)
  }

  @Test("a slow source of gameconf-fetch delays no other source")
  func beside() throws {
    let world = try FetchWorld()
    try world.waits(for: 3.0)
    let other = try TemplateServer()
    try other.gives("3")
    try world.server.does(["do": "slow"])
    let daemon = try RunningDaemon(catalogs: ["a.yaml": Mine.text(game: "a"), "b.yaml": Mine.text(game: "b")])
    try daemon.folder.write(
      """
      games:
        a: {https: "https://localhost:\(world.server.port)/t", ca_file: \(world.server.folder.path)/ca.pem, interval: 100ms, timeout: 5m}
        b: {https: "https://localhost:\(other.port)/t", ca_file: \(other.folder.path)/ca.pem, interval: 100ms, timeout: 10s}
      """, to: "fetch.yaml")
    let fetch = try ChildProcess(Built.fetch, ["--config", daemon.folder.path + "/fetch.yaml", "--socket", daemon.adminSocket])
    #expect(try daemon.waits(seconds: 60) { try daemon.ask("GET", "/v1/games/b/config/speed").json["value"] == 3.0 })
    fetch.signal(SIGTERM)
  }

  @Test(
    "gameconf-fetch refuses a key of another kind, too short, or with a passphrase, and sends no request",
    arguments: [
      (["-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256"], "not an RSA key of at least 2048 bits"),
      (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:1024"], "not an RSA key of at least 2048 bits"),
      (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048", "-aes256", "-pass", "pass:hush"], "not a private key in PEM"),
      (["-algorithm", "RSA", "-pkeyopt", "rsa_keygen_bits:2048"], nil),
    ] as [([String], String?)])
  func otherKeys(making: [String], says: String?) throws {
    let folder = try TemporaryFolder()
    let made = try ChildProcess("/usr/bin/env", ["openssl", "genpkey"] + making).waitForEnd()
    let key: Value = [
      "type": "service_account", "client_email": "a@b", "private_key": .string(made.output), "token_uri": "https://a.example/token",
    ]
    try folder.write(JSONWriter.bytes(key), to: "key.json", mode: 0o600)
    try folder.write("games:\n  mine: {firebase: server, project: p, key: \(folder.path)/key.json}\n", to: "fetch.yaml")
    let check = try ChildProcess(Built.fetch, ["--check", "--config", folder.path + "/fetch.yaml"]).waitForEnd()
    #expect(check.status == (says == nil ? 0 : 1), "\(check.errors)")
    if let says { #expect(check.errors.contains(says) && check.output.isEmpty, "\(check.errors)") }
  }

  @Test("gameconf-fetch refuses unsafe modes of keys, settings and authorities with the command that corrects them")
  func modes() throws {
    let folder = try TemporaryFolder()
    let check = { try ChildProcess(Built.fetch, ["--check", "--config", folder.path + "/fetch.yaml"]).waitForEnd() }
    try folder.write("games:\n  mine: {firebase: server, project: p, key: \(folder.path)/key.json}\n", to: "fetch.yaml")
    for (mode, words) in [(0o644, "every user may read it (mode 0644)"), (0o666, "every user may write it (mode 0666)")]
      as [(mode_t, String)]
    {
      try folder.write("{}", to: "key.json", mode: mode)
      let ending = try check()
      #expect(
        ending.status == 1 && ending.errors.contains("key.json of mine is refused: \(words); chmod o= \(folder.path)/key.json"),
        "\(ending.errors)")
    }
    try folder.write("games:\n  mine: {https: \"https://a.example/\", ca_file: \(folder.path)/ca.pem}\n", to: "fetch.yaml")
    try folder.write("-----BEGIN CERTIFICATE-----", to: "ca.pem", mode: 0o666)
    let authorities = try check()
    #expect(
      authorities.status == 1 && authorities.errors.contains("ca.pem of mine are refused: every user may write it"),
      "\(authorities.errors)")
    chmod(folder.path + "/fetch.yaml", 0o666)
    for arguments in [["--check"], []] {
      let end = try ChildProcess(Built.fetch, arguments + ["--config", folder.path + "/fetch.yaml"]).waitForEnd()
      #expect(end.status == 2 && end.errors.contains("fetch.yaml: every user may write it (mode 0666); chmod o-w "), "\(end.errors)")
    }
  }

  @Test("gameconf-fetch --check names invalid keys and authorities without quoting them, and exits with 2 for faulty settings")
  func check() throws {
    let folder = try TemporaryFolder()
    try folder.write("secret words", to: "key.json", mode: 0o600)
    try folder.write("games:\n  mine: {firebase: server, project: p, key: \(folder.path)/key.json}\n", to: "fetch.yaml")
    let check = { try ChildProcess(Built.fetch, ["--check", "--config", folder.path + "/fetch.yaml"]).waitForEnd() }
    let noKey = try check()
    #expect(noKey.status == 1 && noKey.errors.contains("\(folder.path)/key.json of mine is refused"), "\(noKey.errors)")
    #expect(!noKey.errors.contains("secret"))
    for (text, says) in [(nil, "No such file"), ("secret words", "no certificate in PEM")] {
      if let text { try folder.write(text, to: "ca.pem") }
      try folder.write("games:\n  mine: {https: \"https://a.example/\", ca_file: \(folder.path)/ca.pem}\n", to: "fetch.yaml")
      let noCertificate = try check()
      #expect(noCertificate.status == 1 && noCertificate.errors.contains("/ca.pem of mine are refused: "), "\(noCertificate.errors)")
      #expect(noCertificate.errors.contains(says) && !noCertificate.errors.contains("secret"), "\(noCertificate.errors)")
    }
    try folder.write("games:\n  mine: {https: \"http://a.example/\"}\n", to: "fetch.yaml")
    let bad = try check()
    #expect(bad.status == 2 && bad.errors.contains("fetch.yaml:2:17: "), "\(bad.errors)")
    try folder.write("games:\n  mine: {https: \"https://a.example/\"}\n", to: "fetch.yaml")
    #expect(try check().status == 0)
    let none = try ChildProcess(Built.fetch, ["--config", folder.path + "/none.yaml"]).waitForEnd()
    #expect(none.status == 2 && none.errors.contains("none.yaml: No such file"), "\(none.errors)")
  }
}
