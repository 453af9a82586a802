// Answers that hold for everybody until the state or the time changes: made when first asked for, then given like those that lie ready.

/// The answers of one event loop that handlers gave an ``Answer/Cacheability``; empty again with every new state.
struct ResponseCache {
  /// The answers' bytes, found by target.
  private(set) var ready = ReadyAnswers()
  private var answers: [(target: [UInt8], answer: Answer)] = []
  private var groups: [ReadyGroup] = []
  /// The tallies of each answer, by their position.
  private var tallies: [[(position: Int, count: Int)]] = []
  private var bytes = 0
  /// The clock's second since which all of them are kept, and the one at which the first of them is to go.
  private var seconds = Int.min..<Int.max

  var isEmpty: Bool { answers.isEmpty }

  /// Keeps an answer from this second on; an answer that ends soon, or that would take more than is allowed, is not kept.
  mutating func keep(_ answer: Answer, route: Int, now second: Int, limits: ServerLimits) {
    guard let standing = answer.standing, answer.status == 200, answer.body.count <= limits.keptAnswerBytesMax else { return }
    // It goes a second early: that second may pass a little faster by the clock than by the timer that counts it.
    let end = standing.until.map { Int(clamping: $0.milliseconds / 1000 - 1) } ?? .max
    guard second < end else { return }
    let target = Array(standing.target.utf8)
    if answers.contains(where: { $0.target == target }) { return }
    if answers.count == limits.keptAnswersMax || bytes + answer.body.count > limits.keptBytesMax { removeAll() }
    var kept = answer
    kept.standing = nil
    answers.append((target, kept))
    groups.append(
      ReadyGroup(
        revision: answer.revision,
        [
          ReadyAnswer(
            target: standing.target, answer: kept, route: route,
            counts: AnswerCounts(tally: tallies.count, mark: standing.mark, stamp: standing.stamp))
        ]))
    tallies.append(standing.tallies.map { ($0.key, $0.value) })
    bytes += answer.body.count
    ready = ReadyAnswers(groups)
    seconds = max(seconds.lowerBound, second)..<min(seconds.upperBound, end)
  }

  /// The answer to a target, for requests that are more than the target, such as conditional ones; and which of all it is.
  func answer(to target: ArraySlice<UInt8>) -> (answer: Answer, number: Int)? {
    answers.firstIndex { $0.target.elementsEqual(target) }.map { (answers[$0].answer, $0) }
  }

  /// The counts of an answer by its number.
  func counts(of number: Int) -> AnswerCounts { groups[number].items.first?.counts ?? AnswerCounts() }

  /// Counts what is tallied in an answer that is given once more; its number stands in ``ready`` as the tally.
  func count(_ number: Int, in counters: inout ServerCounters) {
    guard tallies.indices.contains(number) else { return }
    for (position, count) in tallies[number] { counters.count(tally: position, by: UInt64(count)) }
  }

  /// Drops everything once one of them has ended, or when the clock was set back before they were made.
  mutating func settle(now second: Int) {
    if !answers.isEmpty, !seconds.contains(second) { removeAll() }
  }

  mutating func removeAll() { self = ResponseCache() }
}
