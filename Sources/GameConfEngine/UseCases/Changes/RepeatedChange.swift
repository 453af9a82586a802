// A change that may be sent twice is made once.
import GameConfCore
public import GameConfStorage

/// The way to remember the answer of a change, for when the change is sent again.
public struct RepeatableChange<Answer: Sendable, Refusal: StoreRefusal>: Sendable {
  /// The request's name.
  public var id: RepeatID
  /// The user who makes the change.
  public var uid: UInt32
  /// A digest of the whole request.
  public var contentDigest: String
  /// Makes the answer that is remembered; nil remembers nothing. It runs in the writer's transaction.
  public var encode: @Sendable (Result<Answer, Refusal>) -> StoredAnswer?

  /// A way to remember.
  public init(
    id: RepeatID, by uid: UInt32, contentDigest: String, encode: @escaping @Sendable (Result<Answer, Refusal>) -> StoredAnswer?
  ) {
    self.id = id
    self.uid = uid
    self.contentDigest = contentDigest
    self.encode = encode
  }
}

/// The answer of a change: just made, or what was answered when it was sent before.
public enum ChangeAnswer<Answer: Sendable>: Sendable {
  /// The change was made.
  case fresh(Answer)
  /// It had been made before; this is what was answered then.
  case remembered(StoredAnswer)

  /// The answer, when the change was just made.
  public var fresh: Answer? { if case .fresh(let answer) = self { answer } else { nil } }
}

extension Store {
  /// Runs a change as a transaction; when it is remembered, a repeat of it changes nothing and gets the first answer.
  ///
  /// Refusals are remembered like answers; a failure of the store is not, and a dry run neither looks nor remembers. A repeat that comes
  /// while the first is still under way runs after it, since transactions run one after the other.
  /// - Throws: what `transaction` refuses with, or `reused` when the id came with other content before.
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
        if let kept = remembering.encode(.success(answer)) { try store.remember(kept.bounded, for: remembering.id, by: remembering.uid) }
        return .success(.fresh(answer))
      } catch let refusal as Refusal {
        guard refusal.isRemembered, let kept = remembering.encode(.failure(refusal)) else { throw refusal }
        try store.remember(kept.bounded, for: remembering.id, by: remembering.uid)
        return .failure(refusal)
      }
    }.get()
  }
}

extension StoredAnswer {
  /// The answer without its body when that is too long to be kept.
  fileprivate var bounded: StoredAnswer {
    guard body.utf8.count > StoreLimits.repeatBytesMax else { return self }
    var bounded = self
    bounded.body = ""
    return bounded
  }
}
