// Paths, methods, sockets and queries to endpoints.

import GameConfAPI
import Testing

@testable import GameConfHTTP

@Suite("Router")
struct RouterTests {
  static func endpoint(
    _ id: String, _ method: GameConfAPI.Method, _ path: String, _ sockets: Set<SocketKind> = [.games, .admin], _ query: [String] = []
  ) -> Endpoint {
    Endpoint(id, method, path, on: sockets, query: query.map { Endpoint.QueryParameter($0, "") }, summary: "")
  }

  static let endpoints = [
    endpoint("games", .get, "/v1/games"),
    endpoint("config", .get, "/v1/games/{game}/config", [.games, .admin], ["player", "keys"]),
    endpoint("postConfig", .post, "/v1/games/{game}/config"),
    endpoint("value", .get, "/v1/games/{game}/config/{key}"),
    endpoint("explain", .get, "/v1/games/{game}/config/{key}/explain", [.admin]),
    endpoint("override", .put, "/v1/games/{game}/overrides/{key}", [.admin]),
    endpoint("clear", .post, "/v1/games/{game}/overrides/clear", [.admin]),
    endpoint("release", .post, "/v1/games/{game}/overrides/{key}/release", [.admin]),
    endpoint("player", .get, "/v1/games/{game}/players/{player}"),
    endpoint("metrics", .get, "/metrics", [.admin, .metrics]),
    endpoint("gamesOnly", .get, "/v1/visits", [.games]),
  ]

