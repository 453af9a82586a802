// The configured behaviour of the simulated store, converted from requests and to answers.

internal import GameConfAPI
internal import GameConfCore

extension ShopBehaviour {
  var wire: WireBehaviour {
    var fail: [String: SimulatedFailure] = [:]
    for (call, failure) in failures {
      fail[call.rawValue] = SimulatedFailure(error: failure.error.rawValue, times: failure.timesLeft.map { Int64($0) })
    }
    return WireBehaviour(
      fail: fail, asksToBuy: asksToBuy, interruptsPurchases: interruptsPurchases, failsBilling: failsBilling, grace: grace.rawValue)
  }

  /// Parses the behaviour in a request. Each call of the store can fail only with certain errors.
  /// - Throws: `INVALID_BEHAVIOUR` for an unknown word, with its pointer.
  init(_ record: WireBehaviour) throws(Problem) {
    self.init()
    for (name, failure) in record.fail.sorted(by: { $0.key < $1.key }) {
      let place = "/fail/" + JSONPointer.escaped(name)
      let call = try Self.word(name, "a call that can fail", SimulatedCall.self, at: place)
      let error = try Self.word(failure.error, "an error", SimulatedError.self, at: place + "/error")
      failures[call] = Failure(error, times: failure.times.map { Int(clamping: $0) })
    }
    asksToBuy = record.asksToBuy
    interruptsPurchases = record.interruptsPurchases
    failsBilling = record.failsBilling
    grace = try Self.grace(record.grace)
  }

  /// Parses the word that says if a failed renewal has a grace period.
  static func grace(_ word: String) throws(Problem) -> Grace { try Self.word(word, "a grace", Grace.self, at: "/grace") }

  private static func word<Word: RawRepresentable & CaseIterable>(
    _ text: String, _ what: String, _: Word.Type, at pointer: String
  ) throws(Problem) -> Word where Word.RawValue == String {
    if let word = Word(rawValue: text) { return word }
    let known = Word.allCases.map(\.rawValue)
    throw Problem(
      .invalidBehaviour,
      "“\(text)” is not \(what).\(NearestNames.hint(for: text, among: known)) There are \(known.joined(separator: ", ")).",
      pointer: pointer)
  }
}
