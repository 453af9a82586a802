// A daemon with recorded responses, and a function that runs a command line against it.

import GameConfAPI
import GameConfCore
import GameConfTransport
import Synchronization

@testable import gameconfctl

/// A daemon for tests that responds by method and target, and records every request.
final class RecordedDaemon: DaemonTransport {
  struct RecordedRequest: Sendable, Equatable {
    var call: String
    var body: Value?
    var headers: [String: String] = [:]
  }

  private let answers: Mutex<[String: [Response]]>
  private let failure: TransportError?
  let requests = Mutex<[RecordedRequest]>([])

  /// - Parameter later: The responses to repeated calls, from the second on.
  init(_ answers: [String: Response] = [:], later: [String: [Response]] = [:], failure: TransportError? = nil) {
    self.answers = Mutex(answers.mapValues { [$0] }.merging(later) { $0 + $1 })
    self.failure = failure
  }

  func send(_ request: OutgoingRequest) async throws(TransportError) -> Response {
    if let failure { throw failure }
    let call = "\(request.method.rawValue) \(request.target)"
    var body: Value?
    if case .bytes(let bytes, _) = request.body { body = try? JSONReader.value(from: bytes) }
    let headers = [String: String](request.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    requests.withLock { $0.append(RecordedRequest(call: call, body: body, headers: headers)) }
    let recorded = answers.withLock { answers -> Response? in
      guard let all = answers[call], let first = all.first else { return nil }
      if all.count > 1 { answers[call] = Array(all.dropFirst()) }
      return first
    }
    return recorded ?? .problem(Problem(.notFound, "nothing is recorded for \(call)"))
  }

  func open(_ request: OutgoingRequest) async throws(TransportError) -> StreamedResponse { throw failure ?? .connectionClosed }

  /// The recorded requests whose method is not GET.
  var changes: [RecordedRequest] { requests.withLock { $0.filter { !$0.call.hasPrefix("GET ") } } }

  var calls: [String] { requests.withLock { $0.map(\.call) } }
}

extension Response {
  static func json(_ shape: some WireShape, status: Int = 200, revision: Int? = nil) -> Response {
    let fields = revision.map { [ResponseHead.Field(name: "Gameconf-Revision", value: String($0))] } ?? []
    return Response(head: ResponseHead(status: status, fields: fields), body: JSONWriter.bytes(shape.wire))
  }

  static func problem(_ problem: Problem) -> Response {
    Response(head: ResponseHead(status: problem.status), body: JSONWriter.bytes(problem.wire))
  }

  static func noContent(revision: Int) -> Response {
    Response(head: ResponseHead(status: 204, fields: [.init(name: "Gameconf-Revision", value: String(revision))]), body: [])
  }
}

struct RunResult: Equatable {
  var status: Int32
  var out: String
  var err: String
}

/// Runs a command line of gameconfctl against recorded daemons, as in a pipe or on a terminal.
func run(
  _ arguments: String..., admin: RecordedDaemon = RecordedDaemon(), games: RecordedDaemon? = nil, isTerminal: Bool = false,
  answering answers: [String] = [], width: Int = 100, environment: [String: String] = [:], now: Instant = Instant(seconds: 0)
) async -> RunResult {
  await run(
    arguments, admin: admin, games: games, isTerminal: isTerminal, answering: answers, width: width, environment: environment, now: now)
}

/// Runs a command line of gameconfctl against recorded daemons, as in a pipe or on a terminal.
func run(
  _ arguments: [String], admin: RecordedDaemon = RecordedDaemon(), games: RecordedDaemon? = nil, isTerminal: Bool = false,
  answering answers: [String] = [], width: Int = 100, environment: [String: String] = [:], now: Instant = Instant(seconds: 0)
) async -> RunResult {
  let out = Captured()
  let err = Captured()
  let pending = Captured(answers)
  let screen = Screen(
    isTerminal: isTerminal, isAnswering: !answers.isEmpty, width: width, write: { out.append($0) }, writeError: { err.append($0) },
    answer: { question in
      err.append(question)
      return pending.take()
    }, clock: { now }, zone: .utc)
  var socketClients = [DaemonClient.SocketClient(kind: .admin, path: "/run/a", transport: admin)]
  if let games { socketClients.append(DaemonClient.SocketClient(kind: .games, path: "/run/g", transport: games)) }
  let console = Console(daemon: DaemonClient(socketClients: socketClients), screen: screen, environment: environment)
  let status = await Console.$current.withValue(console) { await GameConfCtl.run(arguments) }
  return RunResult(status: status, out: out.text, err: err.text)
}

private final class Captured: Sendable {
  private let pieces: Mutex<[String]>
  init(_ pieces: [String] = []) { self.pieces = Mutex(pieces) }
  func append(_ text: String) { pieces.withLock { $0.append(text) } }
  func take() -> String? { pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() } }
  var text: String { pieces.withLock { $0.joined() } }
}

extension OutputStyle {
  /// Returns the output style of a terminal with this number of columns.
  static func terminal(_ width: Int, isColored: Bool = false, isLong: Bool = false, now: Instant = Instant(seconds: 0)) -> OutputStyle {
    OutputStyle(isTerminal: true, width: width, isColored: isColored, isLong: isLong, now: now, zone: .utc)
  }

  static let pipe = OutputStyle(isTerminal: false, width: 80, now: Instant(seconds: 0))
}

/// Responses that several tests use.
enum Sample {
  static let author = WireAuthor(uid: 1000, name: "ada", pid: 7)

  static func value(
    _ key: String = "speed", _ value: Value = 2.5, type: String = "double", source: String = "default", section: String = "Tuning",
    unit: String? = nil, flag: String? = nil, isListed: Bool = false
  ) -> ValueAnswer {
    ValueAnswer(
      key: key, type: type, value: value, source: source, reason: "STATIC", revision: 7,
      declaration: isListed ? .init(unit: unit, section: section, description: "About \(key).", flag: flag) : nil)
  }

  static let config = ConfigAnswer(
    game: "g", revision: 7,
    values: .full([
      value("speed", 2.5, unit: "s", isListed: true),
      value("sound", true, type: "boolean", source: "override.game", section: "Flags", flag: "kill_switch", isListed: true),
      value("lives", 3, type: "integer", isListed: true),
    ]))

  static func override(_ key: String, _ value: Value, player: String? = nil, window: WireWindow? = nil) -> OverrideAnswer {
    OverrideAnswer(
      game: "g", revision: 8,
      override: WireOverride(key: key, player: player, value: value, window: window, author: author, at: Instant(seconds: 0), revision: 8)
    )
  }

  private static let parameters: Value = [
    [
      "key": "forest_at", "type": "integer", "default": 50, "section": "Themes", "description": "D",
      "range": ["min": 1, "max": 1000, "step": 5],
    ]
  ]
  private static let milestones: Value = [
    ["id": "forest", "count": "lifetime_score", "at": ["parameter": "forest_at"]], ["id": "ten", "count": "games_played", "at": 10],
  ]
  private static let themes: Value = [
    ["id": "neon", "unlock": "free"], ["id": "forest", "unlock": ["milestone": "forest"]],
    ["id": "ten", "unlock": ["milestone": "ten"]], ["id": "aurora", "unlock": ["entitlement": "theme.aurora"]],
  ]

  static let catalog = CatalogAnswer(
    document: ObjectValue([("game", "g"), ("parameters", parameters), ("milestones", milestones), ("themes", themes)]))
}
