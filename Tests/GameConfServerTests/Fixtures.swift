// An application, a router and a server for the tests.

import GameConfCore
import Glibc
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport

@testable import GameConfServer

/// An application whose problems are the server's faults and two further ones.
enum Greeter: ServerApp {
  typealias Role = Void
  typealias Snapshot = String

  struct Problem: Error, Equatable {
    var status: Int
    var code: String
    var detail: String
    var retryAfterSeconds: Int64?
    var allowed: [String] = []

    init(status: Int, code: String, detail: String, retryAfterSeconds: Int64? = nil) {
      (self.status, self.code, self.detail, self.retryAfterSeconds) = (status, code, detail, retryAfterSeconds)
    }

    init(_ fault: ServerFault) {
      self.init(status: fault.status, code: fault.code.rawValue, detail: fault.detail, retryAfterSeconds: fault.retryAfterSeconds)
      allowed = fault.allowed
    }
  }

  static func problem(_ fault: ServerFault) -> Problem { Problem(fault) }

  static func answer(_ problem: Problem) -> Answer {
    var answer = Answer.json(
      ["status": .integer(Int64(problem.status)), "code": .string(problem.code), "detail": .string(problem.detail)], status: problem.status)
    answer.contentType = "application/problem+json"
    if let seconds = problem.retryAfterSeconds { answer.fields.append(Answer.Field("Retry-After", String(seconds))) }
    if !problem.allowed.isEmpty { answer.fields.append(Answer.Field("Allow", problem.allowed.joined(separator: ", "))) }
    return answer
  }
}

typealias Problem = Greeter.Problem

extension ServerSocket {
  static let games = ServerSocket("games")
  static let admin = ServerSocket("admin", hasReservedMemory: true)
  static let metrics = ServerSocket("metrics", mayBeTCP: true)
}

extension Request<Greeter> {
  func json() throws(Problem) -> Value {
    do { return try JSONReader.value(from: body) } catch {
      throw Problem(status: 400, code: "MALFORMED_JSON", detail: "\(error)")
    }
  }
}

/// Pending answers that the test completes.
final class HeldAnswers: Sendable {
  private let held = Mutex<[String: EventLoopPromise<Answer>]>([:])

  func hold(_ name: String, _ eventLoop: any EventLoop) -> EventLoopFuture<Answer> {
    let promise = eventLoop.makePromise(of: Answer.self)
    held.withLock { $0[name] = promise }
    return promise.futureResult
  }

  func release(_ name: String) -> Bool {
    guard let promise = held.withLock({ $0.removeValue(forKey: name) }) else { return false }
    promise.succeed(.json(["n": .string(name)]))
    return true
  }

  private let running = Mutex(0)

  func count(_ change: Int) { running.withLock { $0 += change } }

  /// The number of endless streams and waiting tasks that run.
  var endless: Int { running.withLock { $0 } }

  var names: Set<String> { held.withLock { Set($0.keys) } }
}

/// Blocks handlers' threads until the test opens it, and counts them.
final class HandlerGate: Sendable {
  private let state = WaitedState((passed: 0, isOpen: false))

  /// The number of handlers that have reached the gate.
  var passed: Int { state.change { $0.passed } }

  func open() { state.change { $0.isOpen = true } }

  func pass() {
    state.change { $0.passed += 1 }
    state.wait { $0.isOpen }
  }
}

/// The router of the tests, and the data that its handlers share.
struct Fixture: Sendable {
  let held = HeldAnswers()
  let gate = HandlerGate()
  let router: Router<Greeter>

  static func helloAnswer(_ name: String) -> Answer { .json(["hello": .string(name)], revision: 7) }

