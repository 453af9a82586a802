// Tests how responses, redirects and tokens are handled, with made-up responses.

import GameConfCore
import GameConfTransport
import Synchronization
import Testing

@testable import gameconf_fetch

@Suite("Responses of a template's source")
struct SourceReaderTests {
  private static let template = #"{"parameters": {}}"#

  private func answer(_ body: String, _ status: Int = 200, _ headers: [String: String] = [:]) -> WebAnswer {
    WebAnswer(status: status, body: Array(body.utf8), headers: headers)
  }

  private func fault(_ answer: WebAnswer) -> FetchFault? {
    do throws(FetchFault) {
      _ = try SourceReader.fetched(answer)
      return nil
    } catch { return error }
  }

  @Test("a fetched JSON document stays unchanged and a YAML template becomes JSON, each with its ETag")
  func taken() throws {
    #expect(try SourceReader.fetched(answer(Self.template, 200, ["etag": "\"7\""])) == .document(Array(Self.template.utf8), tag: "\"7\""))
    #expect(try SourceReader.fetched(answer("", 304), knowing: "\"7\"") == .unchanged)
    let own = try SourceReader.fetched(answer("gameconf_template: 1\nvalues: {speed: 3.0}\n"))
    #expect(own == .document(Array(#"{"gameconf_template":1,"values":{"speed":3.0}}"#.utf8), tag: nil))
    let long = String(repeating: "x", count: 1_025)
    #expect(try SourceReader.fetched(answer(Self.template, 200, ["etag": long])) == .document(Array(Self.template.utf8), tag: nil))
  }

  @Test(
    "a response that cannot be used gives a message that names the reason",
    arguments: [
      ("{}", 200, [:], "The document has no values"),
      ("{\"parameters\": null}", 200, [:], "The document has no values"),
      ("{\"parameters\": {", 200, [:], "it is not a complete JSON document"),
      ("", 200, [:], "it is not a complete JSON document"),
      ("<!doctype html><p>hello", 200, [:], "an HTML page"),
      ("{\"parameters\": {}}", 200, ["content-type": "text/html; charset=utf-8"], "an HTML page"),
      ("values: {a: 1}", 200, [:], "line 1, column 1: This is neither JSON"),
      ("a: [", 200, [:], "line 1"),
      ("{\"error\": {\"message\": \"too\\nmany\"}}", 429, [:], "it answered 429: toomany"),
      ("secret words", 500, [:], "it answered 500"),
      ("", 204, [:], "it answered 204"),
      ("", 304, [:], "it answered 304, not modified, to a request without a tag"),
      ("{\"parameters\": {}}", 200, ["gameconf-revision": "7"], "the source is gameconfd itself"),
    ] as [(String, Int, [String: String], String)])
  func wrong(body: String, status: Int, headers: [String: String], says: String) throws {
    let failure = try #require(fault(answer(body, status, headers)))
    #expect(failure.message.hasPrefix(says) || failure.message.contains("HTML") && says.contains("HTML"), "\(failure.message)")
    #expect(!failure.message.contains("secret words"))
  }

  @Test(
    "a response of unknown length is accepted only if its document is certainly complete",
    arguments: [
      ("gameconf_template: 1\nvalues: {speed: 3.0}\n", false), ("gameconf_template: 1\nvalues: {speed: 3.0}\n...", false),
      ("gameconf_template: 1\nvalues: {speed: 3.0}\n...\n", true), ("gameconf_template: 1\nvalues: {speed: 3.0}\n...\n\n", true),
      (SourceReaderTests.template, true), ("\u{FEFF}" + SourceReaderTests.template, true),
    ])
  func cut(body: String, isTaken: Bool) {
    var unmeasured = answer(body)
    unmeasured.isEndKnown = false
    let failure = fault(unmeasured)
    #expect(isTaken ? failure == nil : failure?.message.hasPrefix("it may be cut") == true, "\(failure?.message ?? "")")
    #expect(fault(answer(body)) == nil)
  }

  @Test(
    "a Retry-After that overflows libcurl's integer counts as the longest possible one",
    arguments: [
      ("7", 7, 7_000), ("100000000000000000000", 0, (1 << 30) * 1_000), (nil, 0, nil), ("0000000000000000000000", 0, nil),
      ("later", 0, nil),
      ("9223372036854775807", Int64.max, (1 << 30) * 1_000),
    ] as [(String?, Int64, Int64?)])
  func retryAfter(text: String?, read: Int64, milliseconds: Int64?) {
    #expect(WebClient.retryAfter(text, read: read) == milliseconds)
  }

  @Test("a fetch follows at most five redirects, and none to plain HTTP or another scheme")
  func redirects() throws {
    func read(_ hops: Int, to next: String) -> Result<FetchOutcome, FetchFault> {
      let addresses = Mutex<[String]>([])
      let good = answer(Self.template)
      guard let address = try? WebAddress("https://a.example/0") else { return .failure(FetchFault("no address")) }
      let reader = SourceReader(FetchSource(game: "g", kind: .web(address))) { request throws(Fault) in
        let count = addresses.withLock { addresses -> Int in
          addresses.append(request.address.text)
          return addresses.count
        }
        return count <= hops ? WebAnswer(status: 302, redirect: next) : good
      }
      do throws(FetchFault) { return .success(try reader.read(knowing: nil)) } catch { return .failure(error) }
    }
    #expect(try read(5, to: "https://b.example/").get() == .document(Array(Self.template.utf8), tag: nil))
    for (hops, next) in [(6, "https://b.example/"), (1, "http://b.example/"), (1, "http://localhost/"), (1, "file:///etc/passwd")] {
      #expect(throws: FetchFault.self, "\(hops) \(next)") { try read(hops, to: next).get() }
    }
  }

  @Test(
    "an address has no port or one from 1 to 65535",
    arguments: [
      ("https://x", true), ("https://x:1/", true), ("https://x:65535/", true), ("https://[::1]:443/", true), ("https://[::1]/", true),
      ("https://x:0/", false), ("https://x:65536/", false), ("https://x:99999999/", false), ("https://x:/", false),
      ("https://x:8a/", false), ("https://x:+1/", false), ("https://[::1]x/", false), ("https://x:1:2/", false),
    ])
  func ports(text: String, isGood: Bool) {
    #expect(((try? WebAddress(text)) != nil) == isGood)
    #expect(((try? ProxyAddress(text)) != nil) == isGood)
  }

  @Test("only audit entries with the action template.fetch request a fetch")
  func auditRequests() {
    func event(_ data: String, _ name: String = "audit") -> ServerSentEvent { ServerSentEvent(event: name, data: data) }
    let line = #"{"action": "template.fetch", "game": "g", "detail": {"least_seconds": 60}}"#
    #expect(AdminSocketClient.parse(event(line)) == FetchRequest(game: "g", leastMilliseconds: 60_000))
    #expect(AdminSocketClient.parse(event(#"{"action": "template.fetch", "game": "g"}"#)) == FetchRequest(game: "g", leastMilliseconds: 0))
    #expect(AdminSocketClient.parse(event(line, "game")) == nil)
    #expect(AdminSocketClient.parse(event(#"{"action": "template.push", "game": "g"}"#)) == nil)
    #expect(AdminSocketClient.parse(event("half {")) == nil)
  }
}
