// Properties of every call, tested with its example: repeats, dry runs, conditions, roles.

import GameConfCore
import Glibc
import Testing

@Suite("Every HTTP call of the daemon", .serialized)
struct CallTableTests {
  /// The calls without an example: a whole database.
  private static let withoutExample: Set = ["storeRestore"]

  @Test("every call has an example in the OpenAPI document that succeeds with the shipped games")
  func examples() throws {
    let here = try ExampleDaemon()
    let calls = try here.calls()
    #expect(calls.count > 90)
    for example in calls where !Self.withoutExample.contains(example.name) {
      let variables = example.path.split(separator: "/").compactMap { ExampleCall.variable(in: $0) }
      for variable in variables { #expect(example.variables[variable] != nil, "\(example.name) has no example of {\(variable)}") }
      if example.mediaType != nil { #expect(example.body != nil, "\(example.name) has no example of its body") }
      let call = try here.prepared(example.about("example-" + example.name))
      if call.isStream {
        let socket = call.isOnGames ? here.daemon.gamesSocket : here.daemon.adminSocket
        #expect(try StreamReader(socket, call.target(), method: call.method, body: call.body).status == 200, "\(call.name)")
      } else {
        let answer = try here.send(call)
        #expect(call.statuses.contains(answer.status), "\(call.name): \(call.method) \(call.target()) \(answer.status) \(answer.text)")
        if let type = answer.headers["content-type"], answer.status < 300 {
          #expect(call.answers.contains(ExampleCall.bare(type)), "\(call.name) answers \(type), not \(call.answers)")
        }
      }
    }
  }

  @Test("a call answers 304 without a body to a request with its ETag, if OpenAPI documents that")
  func unchanged() throws {
    let here = try ExampleDaemon()
    var count = 0
    // Firebase's paths have Google's ETags, which are for changes.
    for example in try here.calls() where example.method == "GET" && !example.isStream && !example.path.hasPrefix("/v1/projects/") {
      var call = try here.prepared(example.about("tag-" + example.name))
      let tag = try here.send(call).headers["etag"]
      #expect((tag != nil) == call.hasUnchanged, "\(call.name) has the ETag \(tag ?? "none")")
      guard let tag else { continue }
      call.headers["If-None-Match"] = tag
      let again = try here.send(call)
      // An answer with counters differs each time, and has another ETag.
      guard again.status == 304 else {
        #expect(again.status == 200 && again.headers["etag"] != tag, "\(call.name): \(again.status) \(again.text)")
        continue
      }
      #expect(again.body.isEmpty, "\(call.name)")
      count += 1
    }
    #expect(count > 30, "\(count)")
  }

  @Test("a repeat of any idempotent call gets the same bytes and changes nothing, also after a crash")
  func repeats() throws {
    let here = try ExampleDaemon()
    var first: [(call: ExampleCall, answer: RawConnection.Answer)] = []
    for example in try here.calls() where example.isRepeatable {
      let call = try here.prepared(example.about("repeat-" + example.name))
      let answer = try here.send(call, key: "k-" + call.name)
      #expect(call.statuses.contains(answer.status), "\(call.name): \(answer.status) \(answer.text)")
      #expect(answer.headers["gameconf-repeated"] == nil, "\(call.name)")
      let (state, again) = (try here.state(), try here.send(call, key: "k-" + call.name))
      #expect(
        again.status == answer.status && again.body == answer.body, "\(call.name): \(answer.text) and then \(again.status) \(again.text)")
      #expect(again.headers["gameconf-repeated"] == "true", "\(call.name)")
      #expect(try here.state() == state, "\(call.name) did something when it was repeated")
      first.append((call, answer))
    }
    #expect(first.count > 40)
    try here.daemon.restart(killing: true)
    for (call, answer) in first where call.name != "forgetPlayer" {
      let again = try here.send(call, key: "k-" + call.name)
      #expect(again.status == answer.status && again.body == answer.body, "\(call.name) after a crash: \(again.status) \(again.text)")
    }
  }

  @Test("every call with If-Match is refused for a wrong revision, made for the right one, and its repeat gets the same answer")
  func conditions() throws {
    let here = try ExampleDaemon()
    var count = 0
    for example in try here.calls() where example.isRepeatable && example.changes != "scenarios" {
      let call = try here.prepared(example.about("if-" + example.name))
      let (own, other) = try here.conditions(for: call)
      let late = try here.send(call, key: "c-" + call.name, ifMatch: other)
      let code = call.changes == "play_state" ? "STATE_CHANGED" : "REVISION_CHANGED"
      #expect(late.status == 412 && late.code == code, "\(call.name) at \(other): \(late.status) \(late.text)")
      #expect(try here.conditions(for: call).own == own, "\(call.name) changed something")
      let done = try here.send(call, key: "c-" + call.name, ifMatch: own)
      #expect(call.statuses.contains(done.status), "\(call.name) at \(own): \(done.status) \(done.text)")
      #expect(done.headers["gameconf-repeated"] == nil, "\(call.name): a 412 was remembered")
      // The change has raised the revision. A client that lost the answer sends the same request again.
      let again = try here.send(call, key: "c-" + call.name, ifMatch: own)
      #expect(again.status == done.status && again.body == done.body, "\(call.name): \(again.status) \(again.text)")
      #expect(again.headers["gameconf-repeated"] == "true", "\(call.name)")
      count += 1
    }
    #expect(count > 40)
  }

  @Test("a repeat of any refused call gets the same bytes")
  func refusals() throws {
    let here = try ExampleDaemon()
    for example in try here.calls() where example.isRepeatable && example.variables["transaction"] != nil {
      let call = example.about("refused-" + example.name)
      let (answer, again) = (try here.send(call, key: "r-" + call.name), try here.send(call, key: "r-" + call.name))
      #expect((400...499).contains(answer.status), "\(call.name): \(answer.status) \(answer.text)")
      #expect(again.status == answer.status && again.body == answer.body, "\(call.name): \(answer.text) and then \(again.text)")
    }
  }

  @Test("a dry run of any call changes nothing")
  func dryRuns() throws {
    let here = try ExampleDaemon()
    for example in try here.calls() where example.changes != nil && !Self.withoutExample.contains(example.name) {
      let call = try here.prepared(example.about("dry-" + example.name))
      let before = try here.state()
      let answer = try here.send(call, dryRun: true)
      #expect((200...299).contains(answer.status), "\(call.name): \(answer.status) \(answer.text)")
      let after = try here.state()
      for (place, text) in before where after[place] != text { Issue.record("a dry run of \(call.name) changed \(place)") }
    }
  }

  /// Returns texts that violate a schema.
  private static func inadmissible(_ schema: Value) -> [String] {
    if schema["type"] == "boolean" { return ["maybe"] }
    if schema["enum"] != nil { return ["no-such-word"] }
    if schema["format"] == "date-time" { return ["yesterday"] }
    if schema["type"] == "integer" {
      let (least, most) = (schema["minimum"]?.integerValue, schema["maximum"]?.integerValue)
      return ["x", "1.5"] + [least.map { $0 - 1 }, most.map { $0 + 1 }].compactMap { $0.map { String($0) } }
    }
    return schema["maxLength"]?.integerValue.map { [String(repeating: "x", count: Int($0) + 1)] } ?? []
  }

  @Test("every call refuses an undeclared query or body with its name, and changes nothing")
  func inadmissible() throws {
    let here = try ExampleDaemon()
    let before = try here.state()
    var count = 0
    for call in try here.calls() {
      for (name, schema) in call.querySchemas {
        for text in Self.inadmissible(schema) {
          var invalid = call
          invalid.query[name] = text
          let answer = try here.send(invalid)
          #expect(answer.status == 400 && answer.text.contains(name), "\(call.name)?\(name)=\(text): \(answer.status) \(answer.text)")
          count += 1
        }
      }
      guard call.mediaType == nil, call.method != "GET" else { continue }
      var invalid = call
      invalid.body = [:]
      let answer = try here.send(invalid)
      #expect(answer.status == 400 && answer.text.contains("takes no body"), "\(call.name): \(answer.status) \(answer.text)")
    }
    #expect(count > 150, "\(count)")
    #expect(try here.state() == before)
  }

  @Test("every call that needs a role is refused to a user without one")
  func roles() throws {
    let folder = try TemporaryFolder()
    guard let user = try OtherUser(uid: 54_321, in: folder) else { return }
    let here = try ExampleDaemon()
    chmod(here.daemon.folder.path, 0o755)
    let calls = try here.calls().filter { $0.needs != "anyone" && !Self.withoutExample.contains($0.name) }
    #expect(calls.count > 50)
    var words: [String] = []
    for call in calls {
      if !words.isEmpty { words.append("--next") }
      words += ["-s", "-o", "/dev/null", "-w", "%{http_code}\\n", "--unix-socket", here.daemon.adminSocket, "-X", call.method]
      for (name, value) in call.headers { words += ["-H", "\(name): \(value)"] }
      if let body = call.body {
        words += ["-H", "Content-Type: application/json", "-d", String(decoding: JSONWriter.bytes(body), as: UTF8.self)]
      }
      let query = call.needs == "tester_with_query" ? (call.target().contains("?") ? "&player=p1" : "?player=p1") : ""
      words.append("http://localhost" + call.target() + query)
    }
    let before = try here.state()
    let ending = try user.run("/usr/bin/curl", words)
    let statuses = ending.output.split(separator: "\n").map(String.init)
    try #require(statuses.count == calls.count, "\(ending.errors)")
    for (call, status) in zip(calls, statuses) { #expect(status == "403", "\(call.name) answered \(status)") }
    #expect(try here.state() == before)
  }
}
