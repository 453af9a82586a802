// Decides about requests to the panel without I/O: responds itself, or forwards them to the daemon.

import GameConfAPI
import GameConfCore

/// Decides about a request to the panel by its head.
struct PanelGate: Sendable {
  /// The maximum size of a request's body in bytes.
  static let bodyBytesMax = 1 << 20
  private static let codeBytesMax = 1 << 10

  enum PanelDecision: Equatable {
    /// The panel sends this whole response itself.
    case answer(PanelAnswer)
    /// The panel sends a file of its page. These files are not secret, so no token is needed.
    case file(path: String)
    /// The body contains a one-time code, which the panel exchanges for its token.
    case exchange(bodyBytes: Int)
    case call(PanelCall)
    /// The panel streams the changes of a game and of the daemon. If a player is named, it streams the game as the player sees it.
    case stream(game: String, player: String?)
    /// The panel streams the live requests about a game. If a player is named, it streams only those about the player.
    case live(game: String, player: String?)
    /// A page reports that it is still open, so that the panel does not end.
    case present
    /// The panel sends the user who runs it, and the calls for which that user lacks a role.
    case caller
    /// The panel sends the state of the bridge for phones, as soon as the state's number differs from `after`.
    case phone(after: Int64)
    /// The body contains an order for the bridge for phones: to start, to open a pairing code, to remove a device, or to stop.
    case orderPhone(bodyBytes: Int)
  }

  let token: String
  /// The only accepted value of the `Host` field, such as `127.0.0.1:8014`.
  let host: String

  /// The names of the request headers that are forwarded to the daemon.
  private static let passed: Set<String> = ["if-match", "idempotency-key"]

  /// Decides about a request by its head, which is passed without the empty line at its end.
  func judge(_ text: String) -> PanelDecision {
    let head: LoopbackHead
    do throws(Fault) { head = try LoopbackHead(text) } catch { return Self.refusal(400, "Bad Request", error.message) }
    guard head.isFor([host]) else { return Self.refusal(421, "Misdirected Request", "Host must be \(host).") }
    let origins = head.values("origin")
    guard !head.isOfAnotherOrigin, origins.allSatisfy({ $0 == "http://\(host)" }) else {
      return Self.refusal(403, "Forbidden", "Requests from a page of another site or port are refused.")
    }
    guard let method = Method(rawValue: head.method) else {
      return Self.refusal(405, "Method Not Allowed", "The panel does not accept this method.")
    }
    // The panel registers no service worker, so a request for a service worker's script is not from the panel's page.
    guard head.values("service-worker").isEmpty else { return Self.refusal(403, "Forbidden", "The panel has no service worker.") }
    let path = String(head.target.prefix { $0 != "?" })
    if method == .get, !path.hasPrefix("/v1/"), !path.hasPrefix("/panel/") { return .file(path: String(path.dropFirst())) }
    // A form of another page cannot send JSON without a CORS preflight.
    if method != .get, head.values("content-type").contains(where: { $0 != "application/json" }) {
      return Self.refusal(415, "Unsupported Media Type", "Bodies are application/json.")
    }
    guard let bodyBytes = head.bodyBytes(atMost: Self.bodyBytesMax) else {
      return Self.refusal(413, "Content Too Large", "A body needs a Content-Length of at most \(Self.bodyBytesMax) bytes.")
    }
    if method == .post, head.target == "/panel/token" {
      return bodyBytes > Self.codeBytesMax ? Self.refusal(413, "Content Too Large", "A code is short.") : .exchange(bodyBytes: bodyBytes)
    }
    guard isProven(head) else {
      return Self.refusal(401, "Unauthorized", "The token is missing or of another program; open the panel again.")
    }
    switch (method, path) {
    case (.get, "/panel/stream"): return stream(head.target)
    case (.get, "/panel/live"):
      if case .stream(let game, let player) = stream(head.target) { return .live(game: game, player: player) }
      return stream(head.target)
    case (.post, "/panel/present"): return .present
    case (.get, "/panel/caller"): return .caller
    case (.get, "/panel/phone"): return .phone(after: Int64(head.target.drop { $0 != "=" }.dropFirst()) ?? -1)
    case (.post, "/panel/phone"): return .orderPhone(bodyBytes: bodyBytes)
    default: break
    }
    guard let endpoint = PanelCalls.endpoint(method, head.target) else {
      return Self.refusal(404, "Not Found", "The panel does not serve this call.")
    }
    return .call(
      PanelCall(
        endpoint: endpoint, target: head.target,
        headers: head.fields.filter { Self.passed.contains($0.name) }.map { PanelCall.Header(name: $0.name, value: $0.value) },
        bodyBytes: bodyBytes))
  }

  private func isProven(_ head: LoopbackHead) -> Bool {
    let given = head.values("authorization")
    return given.count == 1 && BridgeGate.areSame(given[0], "Bearer " + token)
  }

  private func stream(_ target: String) -> PanelDecision {
    var given: [String: String] = [:]
    for part in target.drop(while: { $0 != "?" }).dropFirst().split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard pair.count == 2, let value = PercentEncoding.decode(pair[1].utf8) else {
        return Self.refusal(400, "Bad Request", "The query is malformed.")
      }
      given[String(pair[0])] = value
    }
    guard let game = given["game"], !game.isEmpty else { return Self.refusal(400, "Bad Request", "The stream needs a game: ?game=ID.") }
    return .stream(game: game, player: given["player"].flatMap { $0.isEmpty ? nil : $0 })
  }

  private static func refusal(_ status: Int, _ title: String, _ detail: String) -> PanelDecision {
    .answer(.problem(status, title, detail))
  }
}

/// A call to the daemon that the panel's page makes.
struct PanelCall: Equatable, Sendable {
  struct Header: Equatable, Sendable {
    var name: String
    var value: String
  }

  var endpoint: Endpoint
  var target: String
  var headers: [Header]
  var bodyBytes: Int
}
