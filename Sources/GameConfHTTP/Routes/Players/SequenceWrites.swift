// The place of a request in a client's queue, as its headers have it, and what is answered when it is done already.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer

extension Request {
  /// The place that `Gameconf-Sequence: client/number` names.
  func sequenceMark() throws(Problem) -> SequencePosition? {
    guard let text = try header("gameconf-sequence") else { return nil }
    if try header("idempotency-key") != nil {
      throw Problem(.twoIDs, "Name the request by Gameconf-Sequence or by Idempotency-Key, not both.")
    }
    do throws(Refusal) { return try SequencePosition(text) } catch { throw .header("Gameconf-Sequence", error.message) }
  }
}

extension Answer {
  /// That a request was done before and its answer is not kept any more.
  static func done(playerRevision: Int64) -> Answer {
    json(DoneAnswer(playerRevision: playerRevision).wire, playerRevision: UInt64(clamping: playerRevision)).repeated
  }

  /// The same with the header that marks a repeat.
  var repeated: Answer {
    var answer = self
    answer.fields.append(Field("Gameconf-Repeated", "true"))
    return answer
  }
}
