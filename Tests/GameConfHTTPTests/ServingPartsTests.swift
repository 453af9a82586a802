// The bounds of what is kept, and the joined members of a config.

import GameConfCore
import Testing

@testable import GameConfHTTP

@Suite("Serving parts")
struct ServingPartsTests {
  private static func answer(_ name: String, bytes: Int = 2, until: Int64? = nil) -> Answer {
    var answer = Answer(contentType: "application/json", body: [UInt8](repeating: 32, count: bytes), revision: 1)
    answer.standing = Answer.Standing(target: name, until: until.map { Instant(seconds: $0) })
    return answer
  }

  private static func holds(_ kept: KeptAnswers, _ name: String) -> Bool {
    let isReady = Array(name.utf8).withUnsafeBytes { kept.ready.withAnswer(to: $0) { _, _, _, _ in true } } ?? false
    #expect(isReady == (kept.answer(to: Array(name.utf8)[...]) != nil))
    return isReady
  }

  @Test("as many answers are kept as the limit says; one more and the loop begins anew")
  func count() {
    var limits = ServerLimits()
    limits.keptAnswersMax = 3
    var kept = KeptAnswers()
    for name in ["a", "b", "c"] { kept.keep(Self.answer(name), endpoint: 0, now: 0, limits: limits) }
    #expect(["a", "b", "c"].allSatisfy { Self.holds(kept, $0) })
    kept.keep(Self.answer("a"), endpoint: 0, now: 0, limits: limits)
    #expect(["a", "b", "c"].allSatisfy { Self.holds(kept, $0) })
    kept.keep(Self.answer("d"), endpoint: 0, now: 0, limits: limits)
    #expect(!Self.holds(kept, "a") && Self.holds(kept, "d"))
  }

  @Test("bodies are kept up to the limits of one and of all")
  func bytes() {
    var limits = ServerLimits()
    limits.keptAnswerBytesMax = 100
    limits.keptBytesMax = 250
    var kept = KeptAnswers()
    kept.keep(Self.answer("a", bytes: 101), endpoint: 0, now: 0, limits: limits)
    #expect(kept.isEmpty)
    for (name, bytes) in [("a", 100), ("b", 100), ("c", 50)] {
      kept.keep(Self.answer(name, bytes: bytes), endpoint: 0, now: 0, limits: limits)
    }
    #expect(["a", "b", "c"].allSatisfy { Self.holds(kept, $0) })
    kept.keep(Self.answer("d", bytes: 1), endpoint: 0, now: 0, limits: limits)
    #expect(!Self.holds(kept, "a") && !Self.holds(kept, "c") && Self.holds(kept, "d"))
  }

  @Test("all go a second before the first of them ends, or when the clock is before the last of them")
  func seconds() {
    var kept = KeptAnswers()
    kept.keep(Self.answer("a", until: 1_000), endpoint: 0, now: 100, limits: ServerLimits())
    kept.keep(Self.answer("b", until: 500), endpoint: 0, now: 200, limits: ServerLimits())
    kept.keep(Self.answer("late", until: 201), endpoint: 0, now: 200, limits: ServerLimits())
    #expect(Self.holds(kept, "a") && Self.holds(kept, "b") && !Self.holds(kept, "late"))
    for second in [200, 498] {
      kept.settle(now: second)
      #expect(Self.holds(kept, "a") && Self.holds(kept, "b"))
    }
    var back = kept
    back.settle(now: 199)
    #expect(back.isEmpty)
    kept.settle(now: 499)
    #expect(kept.isEmpty && !Self.holds(kept, "a"))
  }

  @Test("joined members are the members with commas between, also when some are replaced", arguments: 0..<40)
  func members(seed: UInt64) {
    var generator = Seeded(state: seed)
    func member(_ at: Int) -> [UInt8]? { Bool.random(using: &generator) ? Array("\"k\(at)\":\(at * 7)".utf8) : nil }
    let count = Int.random(in: 0...12, using: &generator)
    var members = (0..<count).map(member)
    var changes: [Int: [UInt8]?] = [:]
    for at in 0..<count where Int.random(in: 0..<4, using: &generator) == 0 { changes.updateValue(member(at), forKey: at) }
    let before = ReadyMembers(members)
    #expect(Self.written(before) == Self.written(members))
    for (at, change) in changes { members[at] = change }
    let after = before.replacing(changes)
    #expect(Self.written(after) == Self.written(members))
    for at in 0..<count { #expect(after[at].map { Array($0) } == members[at]) }
    // No two runs stand side by side: what can be copied at once is.
    for (one, next) in zip(after.parts, after.parts.dropFirst()) {
      if case .ready = one, case .ready = next { Issue.record("two runs side by side") }
    }
  }

  private static func written(_ members: [[UInt8]?]) -> String {
    members.enumerated().map { at, member in member.map { String(decoding: $0, as: UTF8.self) } ?? "?\(at)" }.joined(separator: ",")
  }

  private static func written(_ members: ReadyMembers) -> String {
    members.parts.map { part in
      switch part {
      case .ready(let run): String(decoding: members.bytes[run], as: UTF8.self)
      case .open(let at): "?\(at)"
      }
    }.joined(separator: ",")
  }

  private struct Seeded: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9e37_79b9_7f4a_7c15
      let mixed = (state ^ state >> 30) &* 0xbf58_476d_1ce4_e5b9
      return mixed ^ mixed >> 31
    }
  }
}
