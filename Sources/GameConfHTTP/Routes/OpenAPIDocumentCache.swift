// The OpenAPI document, which the daemon creates when it is first requested.

internal import GameConfAPI
internal import Synchronization

/// The OpenAPI document of all calls. It is not created at the daemon's start, because that would take longer than reading a catalog.
final class OpenAPIDocumentCache: Sendable {
  private let version: String
  private let endpoints: [Endpoint]
  private let made = Mutex<TypedAnswer<OpenAPIAnswer>?>(nil)
  /// The task that creates the document. All requests wait for this one task.
  private let making = Mutex<Task<TypedAnswer<OpenAPIAnswer>, Never>?>(nil)

  init(version: String, endpoints: [Endpoint]) {
    self.version = version
    self.endpoints = endpoints
  }

  /// The reply with the document: immediate if the document exists, otherwise when the task is done.
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
