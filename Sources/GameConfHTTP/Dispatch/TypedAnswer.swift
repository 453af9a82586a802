// A handler's answer with the body type that its call declares, so that a handler that answers another type does not compile.

internal import GameConfAPI
internal import GameConfCore
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// The revisions of the game and the player at which an answer was evaluated, for the answer's headers.
struct AnswerRevisions: Sendable, Hashable {
  var game: Int64?
  var player: Int64?

  static let none = AnswerRevisions()
}

struct TypedAnswer<Body: CallBody>: Sendable {
  var answer: Answer

  /// Creates the answer to a repeated request from the stored answer.
  init(repeating remembered: StoredAnswer) {
    answer = Answer(remembered).repeated
  }

  fileprivate init(_ answer: Answer) { self.answer = answer }

  /// Returns the answer to a repeated request from a client's queue whose first answer is no longer stored.
  static func done(playerRevision: Int64) -> Self { Self(Answer.done(playerRevision: playerRevision)) }

  /// Returns the answer 304 for a state that the client already has. `id` is that state's id, for the header `Gameconf-Id`.
  static func unchanged(_ id: String) -> Self {
    var answer = Answer(status: 304, contentType: nil, body: [])
    answer.fields.append(Answer.Field("Gameconf-Id", id))
    return Self(answer)
  }

  static func noContent(_ revisions: AnswerRevisions = .none) -> Self {
    Self(Answer(status: 204, contentType: nil, body: []).at(revisions))
  }

  /// Returns an answer whose body is already encoded.
  static func written(
    _ bytes: [UInt8], contentType: String = "application/json", isRepeat: Bool = false, _ revisions: AnswerRevisions = .none
  ) -> Self {
    let answer = Answer(contentType: contentType, body: bytes).at(revisions)
    return Self(isRepeat ? answer.repeated : answer)
  }

  /// Returns an answer from a body that was encoded before the request, with its ETag.
  static func written(_ body: EncodedBody, _ revisions: AnswerRevisions = .none) -> Self {
    var answer = Answer(contentType: "application/json", body: body.bytes).at(revisions)
    answer.entityTag = body.entityTag
    return Self(answer)
  }
}

extension TypedAnswer where Body: BytesBody {
  /// Creates a typed answer from one that another protocol's module has encoded.
  init(encoded answer: Answer) { self.init(answer) }
}

extension TypedAnswer where Body: WireShape {
  static func ok(_ body: Body, _ revisions: AnswerRevisions = .none) -> Self { Self(Answer.json(body.wire).at(revisions)) }

  /// Returns an answer whose body contains the time of the request, but whose ETag does not depend on that time.
  /// - Parameter timeless: The body with a constant in place of the time. The ETag is its hash.
  static func ok(_ body: Body, sameAs timeless: Body, _ revisions: AnswerRevisions = .none) -> Self {
    var answer = Self.ok(body, revisions)
    answer.answer.entityTag = EntityTag(weaklyOf: timeless.json)
    return answer
  }

  /// Returns an answer with status 201 and the path of the new resource.
  static func created(_ body: Body, at location: String, _ revisions: AnswerRevisions = .none) -> Self {
    Self(Answer.created(body.wire, location: location).at(revisions))
  }
}

/// A handler's reply with the body type that the call declares.
enum TypedReply<Body: CallBody>: Sendable {
  /// An answer that was computed on the event loop.
  case now(TypedAnswer<Body>)
  case later(Promise)
  case task(@Sendable () async throws(Problem) -> TypedAnswer<Body>)

  /// A promise of an answer.
  ///
  /// Games wait for writes constantly. Therefore the connection waits directly for the promise that the handler completes, and there is no
  /// second future.
  struct Promise: Sendable {
    fileprivate let promise: EventLoopPromise<Answer>

    init(on eventLoop: any EventLoop) { promise = eventLoop.makePromise(of: Answer.self) }

    /// Completes the promise. Must be called exactly once.
    func complete(with result: Result<TypedAnswer<Body>, Problem>) {
      switch result {
      case .success(let answer): promise.succeed(answer.answer)
      case .failure(let problem): promise.fail(problem)
      }
    }

    /// Returns a promise that adds a header field to its answer and then completes this one.
    fileprivate func adding(_ field: Answer.Field) -> Promise {
      let future = promise.futureResult
      let extended = Promise(on: future.eventLoop)
      future.map { $0.adding(field) }.cascade(to: extended.promise)
      return extended
    }
  }

  /// The answer. The caller waits if it is not complete yet.
  var value: TypedAnswer<Body> {
    get async throws(Problem) {
      switch self {
      case .now(let answer): return answer
      case .task(let work): return try await work()
      case .later(let later):
        do { return TypedAnswer(try await later.promise.futureResult.get()) } catch let problem as Problem { throw problem } catch {
          throw Problem(.internalFault, "The client closed the connection before the answer.")
        }
      }
    }
  }

  /// Returns the reply with a header field added to its answer.
  func adding(_ field: Answer.Field) -> Self {
    switch self {
    case .now(let answer): .now(TypedAnswer(answer.answer.adding(field)))
    case .later(let later): .later(later.adding(field))
    case .task(let work): .task { () async throws(Problem) in TypedAnswer(try await work().answer.adding(field)) }
    }
  }

  /// The reply without its body type, as the HTTP server takes it.
  var reply: Reply {
    switch self {
    case .now(let answer): .now(answer.answer)
    case .later(let later): .later(later.promise.futureResult)
    case .task(let work): .task { () async throws(Problem) in try await work().answer }
    }
  }
}

extension Answer.Field {
  /// The header that names the attributes of the caller that the evaluation ignored.
  static let ignoredLocale = Self("Gameconf-Ignored", "locale")
}

extension Answer {
  fileprivate func at(_ revisions: AnswerRevisions) -> Answer {
    var answer = self
    answer.revision = revisions.game.map { UInt64(clamping: $0) }
    answer.playerRevision = revisions.player.map { UInt64(clamping: $0) }
    return answer
  }

  fileprivate func adding(_ field: Field) -> Answer {
    var answer = self
    answer.fields.append(field)
    return answer
  }
}
