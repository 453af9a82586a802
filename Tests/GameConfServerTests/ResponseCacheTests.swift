// The limits of an event loop's cache of answers.

import GameConfCore
import Testing

@testable import GameConfServer

@Suite("Response cache")
struct ResponseCacheTests {
  private static func answer(_ name: String, bytes: Int = 2, until: Int64? = nil) -> Answer {
    var answer = Answer(contentType: "application/json", body: [UInt8](repeating: 32, count: bytes), revision: 1)
    answer.standing = Answer.Cacheability(target: name, until: until.map { Instant(seconds: $0) })
    return answer
  }

  private static func holds(_ cache: ResponseCache, _ name: String) -> Bool {
    let isReady = Array(name.utf8).withUnsafeBytes { cache.ready.withAnswer(to: $0) { _, _, _, _ in true } } ?? false
    #expect(isReady == (cache.answer(to: Array(name.utf8)[...]) != nil))
    return isReady
  }

  @Test("the response cache holds its maximum number of answers, and one more empties it")
  func count() {
    var limits = ServerLimits()
    limits.cachedAnswersMax = 3
    var cache = ResponseCache()
    for name in ["a", "b", "c"] { cache.keep(Self.answer(name), route: 0, now: 0, limits: limits) }
    #expect(["a", "b", "c"].allSatisfy { Self.holds(cache, $0) })
    cache.keep(Self.answer("a"), route: 0, now: 0, limits: limits)
    #expect(["a", "b", "c"].allSatisfy { Self.holds(cache, $0) })
    cache.keep(Self.answer("d"), route: 0, now: 0, limits: limits)
    #expect(!Self.holds(cache, "a") && Self.holds(cache, "d"))
  }

  @Test("the response cache holds bodies up to the limit for one body and the limit for all bodies")
  func bytes() {
    var limits = ServerLimits()
    limits.cachedAnswerBytesMax = 100
    limits.cachedBytesMax = 250
    var cache = ResponseCache()
    cache.keep(Self.answer("a", bytes: 101), route: 0, now: 0, limits: limits)
    #expect(cache.isEmpty)
    for (name, bytes) in [("a", 100), ("b", 100), ("c", 50)] {
      cache.keep(Self.answer(name, bytes: bytes), route: 0, now: 0, limits: limits)
    }
    #expect(["a", "b", "c"].allSatisfy { Self.holds(cache, $0) })
    cache.keep(Self.answer("d", bytes: 1), route: 0, now: 0, limits: limits)
    #expect(!Self.holds(cache, "a") && !Self.holds(cache, "c") && Self.holds(cache, "d"))
  }

  @Test("the response cache is emptied a second before an answer expires, or if the clock was set back")
  func seconds() {
    var cache = ResponseCache()
    cache.keep(Self.answer("a", until: 1_000), route: 0, now: 100, limits: ServerLimits())
    cache.keep(Self.answer("b", until: 500), route: 0, now: 200, limits: ServerLimits())
    cache.keep(Self.answer("late", until: 201), route: 0, now: 200, limits: ServerLimits())
    #expect(Self.holds(cache, "a") && Self.holds(cache, "b") && !Self.holds(cache, "late"))
    for second in [200, 498] {
      cache.settle(now: second)
      #expect(Self.holds(cache, "a") && Self.holds(cache, "b"))
    }
    var back = cache
    back.settle(now: 199)
    #expect(back.isEmpty)
    cache.settle(now: 499)
    #expect(cache.isEmpty && !Self.holds(cache, "a"))
  }
}
