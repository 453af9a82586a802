// Idempotent changes: a request that is sent twice is executed once.
import GameConfCore
public import GameConfStorage

/// The instructions for storing the answer of a change, so that a repeat gets the same answer.
public struct RepeatableChange<Answer: Sendable, Refusal: StoreRefusal>: Sendable {
  /// The request's id, under which the answer is found again.
  public var id: RepeatID
  /// The user who makes the change.
  public var uid: UInt32
  /// A digest of the whole request, by which another request with the same id is recognized.
  public var contentDigest: String
  /// Encodes the answer to store; nil stores nothing. It runs in the writer's transaction.
  public var encode: @Sendable (Result<Answer, Refusal>) -> StoredAnswer?

  /// Creates the instructions for one request of a user.
  public init(
    id: RepeatID, by uid: UInt32, contentDigest: String, encode: @escaping @Sendable (Result<Answer, Refusal>) -> StoredAnswer?
  ) {
    self.id = id
    self.uid = uid
    self.contentDigest = contentDigest
    self.encode = encode
  }
}

/// The answer of a change: a new one, or the stored answer of an earlier identical request.
public enum ChangeAnswer<Answer: Sendable>: Sendable {
  /// The change was made now, with this answer.
  case fresh(Answer)
  /// The same request was executed before. This is its stored answer.
  case remembered(StoredAnswer)

  /// The new answer; nil for a repeat.
  public var fresh: Answer? { if case .fresh(let answer) = self { answer } else { nil } }
}

extension Store {
  /// Runs a change as a transaction. With `remembering`, a repeat changes nothing and gets the first answer.
  ///
  /// Refusals are stored like answers; failures of the store are not. A dry run neither looks up nor stores answers. A repeat that arrives
  /// while the first request runs is processed after it, since transactions run one after another.
  /// - Throws: The refusal of `transaction`, or `reused` if the id was used before with other content.
  package func change<Answer: Sendable, Refusal: StoreRefusal>(
    _ mode: WriteMode, remembering: RepeatableChange<Answer, Refusal>?, reused: Refusal,
    _ transaction: @escaping @Sendable (WriteTransaction) throws -> Answer
  ) async throws(Refusal) -> ChangeAnswer<Answer> {
    guard let remembering, !mode.isDryRun else { return .fresh(try await write(mode, refusing: Refusal.self, transaction)) }
    return try await write(mode, refusing: Refusal.self) { store throws -> Result<ChangeAnswer<Answer>, Refusal> in
      if let earlier = try store.remembered(remembering.id) {
        guard earlier.contentDigest == remembering.contentDigest else { throw reused }
        return .success(.remembered(earlier))
      }
      do {
        let answer = try store.attempt { try transaction(store) }
        if let saved = remembering.encode(.success(answer)) { try store.remember(saved.bounded, for: remembering.id, by: remembering.uid) }
        return .success(.fresh(answer))
      } catch let refusal as Refusal {
        guard refusal.isRemembered, let saved = remembering.encode(.failure(refusal)) else { throw refusal }
        try store.remember(saved.bounded, for: remembering.id, by: remembering.uid)
        return .failure(refusal)
      }
    }.get()
  }
}

extension StoredAnswer {
  /// The answer, without its body if that is too long to store.
  fileprivate var bounded: StoredAnswer {
    guard body.utf8.count > StoreLimits.repeatBytesMax else { return self }
    var bounded = self
    bounded.body = ""
    return bounded
  }
}
