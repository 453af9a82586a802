// The answer and the reply of a call's handler: of the type that the call declares, or nothing that compiles.

internal import GameConfAPI
internal import GameConfCore
import GameConfStorage
internal import GameConfServer
internal import NIOCore

/// The revisions that an answer was read at, for its headers.
struct Revisions: Sendable, Hashable {
  var game: Int64?
  var player: Int64?

  static let none = Revisions()
}

/// An answer whose body is of the type that the call declares.
struct TypedAnswer<Body: CallBody>: Sendable {
  var answer: Answer

  /// An answer that was given before, for a repeat.
  init(repeating remembered: StoredAnswer) {
    answer = Answer(remembered).repeated
  }

  fileprivate init(_ answer: Answer) { self.answer = answer }

  /// That a request of a queue was done before and its answer is not kept any more.
  static func done(playerRevision: Int64) -> Self { Self(Answer.done(playerRevision: playerRevision)) }

  /// 304: what the caller knows by that id has not changed.
  static func unchanged(_ id: String) -> Self {
    var answer = Answer(status: 304, contentType: nil, body: [])
    answer.fields.append(Answer.Field("Gameconf-Id", id))
    return Self(answer)
  }

  /// 304: what the caller has by that entity tag is still so.
  static func notModified(_ tag: String) -> Self {
    var answer = Answer(status: 304, contentType: nil, body: [])
    answer.fields.append(Answer.Field("ETag", tag))
    return Self(answer)
  }

  static func noContent(_ revisions: Revisions = .none) -> Self { Self(Answer(status: 204, contentType: nil, body: []).at(revisions)) }

  /// An answer whose bytes are written already, as the call declares them.
  static func written(
    _ bytes: [UInt8], contentType: String = "application/json", isRepeat: Bool = false, _ revisions: Revisions = .none
  ) -> Self {
    let answer = Answer(contentType: contentType, body: bytes).at(revisions)
    return Self(isRepeat ? answer.repeated : answer)
  }

  /// An answer that was made before anybody asked for it, with its tag.
  static func written(_ body: EncodedBody, _ revisions: Revisions = .none) -> Self {
    var answer = Answer(contentType: "application/json", body: body.bytes).at(revisions)
    answer.entityTag = body.entityTag
    return Self(answer)
  }
}

extension TypedAnswer where Body: BytesBody {
  /// JSON in another protocol's shapes.
  static func json(_ value: Value, _ revisions: Revisions = .none) -> Self { Self(Answer.json(value).at(revisions)) }
}

extension TypedAnswer where Body: WireShape {
  static func ok(_ body: Body, _ revisions: Revisions = .none) -> Self { Self(Answer.json(body.wire).at(revisions)) }

  /// An answer that names the time it was asked at: it is the same as another when all else in it is.
  /// - Parameter timeless: the body with the same time for everybody.
  static func ok(_ body: Body, sameAs timeless: Body, _ revisions: Revisions = .none) -> Self {
    var answer = Self.ok(body, revisions)
    answer.answer.entityTag = EntityTag(weaklyOf: timeless.json)
    return answer
  }

  /// 201 with the new thing's path.
  static func created(_ body: Body, at location: String, _ revisions: Revisions = .none) -> Self {
    Self(Answer.created(body.wire, location: location).at(revisions))
  }
}

/// A handler's reply, of the type that the call declares.
enum TypedReply<Body: CallBody>: Sendable {
  /// The answer now, on the event loop.
  case now(TypedAnswer<Body>)
  /// The answer when the promise is completed.
  case later(Promise)
  /// The answer of a task.
  case task(@Sendable () async throws(Problem) -> TypedAnswer<Body>)

  /// An answer that comes later.
  ///
  /// Games wait for their writes all the time: the connection waits for the very promise that the handler completes, with nothing in between.
  struct Promise: Sendable {
    fileprivate let promise: EventLoopPromise<Answer>

    init(on eventLoop: any EventLoop) { promise = eventLoop.makePromise(of: Answer.self) }

    /// Gives the answer, once.
    func complete(with result: Result<TypedAnswer<Body>, Problem>) {
      switch result {
      case .success(let answer): promise.succeed(answer.answer)
      case .failure(let problem): promise.fail(problem)
      }
    }

    /// A promise that this one completes, with a header field on the answer.
    fileprivate func adding(_ field: Answer.Field) -> Promise {
      let future = promise.futureResult
      let extended = Promise(on: future.eventLoop)
      future.map { $0.adding(field) }.cascade(to: extended.promise)
      return extended
    }
  }

  /// The answer, when it is there.
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

  /// The same with a header field on the answer.
  func adding(_ field: Answer.Field) -> Self {
    switch self {
    case .now(let answer): .now(TypedAnswer(answer.answer.adding(field)))
    case .later(let later): .later(later.adding(field))
    case .task(let work): .task { () async throws(Problem) in TypedAnswer(try await work().answer.adding(field)) }
    }
  }

  /// The same for the server.
  var reply: Reply {
    switch self {
    case .now(let answer): .now(answer.answer)
    case .later(let later): .later(later.promise.futureResult)
    case .task(let work): .task { () async throws(Problem) in try await work().answer }
    }
  }
}

extension Answer.Field {
  /// The header that names the caller's attributes that the answer was made without.
  static let ignoredLocale = Self("Gameconf-Ignored", "locale")
}

extension Answer {
  fileprivate func at(_ revisions: Revisions) -> Answer {
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
