// The OpenAPI document, created at its first request.

internal import GameConfAPI
internal import Synchronization

/// The OpenAPI document of these calls. It is not created at start, because that would take longer than reading a catalog.
final class ContractText: Sendable {
  private let version: String
  private let endpoints: [Endpoint]
  private let made = Mutex<TypedAnswer<OpenAPIAnswer>?>(nil)
  /// The task that creates the document; later requests wait for the same task.
  private let making = Mutex<Task<TypedAnswer<OpenAPIAnswer>, Never>?>(nil)

  init(version: String, endpoints: [Endpoint]) {
    self.version = version
    self.endpoints = endpoints
  }

  /// The document: immediately if it exists, otherwise when its task is done.
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
