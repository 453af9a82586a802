// Caches answers that are the same for every caller until the published state changes or they expire. The first request computes one.

/// One event loop's cache of answers that have an ``Answer/Cacheability``. A new published state empties it.
struct ResponseCache {
  /// The cached answers in encoded form, by request target.
  private(set) var ready = ReadyAnswers()
  private var answers: [(target: [UInt8], answer: Answer)] = []
  private var groups: [PrecomputedAnswerGroup] = []
  /// For each cached answer, the positions of the evaluation counters that it raises, each with the number that is added to the counter.
  private var tallies: [[(position: Int, count: Int)]] = []
  private var bytes = 0
  /// The seconds of the wall clock in which all cached answers are valid.
  private var seconds = Int.min..<Int.max

  var isEmpty: Bool { answers.isEmpty }

  /// Caches an answer, unless it expires soon or its body exceeds the limit. A full cache is emptied first.
  mutating func keep(_ answer: Answer, route: Int, now second: Int, limits: ServerLimits) {
    guard let standing = answer.standing, answer.status == 200, answer.body.count <= limits.cachedAnswerBytesMax else { return }
    // Expires a second early, because the wall clock may run slightly faster than the loop's timer that counts its seconds.
    let end = standing.until.map { Int(clamping: $0.milliseconds / 1000 - 1) } ?? .max
    guard second < end else { return }
    let target = Array(standing.target.utf8)
    if answers.contains(where: { $0.target == target }) { return }
    if answers.count == limits.cachedAnswersMax || bytes + answer.body.count > limits.cachedBytesMax { removeAll() }
    var stored = answer
    stored.standing = nil
    answers.append((target, stored))
    groups.append(
      PrecomputedAnswerGroup(
        revision: answer.revision,
        [
          ReadyAnswer(
            target: standing.target, answer: stored, route: route,
            counts: AnswerCounterPositions(tally: tallies.count, mark: standing.mark, stamp: standing.stamp))
        ]))
    tallies.append(standing.tallies.map { ($0.key, $0.value) })
    bytes += answer.body.count
    ready = ReadyAnswers(groups)
    seconds = max(seconds.lowerBound, second)..<min(seconds.upperBound, end)
  }

  /// Returns the cached answer to a target with its number in the cache, for requests with conditions such as `If-None-Match`.
  func answer(to target: ArraySlice<UInt8>) -> (answer: Answer, number: Int)? {
    answers.firstIndex { $0.target.elementsEqual(target) }.map { (answers[$0].answer, $0) }
  }

  /// Returns the positions at which a cached answer is counted and its key marked as read, by the answer's number in the cache.
  func counts(of number: Int) -> AnswerCounterPositions { groups[number].items.first?.counts ?? AnswerCounterPositions() }

  /// Counts the evaluations in a cached answer that is sent again.
  /// - Parameter number: The answer's number in the cache. The answer's entry in ``ready`` has this number as its tally.
  func count(_ number: Int, in counters: inout ServerCounters) {
    guard tallies.indices.contains(number) else { return }
    for (position, count) in tallies[number] { counters.count(tally: position, by: UInt64(count)) }
  }

  /// Empties the cache if an answer has expired, or if the wall clock was set back to a time before an answer was cached.
  mutating func settle(now second: Int) {
    if !answers.isEmpty, !seconds.contains(second) { removeAll() }
  }

  mutating func removeAll() { self = ResponseCache() }
}
