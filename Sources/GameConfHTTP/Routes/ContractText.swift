// The OpenAPI document as it is sent: made when somebody first asks for it.

internal import GameConfAPI
internal import Synchronization

/// The contract of these calls. A start does without it: nobody has asked yet, and it takes longer than reading a catalog.
final class ContractText: Sendable {
  private let version: String
  private let endpoints: [Endpoint]
  private let made = Mutex<TypedAnswer<OpenAPIAnswer>?>(nil)
  /// The task that makes it, for all who ask meanwhile.
  private let making = Mutex<Task<TypedAnswer<OpenAPIAnswer>, Never>?>(nil)

  init(version: String, endpoints: [Endpoint]) {
    self.version = version
    self.endpoints = endpoints
  }

  /// The document: at once when it was asked for before.
  var reply: TypedReply<OpenAPIAnswer> {
    if let answer = made.withLock({ $0 }) { return .now(answer) }
    let task = making.withLock { making in
      let task = making ?? Task { self.make() }
      making = task
      return task
    }
    return .task { await task.value }
  }

  private func make() -> TypedAnswer<OpenAPIAnswer> {
    let answer = TypedAnswer<OpenAPIAnswer>.written(EncodedBody(OpenAPIDocument.build(version: version, endpoints: endpoints)))
    made.withLock { $0 = answer }
    return answer
  }
}