  /// Creates routes that use every form of reply.
  init() throws {
    let (held, gate) = (held, gate)
    let both = [ServerSocket.games, .admin]
    typealias Route = GameConfServer.Route<Greeter>
    let json = Route.Content.type("application/json")
    let database = Route.Content.type("application/x-db")
    router = try Router(
      [
        Route("hello", .get, "/v1/hello/{name}", on: both, query: ["loud", "keys"]) { request throws(Problem) in
          let name = request.path("name")
          return .now(try request.flag("loud") ? .json(["HELLO": .string(name)]) : Fixture.helloAnswer(name))
        },
        Route("setHello", .put, "/v1/hello/{name}", on: [.admin], content: json) { request throws(Problem) in
          .now(.created(try request.json(), location: "/v1/hello/\(request.path("name"))"))
        },
        Route("echo", .post, "/v1/echo", on: both, content: json) { request throws(Problem) in .now(.json(try request.json())) },
        Route("later", .get, "/v1/later/{n}", on: both) { request in .later(held.hold(request.path("n"), request.eventLoop)) },
        Route("task", .get, "/v1/task/{n}", on: both) { request in
          let n = request.path("n")
          return .task { () async throws(Problem) in
            if n == "bad" { throw Problem(status: 422, code: "OUT_OF_RANGE", detail: "Not that one.", retryAfterSeconds: 3) }
            return .json(["n": .string(n)])
          }
        },
        Route("big", .get, "/v1/big/{bytes}", on: both) { request in
          .now(Answer(contentType: "application/octet-stream", body: [UInt8](repeating: 120, count: Int(request.path("bytes")) ?? 0)))
        },
        Route("remove", .delete, "/v1/hello/{name}", on: both) { _ in .now(.noContent(revision: 8)) },
        Route("produce", .get, "/v1/stream/{pieces}", on: both) { request in
          let pieces = Int(request.path("pieces")) ?? 0
          return .stream(
            StreamedAnswer(.text("", contentType: "text/event-stream")) { (writer: StreamWriter) in
              for piece in 0..<pieces { try await writer.write(Array("piece \(piece);".utf8) + [UInt8](repeating: 46, count: 10_000)) }
            })
        },
        Route("broken", .get, "/v1/broken", on: both) { _ in
          .stream(
            StreamedAnswer(.text(""), contentLength: 10) { (writer: StreamWriter) in
              try await writer.write(Array("half".utf8))
              throw StreamWriter.StreamClosed()
            })
        },
        Route("exact", .get, "/v1/exact/{bytes}", on: both) { request in
          let bytes = Int(request.path("bytes")) ?? 0
          return .stream(
            StreamedAnswer(.text(""), contentLength: bytes) { (stream: OutgoingStream) in
              stream.write(ByteBuffer(repeating: 120, count: bytes))
              stream.finish()
            })
        },
        Route("events", .get, "/v1/events", on: both) { _ in
          .stream(
            StreamedAnswer(.text("", contentType: "text/event-stream")) { (stream: OutgoingStream) in
              stream.write(ByteBuffer(string: "first"))
            })
        },
        Route("restore", .post, "/v1/restore", on: both, content: database, streamedBytesMax: 4 << 20) { _, body async throws(Problem) in
          var (bytes, pieces) = (0, 0)
          while let piece = try await body.next() {
            bytes += piece.count
            pieces += 1
          }
          return .json(["bytes": .integer(Int64(bytes)), "in_pieces": .bool(pieces > 1)])
        },
        Route("refuse", .post, "/v1/restore/refused", on: both, content: database, streamedBytesMax: 4 << 20) {
          _, body async throws(Problem) in
          _ = try await body.next()
          throw Problem(status: 422, code: "BACKUP_REFUSED", detail: "This is no backup.")
        },
        Route("snapshot", .get, "/v1/snapshot", on: both) { request in .now(.json(["snapshot": .string(request.snapshot)])) },
        Route("whoami", .get, "/v1/whoami", on: both) { request in
          let peer = request.peer.credentials
          return .now(.json(["uid": .integer(Int64(peer?.uid ?? 9)), "pid": .integer(Int64(peer?.pid ?? 0))]))
        },
        Route("thread", .post, "/v1/thread", on: both, content: json) { request in
          .now(.json(["on_loop": .bool(request.eventLoop.inEventLoop)]))
        },
        Route("gate", .post, "/v1/gate", on: both, content: json) { request in
          gate.pass()
          return .now(.json(["on_loop": .bool(request.eventLoop.inEventLoop)]))
        },
        Route("held", .post, "/v1/held", on: both, content: json) { request in
          // Blocks the thread, without computing, for the requested number of milliseconds.
          let milliseconds = Int32(String(decoding: request.body.drop { $0 == UInt8(ascii: " ") }, as: UTF8.self)) ?? 0
          poll(nil, 0, milliseconds)
          return .now(.json(["on_loop": .bool(request.eventLoop.inEventLoop)]))
        },
        Route("long", .get, "/v1/long/{microseconds}", on: both) { request in
          // Moves the event loop's time by the requested number of microseconds.
          (request.eventLoop as? EmbeddedEventLoop)?.advanceTime(by: .microseconds(Int64(request.path("microseconds")) ?? 0))
          return .now(.json(["long": .bool(true)]))
        },
        Route("endless", .get, "/v1/endless", on: both) { _ in
          .stream(
            StreamedAnswer(.text("")) { (writer: StreamWriter) in
              held.count(1)
              defer { held.count(-1) }
              while true { try await writer.write([UInt8](repeating: 46, count: 256 << 10)) }
            })
        },
        Route("waiting", .get, "/v1/waiting", on: both) { _ in
          .task { () async throws(Problem) in
            held.count(1)
            defer { held.count(-1) }
            // The stream never has an element, so only a cancellation ends this loop.
            let (nothing, source) = AsyncStream<Int>.makeStream()
            for await _ in nothing {}
            source.finish()
            return .json([:])
          }
        },
        Route("health", .get, "/health/live", on: [.games, .admin, .metrics]) { _ in .now(.json(["status": "live"])) },
      ])
  }

