// Ready answers, ETags and dates.

import Testing

@testable import GameConfServer

@Suite("Precomputed (ready) answers")
struct ReadyAnswersTests {
  static func text(_ ready: ReadyAnswers, _ target: String) -> String? {
    Array(target.utf8).withUnsafeBytes { ready.withAnswer(to: $0) { bytes, _, _, _ in String(decoding: bytes, as: UTF8.self) } }
  }

  static func answer(_ name: String) -> ReadyAnswer {
    ReadyAnswer(target: "/v1/hello/\(name)", answer: .json(["name": .string(name)]), route: 3)
  }

  @Test("each of a thousand precomputed answers is found by its request target, and other targets have no answer")
  func found() {
    let names = (0..<1_000).map { "n\($0)" }
    let ready = ReadyAnswers([
      PrecomputedAnswerGroup(revision: 5, names[..<500].map(Self.answer)),
      PrecomputedAnswerGroup(revision: nil, names[500...].map(Self.answer)),
    ])
    for name in names { #expect(Self.text(ready, "/v1/hello/\(name)")?.hasSuffix(#"{"name":"\#(name)"}"#) == true) }
    #expect(Self.text(ready, "/v1/hello/n1000") == nil)
    #expect(Self.text(ready, "/v1/hello/n1?") == nil)
    #expect(Self.text(ready, "") == nil)
    #expect(Self.text(ready, "/v1/hello/n1")?.contains("Gameconf-Revision: 5\r\n") == true)
    #expect(Self.text(ready, "/v1/hello/n999")?.contains("Gameconf-Revision") == false)
    #expect(Self.text(ReadyAnswers(), "/v1/hello/n1") == nil)
  }

  @Test("a group of precomputed answers changed to another revision equals a new group", arguments: [9, 10, 99, 100, 1_234_567_890, 7])
  func replaced(revision: UInt64) {
    let old = PrecomputedAnswerGroup(revision: 9, ["a", "b", "c"].map(Self.answer))
    let changed = ReadyAnswer(target: "/v1/hello/b", answer: .json(["name": "changed"]), route: 3)
    let moved = ReadyAnswers([old.replacing(revision: revision, [changed, Self.answer("d")], removing: ["/v1/hello/c"])])
    let rebuilt = ReadyAnswers([PrecomputedAnswerGroup(revision: revision, [Self.answer("a"), changed, Self.answer("d")])])
    for name in ["a", "b", "c", "d"] { #expect(Self.text(moved, "/v1/hello/\(name)") == Self.text(rebuilt, "/v1/hello/\(name)")) }
    #expect(Self.text(moved, "/v1/hello/c") == nil)
    #expect(Self.text(moved, "/v1/hello/b")?.contains("changed") == true)
  }

  @Test(
    "the hash of a body is MurmurHash3 x64 128",
    arguments: [
      ("", UInt64(0), UInt64(0)),
      ("The quick brown fox jumps over the lazy dog", 0xe34b_bc7b_bc07_1b6c, 0x7a43_3ca9_c49a_9347),
      ("hello", 0xcbd8_a7b3_41bd_9b02, 0x5b1e_906a_48ae_1d19),
    ])
  func hash(text: String, high: UInt64, low: UInt64) {
    let hash = Array(text.utf8).withUnsafeBytes { ContentHash($0) }
    #expect(hash.high == high && hash.low == low)
  }

  @Test("bodies that differ in one bit have different ETags")
  func tags() {
    let body = Array("0123456789abcdef0123456789abcdef012".utf8)
    var tags = Set([EntityTag(of: body).text])
    for at in body.indices {
      for bit in 0..<8 {
        var other = body
        other[at] ^= 1 << UInt8(bit)
        tags.insert(EntityTag(of: other).text)
      }
    }
    #expect(tags.count == body.count * 8 + 1)
    #expect(tags.allSatisfy { $0.utf8.count == 34 })
  }

  @Test(
    "an ETag is compared with a list as in RFC 9110",
    arguments: [
      (#""x""#, true, true), (#"W/"x""#, true, false), ("*", true, true), (#""a", "x""#, true, true), (#" "a" ,W/"x" "#, true, false),
      (#""X""#, false, false), ("x", false, false), ("", false, false), (#""a""#, false, false),
    ])
  func named(list: String, weakly: Bool, strongly: Bool) {
    let tag = EntityTag(opaque: "x")
    #expect(tag.isNamed(in: list, weakly: true) == weakly)
    #expect(tag.isNamed(in: list, weakly: false) == strongly)
  }

  @Test(
    "a Date header has the format of RFC 9110",
    arguments: [
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (951_827_696, "Tue, 29 Feb 2000 12:34:56 GMT"),
      (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
      (1_772_323_200, "Sun, 01 Mar 2026 00:00:00 GMT"),
    ])
  func dates(seconds: Int, text: String) {
    #expect(String(decoding: HTTPDate.text(secondsSince1970: seconds), as: UTF8.self) == text)
  }
}
