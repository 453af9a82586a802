// Routing by path, method, socket and query.

import GameConfCore
import Testing

@testable import GameConfServer

@Suite("Router")
struct RouterTests {
  static func route(
    _ id: String, _ method: RequestHead.Method, _ path: String, _ sockets: [ServerSocket] = [.games, .admin], _ query: Set<String> = []
  ) -> Route<Greeter> {
    Route<Greeter>(id, method, path, on: sockets, query: query) { (_) throws(Problem) in .now(.noContent()) }
  }

  static let routes = [
    route("games", .get, "/v1/games"),
    route("config", .get, "/v1/games/{game}/config", [.games, .admin], ["player", "keys"]),
    route("postConfig", .post, "/v1/games/{game}/config"),
    route("value", .get, "/v1/games/{game}/config/{key}"),
    route("explain", .get, "/v1/games/{game}/config/{key}/explain", [.admin]),
    route("override", .put, "/v1/games/{game}/overrides/{key}", [.admin]),
    route("clear", .post, "/v1/games/{game}/overrides/clear", [.admin]),
    route("release", .post, "/v1/games/{game}/overrides/{key}/release", [.admin]),
    route("player", .get, "/v1/games/{game}/players/{player}"),
    route("metrics", .get, "/metrics", [.admin, .metrics]),
    route("gamesOnly", .get, "/v1/visits", [.games]),
  ]

  static func find(_ line: String, in routes: [Route<Greeter>] = routes, on socket: ServerSocket = .games) throws -> RouteLookup<Greeter> {
    try Router(routes).match(head(line), on: socket)
  }

