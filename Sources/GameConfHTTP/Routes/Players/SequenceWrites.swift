// The position of a request in a client's queue, and the answer if the request was processed before.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfServer

extension Request {
  /// Returns the position from the header `Gameconf-Sequence: client/number`; nil without that header.
  func sequenceMark() throws(Problem) -> SequencePosition? {
    guard let text = try header("gameconf-sequence") else { return nil }
    if try header("idempotency-key") != nil {
      throw Problem(.twoIDs, "Name the request by Gameconf-Sequence or by Idempotency-Key, not both.")
    }
    do throws(Refusal) { return try SequencePosition(text) } catch { throw .header("Gameconf-Sequence", error.message) }
  }
}

extension Answer {
  /// Returns the answer to a repeated request whose first answer is no longer stored.
  static func done(playerRevision: Int64) -> Answer {
    json(DoneAnswer(playerRevision: playerRevision).wire, playerRevision: UInt64(clamping: playerRevision)).repeated
  }

  /// The answer with the header that says that the request was repeated.
  var repeated: Answer {
    var answer = self
    answer.fields.append(Field("Gameconf-Repeated", "true"))
    return answer
  }
}