  static func ready(_ names: [String], revision: UInt64 = 7) -> ReadyAnswers {
    ReadyAnswers([
      PrecomputedAnswerGroup(revision: revision, names.map { ReadyAnswer(target: "/v1/hello/\($0)", answer: helloAnswer($0), route: 0) })
    ])
  }
}

/// A server on real sockets in a temporary folder.
struct RunningServer {
  let folder: TemporaryFolder
  let fixture: Fixture
  let server: HTTPServer<Greeter>

  var games: String { folder.path + "/games.sock" }
  var admin: String { folder.path + "/admin.sock" }

  /// Runs the body with a server, and drains the server at the end.
  static func run(
    limits: ServerLimits = ServerLimits(), loops: Int = 1, ready: ReadyAnswers = ReadyAnswers(),
    policy: @escaping PeerPolicy<Greeter> = { _, _ in .role(()) }, _ body: (RunningServer) async throws -> Void
  ) async throws {
    let running = try await RunningServer(limits, loops, ready, policy)
    do {
      try await body(running)
    } catch {
      await running.server.drain(withinSeconds: 0)
      throw error
    }
    await running.server.drain(withinSeconds: 0)
  }

  private init(_ limits: ServerLimits, _ loops: Int, _ ready: ReadyAnswers, _ policy: @escaping PeerPolicy<Greeter>) async throws {
    // On a busy machine a client may not run for half a minute. Timeouts have their own tests with a clock moved by hand.
    var limits = limits
    (limits.headerTimeoutSeconds, limits.bodyTimeoutSeconds) = (600, 600)
    (limits.idleTimeoutSeconds, limits.writeTimeoutSeconds) = (600, 600)
    folder = try TemporaryFolder()
    fixture = try Fixture()
    let listeners = [
      try Listener.bind(folder.path + "/games.sock", mode: 0o666, as: .games),
      try Listener.bind(folder.path + "/admin.sock", mode: 0o666, as: .admin),
    ]
    server = try await HTTPServer.start(
      listeners, router: fixture.router, state: LoopState(ready: ready, snapshot: "first"), limits: limits, loops: loops, policy: policy)
  }

  func client() throws -> RawClient { try RawClient(games) }
}

extension ServerLimits {
  /// Limits for a server that waits for a reader on a busy machine.
  static var longTimeouts: ServerLimits {
    var limits = ServerLimits()
    limits.writeTimeoutSeconds = 600
    return limits
  }
}