  static func match(_ line: String, on socket: SocketKind = .games) throws -> Result<RouteMatch, Problem> {
    let router = try Router(endpoints, endpoints.map { Route($0.id) { _ in .now(.noContent()) } })
    let bytes = Array("\(line) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    var parser = RequestParser(ServerLimits())
    _ = bytes.withUnsafeBytes { parser.next($0) }
    return router.match(HeadText(bytes: bytes, head: parser.head), on: socket)
  }

  static func refusal(_ line: String, on socket: SocketKind = .games) throws -> Problem? {
    if case .failure(let problem) = try match(line, on: socket) { problem } else { nil }
  }

  @Test(
    "a path leads to its endpoint, with its names decoded",
    arguments: [
      ("GET /v1/games", "games", [:]), ("HEAD /v1/games", "games", [:]), ("GET /v1/games?", "games", [:]),
      ("GET /v1/games/a/config", "config", ["game": "a"]), ("POST /v1/games/a/config", "postConfig", ["game": "a"]),
      ("GET /v1/games/a/config/k", "value", ["game": "a", "key": "k"]),
      ("GET /v1/%67ames/a%2Fb/config/%e2%82%AC", "value", ["game": "a/b", "key": "€"]),
      ("GET /v1/games/a/players/..", "player", ["game": "a", "player": ".."]),
      ("GET /v1/games/a/players/+", "player", ["game": "a", "player": "+"]),
      ("GET /v1/games/%3Cgame%3E/players/%25%2f%2F%00", "player", ["game": "<game>", "player": "%//\0"]),
      ("GET /v1/games/{game}/config/explain", "value", ["game": "{game}", "key": "explain"]),
      ("GET http://x/v1/games/a/players/p?", "player", ["game": "a", "player": "p"]),
    ])
  func leads(line: String, id: String, path: [String: String]) throws {
    let match = try Self.match(line).get()
    #expect(match.endpoint.id == id)
    #expect(match.values.count == path.count)
    for (name, value) in path { #expect(match.value(of: name) == value) }
    #expect(match.value(of: "other") == nil)
  }

  @Test("a fixed segment is preferred to a name, which is tried after it")
  func fixedFirst() throws {
    #expect(try Self.match("POST /v1/games/a/overrides/clear", on: .admin).get().endpoint.id == "clear")
    #expect(try Self.match("PUT /v1/games/a/overrides/clear", on: .admin).get().values == ["a", "clear"])
    #expect(try Self.match("POST /v1/games/a/overrides/clear/release", on: .admin).get().values == ["a", "clear"])
  }

  @Test(
    "what leads nowhere is refused by its own code",
    arguments: [
      ("GET /", ProblemCode.notFound), ("GET /v1/games/", .notFound), ("GET /v1/games//config", .notFound), ("GET //v1/games", .notFound),
      ("GET /V1/games", .notFound), ("GET /v1/games/a/config/k/more", .notFound),
      ("GET /v1/games/%zz/config", .malformedPath), ("GET /v1/games/%ff/config", .malformedPath), ("GET /v1/games/%4", .malformedPath),
      ("GET /%", .malformedPath), ("GET /v1/nothing/%c3", .malformedPath), ("GET /v1/games/%c3/%a9", .malformedPath),
      ("GET /v1%2Fgames", .notFound),
      ("GET /v1/games/%", .malformedPath), ("DELETE /v1/%ff", .malformedPath), ("BREW /v1/%ff", .notImplemented),
      ("DELETE /v1/games", .methodNotAllowed), ("OPTIONS /v1/games", .methodNotAllowed), ("BREW /v1/games", .notImplemented),
      ("GET /v1/games/a/config/k/explain", .adminOnly), ("PUT /v1/games/a/overrides/k", .adminOnly),
      ("DELETE /v1/games/a/overrides/k", .adminOnly), ("GET /metrics", .adminOnly),
      ("GET /v1/games?x=1", .unknownQueryParameter), ("GET /v1/games/a/config?Player=p", .unknownQueryParameter),
      ("GET /v1/games/a/config?player=", .malformedQueryParameter), ("GET /v1/games/a/config?player", .malformedQueryParameter),
      ("GET /v1/games/a/config?player=a&player=b", .malformedQueryParameter),
      ("GET /v1/games/a/config?player=%f", .malformedQueryParameter),
      ("GET /v1/games/a/config?player=a&", .malformedQueryParameter), ("GET /v1/games/a/config?=a", .malformedQueryParameter),
      ("GET /v1/games/a/config?%ff=a", .malformedQueryParameter),
    ])
  func refuses(line: String, code: ProblemCode) throws {
    let problem = try #require(try Self.refusal(line))
    #expect(problem.code == code)
  }

  @Test("a query is decoded, and a plus stays one")
  func query() throws {
    let match = try Self.match("GET /v1/games/a/config?player=a%20b+c%26&keys=x,y=z").get()
    #expect(match.query == ["player": "a b+c&", "keys": "x,y=z"])
  }

  @Test("an unknown query parameter is named, and what is admitted too")
  func unknownQuery() throws {
    let problem = try #require(try Self.refusal("GET /v1/games/a/config?plyer=x"))
    #expect(problem.detail.contains("plyer") && problem.detail.contains("keys, player"))
  }

  @Test("a 405 names the methods of this socket in Allow")
  func allow() throws {
    let problem = try #require(try Self.refusal("PATCH /v1/games/a/config"))
    #expect(problem.answer.fields == [Answer.Field("Allow", "GET, HEAD, POST")])
    #expect(problem.answer.status == 405)
  }

  @Test("a call of another socket names that socket")
  func otherSocket() throws {
    let problem = try #require(try Self.refusal("PUT /v1/games/a/overrides/k"))
    #expect(problem.status == 403 && problem.detail.contains("admin socket"))
    let other = try #require(try Self.refusal("GET /v1/visits", on: .admin))
    #expect(other.code == .notPermitted && other.detail.contains("games socket"))
  }

  @Test("a router that contradicts itself is not built")
  func faults() {
    let one = Self.endpoint("one", .get, "/a/{x}")
    let same = Self.endpoint("same", .get, "/a/{y}")
    func route(_ id: String) -> Route { Route(id) { _ in .now(.noContent()) } }
    #expect(throws: RouterFault.samePath("one", "same")) { try Router([one, same], [route("one"), route("same")]) }
    #expect(throws: RouterFault.unknownEndpoint("two")) { try Router([one], [route("one"), route("two")]) }
    #expect(throws: RouterFault.repeatedEndpoint("one")) { try Router([one], [route("one"), route("one")]) }
    #expect(throws: RouterFault.repeatedEndpoint("one")) { try Router([one, one], [route("one")]) }
  }
}
