// Many keys with their declarations: made some at a time beside the event loop, which all of them would hold for long.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

/// An answer to `detail=full` in the making.
struct FullConfig: Sendable {
  /// The number of keys that are made on the event loop: it is held for less than a millisecond.
  static let keysOnLoopMax = 16
  /// The number of keys that are made at once beside it.
  static let keysAtOnce = 64

  let seen: Evaluation
  let readsSecrets: Bool
  let tallies: EvaluationTallies
  let keys: (known: [String], unknown: [String])

  /// - Parameter keys: the keys asked for; nil for all.
  init(_ seen: Evaluation, _ keys: [String]?, readsSecrets: Bool, _ tallies: EvaluationTallies) {
    self.seen = seen
    self.readsSecrets = readsSecrets
    self.tallies = tallies
    self.keys = RequestCaller.keys(keys, of: seen)
  }

  /// The answers for some of the keys; fewer when the rules take more steps than they may.
  func answers(_ some: some Sequence<String>) -> [ValueAnswer] {
    var answers: [ValueAnswer] = []
    for key in some {
      guard let answer = seen.answer(for: key) else { continue }
      let parameter = answer.entry.parameter
      if seen.caller.budget?.isExceeded == true { break }
      tallies.count(game: seen.game.game, layer: answer.layer)
      var wire = ValueAnswer(answer)
      if answer.isSecret, !readsSecrets { wire.mask() }
      wire.declaration = ValueAnswer.Declaration(
        unit: parameter.unit, section: parameter.section, description: parameter.description, flag: parameter.flag?.rawValue,
        isPlayerSetting: parameter.isPlayerSetting)
      answers.append(wire)
    }
    return answers
  }

  /// The whole answer, made at once.
  func whole() -> TypedAnswer<ConfigAnswer> { .ok(answer(answers(keys.known)), seen.revisions) }

  /// The whole answer, made in slices that give way to other users' work.
  /// - Throws: `EVALUATION_TOO_LONG`, `ANSWER_TOO_LARGE`.
  func inSlices(by longWork: SlicedWork, for user: UInt32) async throws(Problem) -> TypedAnswer<ConfigAnswer> {
    try await longWork.answer(for: user) { () async throws(Problem) in
      var members: [UInt8] = []
      var next = 0
      while next < keys.known.count {
        if Task.isCancelled { throw Problem(.stopping, "The client closed the connection before the answer.") }
        let some = keys.known[next..<min(next + Self.keysAtOnce, keys.known.count)]
        next = some.endIndex
        let made = try await longWork.slice(for: user, isPatient: true) { () throws(Problem) in
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

  /// The answer around its members.
  private func written(_ members: [UInt8]) throws(Problem) -> TypedAnswer<ConfigAnswer> {
    let empty = answer([]).json
    let mark = Array("\"values\":{".utf8)
    guard let place = empty.firstRange(of: mark)?.upperBound else {
      throw Problem(.internalFault, "The answer has no place for its values.")
    }
    let bytes = empty[..<place] + members + empty[place...]
    if bytes.count > Answer.bodyBytesMax { throw .answerTooLarge }
    // The tag takes as long as half a slice: it is not left to the event loop.
    return .written(EncodedBody(bytes: Array(bytes)), seen.revisions)
  }
}