  static func head(_ line: String) -> RequestHeadBytes {
    let bytes = Array("\(line) HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
    var parser = RequestParser(ServerLimits())
    _ = bytes.withUnsafeBytes { parser.next($0) }
    return RequestHeadBytes(bytes: bytes, head: parser.head)
  }

  static func match(_ line: String, on socket: ServerSocket = .games) throws -> RouteMatch<Greeter> {
    switch try find(line, on: socket) {
    case .found(let match): return match
    case .refused(let fault, _): throw fault
    }
  }

  static func refusal(_ line: String, on socket: ServerSocket = .games) throws -> ServerFault? {
    if case .refused(let fault, _) = try find(line, on: socket) { fault } else { nil }
  }

  @Test(
    "a path without a route is refused in the style of the routes below the same prefix",
    arguments: [("GET /v1/visits/none", true), ("DELETE /v1/visits/a/b?c=d", true), ("GET /v1/visit", false), ("GET /v1/nothing", false)])
  func stray(line: String, isStyled: Bool) throws {
    var styled = Self.route("styled", .get, "/v1/visits/{visit}/all")
    styled.refusing = { _, _ in Answer(status: 400, contentType: "text/plain", body: []) }
    styled.refusingBelow = "/v1/visits/"
    guard case .refused(let fault, let style) = try Self.find(line, in: Self.routes + [styled]) else {
      Issue.record("\(line) has a route")
      return
    }
    #expect(fault.code == .notFound && (style != nil) == isStyled)
  }

  @Test(
    "a path is routed to its endpoint, and the values of its variables are percent-decoded",
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
    let match = try Self.match(line)
    #expect(match.route.id == id)
    #expect(match.path.values.count == path.count)
    for (name, value) in path { #expect(match.path[name] == value) }
    #expect(match.path["other"] == nil)
  }

  @Test("the router prefers a fixed segment, and uses a variable one if the rest of the path does not match")
  func fixedFirst() throws {
    #expect(try Self.match("POST /v1/games/a/overrides/clear", on: .admin).route.id == "clear")
    let other = try #require(try Self.refusal("PUT /v1/games/a/overrides/clear", on: .admin))
    #expect(other.code == .methodNotAllowed && other.allowed == ["POST"])
    #expect(try Self.match("POST /v1/games/a/overrides/clear/release", on: .admin).path.values == ["a", "clear"])
  }

  @Test(
    "a request without a route is refused with the code of the reason",
    arguments: [
      ("GET /", ProblemCode.notFound), ("GET /v1/games/", .notFound), ("GET /v1/games//config", .notFound),
      ("GET //v1/games", .notFound),
      ("GET /V1/games", .notFound), ("GET /v1/games/a/config/k/more", .notFound),
      ("GET /v1/games/%zz/config", .malformedPath), ("GET /v1/games/%ff/config", .malformedPath), ("GET /v1/games/%4", .malformedPath),
      ("GET /%", .malformedPath), ("GET /v1/nothing/%c3", .malformedPath), ("GET /v1/games/%c3/%a9", .malformedPath),
      ("GET /v1%2Fgames", .notFound),
      ("GET /v1/games/%", .malformedPath), ("DELETE /v1/%ff", .malformedPath), ("BREW /v1/%ff", .notImplemented),
      ("DELETE /v1/games", .methodNotAllowed), ("OPTIONS /v1/games", .methodNotAllowed), ("BREW /v1/games", .notImplemented),
      ("GET /v1/games/a/overrides/k", .notFound), ("POST /v1/games/a/overrides/k", .notFound),
      ("GET /v1/games/a/config/k/explain", .notPermitted), ("PUT /v1/games/a/overrides/k", .notPermitted),
      ("DELETE /v1/games/a/overrides/k", .notFound), ("GET /metrics", .notPermitted),
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

  @Test("a query is percent-decoded, and a plus stays a plus")
  func query() throws {
    let match = try Self.match("GET /v1/games/a/config?player=a%20b+c%26&keys=x,y=z")
    #expect(match.query == ["player": "a b+c&", "keys": "x,y=z"])
  }

  @Test("the refusal of an unknown query parameter names it and the known ones")
  func unknownQuery() throws {
    let problem = try #require(try Self.refusal("GET /v1/games/a/config?plyer=x"))
    #expect(problem.detail.contains("plyer") && problem.detail.contains("keys, player"))
  }

  @Test("the Allow header of a 405 has only the methods that the path has on the client's socket")
  func allow() throws {
    let problem = try #require(try Self.refusal("PATCH /v1/games/a/config"))
    #expect(problem.allowed == ["GET", "HEAD", "POST"] && problem.status == 405)
  }

  @Test("a call that only another socket answers is refused with that socket's name")
  func otherSocket() throws {
    let problem = try #require(try Self.refusal("PUT /v1/games/a/overrides/k"))
    #expect(problem.status == 403 && problem.detail.contains("admin socket"))
    let other = try #require(try Self.refusal("GET /v1/visits", on: .admin))
    #expect(other.code == .notPermitted && other.detail.contains("games socket"))
  }

  @Test("a router with conflicting routes is not built")
  func faults() {
    let one = Self.route("one", .get, "/a/{x}")
    let same = Self.route("same", .get, "/a/{y}")
    #expect(throws: RouterFault.samePath("one", "same")) { try Router([one, same]) }
    #expect(throws: RouterFault.repeatedRoute("one")) { try Router([one, one]) }
    #expect(throws: RouterFault.restIsNotLast("rest")) { try Router([Self.route("rest", .get, "/a/{x...}/b")]) }
  }

  @Test(
    "the router tries a rest variable last, and its value is the whole decoded rest of the path",
    arguments: [
      ("GET /v1/flags/a", "rest", "a"), ("GET /v1/flags/a/b", "rest", "a/b"), ("GET /v1/flags/a%2Fb/c%20d", "rest", "a/b/c d"),
      ("GET /v1/flags/a//", "rest", "a//"), ("GET /v1/flags/fixed", "fixed", nil), ("GET /v1/flags/fixed/more", "rest", "fixed/more"),
    ])
  func rest(line: String, id: String, value: String?) throws {
    let routes = [Self.route("rest", .get, "/v1/flags/{key...}"), Self.route("fixed", .get, "/v1/flags/fixed")]
    guard case .found(let match) = try Self.find(line, in: routes) else {
      Issue.record("not found")
      return
    }
    #expect(match.route.id == id && match.path["key"] == value)
    for line in ["GET /v1/flags", "GET /v1/flags/"] {
      guard case .refused(let fault, _) = try Self.find(line, in: routes) else {
        Issue.record("found")
        continue
      }
      #expect(fault.code == .notFound)
    }
    guard case .refused(let fault, _) = try Self.find("POST /v1/flags/a/b", in: routes) else { return }
    #expect(fault.code == .methodNotAllowed)
  }

  @Test("a route's own refusal style is used for a 405, an unknown parameter and a wrong socket, with the path's values")
  func style() throws {
    var styled = Self.route("styled", .get, "/v1/s/{key}", [.games])
    styled.refusing = { problem, path in .text("\(path["key"] ?? "-"): \(problem.code)", status: problem.status) }
    for (line, socket, text) in [
      ("POST /v1/s/k", ServerSocket.games, "k: METHOD_NOT_ALLOWED"), ("GET /v1/s/k?x=1", .games, "k: UNKNOWN_QUERY_PARAMETER"),
      ("GET /v1/s/k", .admin, "k: NOT_PERMITTED"),
    ] {
      guard case .refused(let fault, let style?) = try Self.find(line, in: [styled], on: socket) else {
        Issue.record("no style: \(line)")
        continue
      }
      #expect(String(decoding: style.answer(Problem(fault)).body, as: UTF8.self) == text)
    }
  }

  @Test(
    "a request that is refused before it is routed gets the refusal style of its path, even if path or method is invalid",
    arguments: [
      ("GET /v1/s/k", "k"), ("GET /v1/s/k?x=1", "k"), ("POST /v1/s/k", "k"), ("GET /v1/s/%zz", "-"), ("BREW /v1/s/k", "-"),
      ("GET /v1/s/k/none", "-"), ("GET /v1/s", nil), ("GET /v1/%zz", nil),
    ])
  func early(line: String, text: String?) throws {
    var styled = Self.route("styled", .get, "/v1/s/{key}", [.games])
    styled.refusing = { problem, path in .text(path["key"] ?? "-", status: problem.status) }
    styled.refusingBelow = "/v1/s/"
    let style = try Router([styled]).style(of: Self.head(line), on: .games)
    #expect(style.map { String(decoding: $0.answer(Problem(ServerFault(.notFound, ""))).body, as: UTF8.self) } == text)
  }

  @Test("a route that ignores unknown query parameters still refuses an empty known one")
  func unknownIgnored() throws {
    var lenient = Self.route("lenient", .get, "/a", [.games], ["known"])
    lenient.ignoresUnknownQuery = true
    guard case .found(let match) = try Self.find("GET /a?x=&known=1&x", in: [lenient]) else {
      Issue.record("refused")
      return
    }
    #expect(match.query == ["known": "1"])
    guard case .refused(let fault, _) = try Self.find("GET /a?known=", in: [lenient]) else { return }
    #expect(fault.code == .malformedQueryParameter)
  }
}
