// Endpoints, a router and a server for the tests.

import GameConfAPI
import GameConfCore
import Glibc
import NIOCore
import Synchronization

@testable import GameConfHTTP

/// Calls that show every way of answering.
enum Calls {
  static let both: Set<SocketKind> = [.games, .admin]
  static let hello = Endpoint(
    "hello", .get, "/v1/hello/{name}", on: both, query: [Endpoint.QueryParameter("loud", ""), Endpoint.QueryParameter("keys", "")],
    summary: "")
  static let setHello = Endpoint("setHello", .put, "/v1/hello/{name}", on: [.admin], request: .json(schema: "x"), summary: "")
  static let echo = Endpoint("echo", .post, "/v1/echo", on: both, request: .json(schema: "x"), summary: "")
  static let later = Endpoint("later", .get, "/v1/later/{n}", on: both, summary: "")
  static let task = Endpoint("task", .get, "/v1/task/{n}", on: both, summary: "")
  static let big = Endpoint("big", .get, "/v1/big/{bytes}", on: both, summary: "")
  static let remove = Endpoint("remove", .delete, "/v1/hello/{name}", on: both, summary: "")
  static let produce = Endpoint("produce", .get, "/v1/stream/{pieces}", on: both, summary: "")
  static let broken = Endpoint("broken", .get, "/v1/broken", on: both, summary: "")
  static let exact = Endpoint("exact", .get, "/v1/exact/{bytes}", on: both, summary: "")
  static let restore = Endpoint("restore", .post, "/v1/restore", on: both, request: .bytes(mediaType: "application/x-db"), summary: "")
  static let refuse = Endpoint(
    "refuse", .post, "/v1/restore/refused", on: both, request: .bytes(mediaType: "application/x-db"), summary: "")
  static let snapshot = Endpoint("snapshot", .get, "/v1/snapshot", on: both, summary: "")
  static let whoami = Endpoint("whoami", .get, "/v1/whoami", on: both, summary: "")
  static let health = Endpoint("health", .get, "/health/live", on: [.games, .admin, .metrics], summary: "")
  static let events = Endpoint("events", .get, "/v1/events", on: both, summary: "")
  static let all = [
    hello, setHello, echo, later, task, big, remove, produce, broken, exact, restore, refuse, snapshot, whoami, health, events,
  ]
}

/// Answers that wait until the test lets them go.
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

  var names: Set<String> { held.withLock { Set($0.keys) } }
}

/// The tests' router, and what its handlers share.
struct Fixture: Sendable {
  let held = HeldAnswers()
  let router: Router

  static func helloAnswer(_ name: String) -> Answer { .json(["hello": .string(name)], revision: 7) }

  init() throws {
    let held = held
    router = try Router(
      Calls.all,
      [
        Route("hello") { request throws(Problem) in
          let name = request.path("name")
          return .now(try request.flag("loud") ? .json(["HELLO": .string(name)]) : Fixture.helloAnswer(name))
        },
        Route("setHello") { request throws(Problem) in .now(.created(try request.json(), location: "/v1/hello/\(request.path("name"))")) },
        Route("echo") { request throws(Problem) in .now(.json(try request.json())) },
        Route("later") { request in .later(held.hold(request.path("n"), request.eventLoop)) },
        Route("task") { request in
          let n = request.path("n")
          return .task { () async throws(Problem) in
            if n == "bad" { throw Problem(.outOfRange, "Not that one.", retryAfterSeconds: 3) }
            return .json(["n": .string(n)])
          }
        },
        Route("big") { request in
          .now(Answer(contentType: "application/octet-stream", body: [UInt8](repeating: 120, count: Int(request.path("bytes")) ?? 0)))
        },
        Route("remove") { _ in .now(.noContent(revision: 8)) },
        Route("produce") { request in
          let pieces = Int(request.path("pieces")) ?? 0
          return .stream(
            StreamedAnswer(.text("", contentType: "text/event-stream")) { (writer: StreamWriter) in
              for piece in 0..<pieces { try await writer.write(Array("piece \(piece);".utf8) + [UInt8](repeating: 46, count: 10_000)) }
            })
        },
        Route("broken") { _ in
          .stream(
            StreamedAnswer(.text(""), contentLength: 10) { (writer: StreamWriter) in
              try await writer.write(Array("half".utf8))
              throw StreamWriter.Ended()
            })
        },
        Route("exact") { request in
          let bytes = Int(request.path("bytes")) ?? 0
          return .stream(
            StreamedAnswer(.text(""), contentLength: bytes) { (stream: OutgoingStream) in
              stream.write(ByteBuffer(repeating: 120, count: bytes))
              stream.finish()
            })
        },
        Route("events") { _ in
          .stream(
            StreamedAnswer(.text("", contentType: "text/event-stream")) { (stream: OutgoingStream) in
              stream.write(ByteBuffer(string: "first"))
            })
        },
        Route("restore", streamedBytesMax: 4 << 20) { _, body async throws(Problem) in
          var (bytes, pieces) = (0, 0)
          while let piece = try await body.next() {
            bytes += piece.count
            pieces += 1
          }
          return .json(["bytes": .integer(Int64(bytes)), "in_pieces": .bool(pieces > 1)])
        },
        Route("refuse", streamedBytesMax: 4 << 20) { _, body async throws(Problem) in
          _ = try await body.next()
          throw Problem(.backupRefused, "This is no backup.")
        },
        Route("snapshot") { request in .now(.json(["snapshot": .string(request.snapshot as? String ?? "?")])) },
        Route("whoami") { request in
          let peer = request.peer.credentials
          return .now(.json(["uid": .integer(Int64(peer?.uid ?? 9)), "pid": .integer(Int64(peer?.pid ?? 0))]))
        },
        Route("health") { _ in .now(.json(["status": "live"])) },
      ])
  }

  static func ready(_ names: [String], revision: UInt64 = 7) -> ReadyAnswers {
    ReadyAnswers([
      ReadyGroup(revision: revision, names.map { ReadyAnswer(target: "/v1/hello/\($0)", answer: helloAnswer($0), endpoint: 0) })
    ])
  }
}

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
  let path: String

  init() {
    var template = Array("/tmp/gameconf-http-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      guard let base = buffer.baseAddress, mkdtemp(base) != nil else { return "/tmp" }
      return String(cString: base)
    }
  }

  deinit {
    guard path != "/tmp", let folder = opendir(path) else { return }
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != "..", unlink("\(path)/\(name)") != 0 { rmdir("\(path)/\(name)") }
    }
    closedir(folder)
    rmdir(path)
  }
}

/// A server on real sockets in a folder of its own.
struct RunningServer {
  let folder = TemporaryFolder()
  let fixture: Fixture
  let server: HTTPServer

  var games: String { folder.path + "/games.sock" }
  var admin: String { folder.path + "/admin.sock" }

  /// Runs a body against a server and drains it, whatever happens.
  static func run(
    limits: ServerLimits = ServerLimits(), loops: Int = 1, ready: ReadyAnswers = ReadyAnswers(),
    policy: @escaping PeerPolicy = { _, _ in .role(()) }, _ body: (RunningServer) async throws -> Void
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

  private init(_ limits: ServerLimits, _ loops: Int, _ ready: ReadyAnswers, _ policy: @escaping PeerPolicy) async throws {
    // Among a thousand tests at once a client may wait for half a minute until it can go on; timeouts are tested on a clock of their own.
    var limits = limits
    (limits.headerTimeoutSeconds, limits.bodyTimeoutSeconds) = (600, 600)
    (limits.idleTimeoutSeconds, limits.writeTimeoutSeconds) = (600, 600)
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
