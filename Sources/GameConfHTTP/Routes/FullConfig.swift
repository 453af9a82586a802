// Answers with full details of many keys. They are evaluated in slices, because they would block the event loop.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// The evaluation of keys with full details, for an answer to `detail=full`.
struct FullConfig: Sendable {
  /// The maximum number of keys that are evaluated on the event loop. They block it for less than a millisecond.
  static let keysOnLoopMax = 16
  /// The number of keys that one slice on another thread evaluates.
  static let keysAtOnce = 64

  let seen: Evaluation
  let readsSecrets: Bool
  let tallies: EvaluationTallies
  let keys: (known: [String], unknown: [String])

  /// - Parameter keys: The requested keys; nil for all keys.
  init(_ seen: Evaluation, _ keys: [String]?, readsSecrets: Bool, _ tallies: EvaluationTallies) {
    self.seen = seen
    self.readsSecrets = readsSecrets
    self.tallies = tallies
    self.keys = RequestCaller.keys(keys, of: seen)
  }

  /// Returns the answers for these keys. It returns fewer if the rules exceed the limit of steps.
  func answers(_ some: some Sequence<String>) -> [ValueAnswer] {
    var answers: [ValueAnswer] = []
    for key in some {
      guard let answer = seen.answer(for: key) else { continue }
      let parameter = answer.entry.parameter
      if seen.caller.budget?.isExceeded == true { break }
      tallies.count(game: seen.game.game, layer: answer.layer)
      var wire = ValueAnswer(answer)
      if answer.isSecret, !readsSecrets { wire.mask() }
      wire.declaration = ValueAnswer.KeyDeclaration(
        unit: parameter.unit, section: parameter.section, description: parameter.description, flag: parameter.flag?.rawValue,
        isPlayerSetting: parameter.isPlayerSetting)
      answers.append(wire)
    }
    return answers
  }

  /// Returns the whole answer, evaluated without slices.
  func whole() -> TypedAnswer<ConfigAnswer> { .ok(answer(answers(keys.known)), seen.revisions) }

  /// Returns the whole answer, evaluated in slices that yield to other users' work.
  /// - Throws: `EVALUATION_TOO_LONG`, `ANSWER_TOO_LARGE`.
  func inSlices(by longWork: SlicedWork, for user: UInt32) async throws(Problem) -> TypedAnswer<ConfigAnswer> {
    try await longWork.answer(for: user) { () async throws(Problem) in
      var members: [UInt8] = []
      var next = 0
      while next < keys.known.count {
        if Task.isCancelled { throw Problem(.stopping, "The client closed the connection before the answer.") }
        let some = keys.known[next..<min(next + Self.keysAtOnce, keys.known.count)]
        next = some.endIndex
        let made = try await longWork.slice(for: user, ignoresLimit: true) { () throws(Problem) in
          var json = JSONBuilder(reserving: 512 * some.count)
          for answer in answers(some) {
            json.name(answer.key)
            answer.append(to: &json)
          }
          if seen.caller.budget?.isExceeded == true { throw BoundedEvaluation.tooLong }
          return json.bytes
        }
        if !members.isEmpty, !made.isEmpty { members.append(UInt8(ascii: ",")) }
        members += made
        if members.count > Answer.bodyBytesMax { throw .answerTooLarge }
      }
      return try written(members)
    }
  }

  private func answer(_ answers: [ValueAnswer]) -> ConfigAnswer {
    ConfigAnswer(
      game: seen.game.game, revision: seen.game.revision, values: .full(answers), degraded: seen.degraded.map(\.rawValue),
      unknown: keys.unknown)
  }

  /// Returns the answer with these encoded members.
  private func written(_ members: [UInt8]) throws(Problem) -> TypedAnswer<ConfigAnswer> {
    let empty = answer([]).json
    let mark = Array("\"values\":{".utf8)
    guard let place = empty.firstRange(of: mark)?.upperBound else {
      throw Problem(.internalFault, "The answer has no place for its values.")
    }
    let bytes = empty[..<place] + members + empty[place...]
    if bytes.count > Answer.bodyBytesMax { throw .answerTooLarge }
    // The hash for the ETag takes half as long as a slice, so it is computed here and not on the event loop.
    return .written(EncodedBody(bytes: Array(bytes)), seen.revisions)
  }
}
