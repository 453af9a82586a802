// The requests that the bridge admits, and the request heads that it forwards, without I/O.

import GameConfCore

/// Decides about a request by its head (request line and header fields), and rewrites the head for the daemon.
struct BridgeGate: Sendable {
  enum BridgeDecision: Equatable {
    /// Forwards this head to the daemon. `fields` are header fields for browsers (CORS) that are added to the response.
    case pass(head: String, fields: String)
    /// The bridge sends this whole response itself, without the daemon.
    case answer(String)
    /// The bridge responds itself, once a body of `bodyBytes` bytes has arrived. `fields` are header fields for browsers (CORS).
    case stub(InstallationStub, bodyBytes: Int, fields: String)
  }

  let token: String
  let port: Int
  /// The web origins from which browsers may send requests.
  let origins: Set<String>
  /// The API keys by which RevenueCat's clients are recognized and assigned to games.
  var revenueCat = RevenueCatKeys()

  /// Decides about a request by its head, which is passed without the empty line at its end.
  func judge(_ head: String) -> BridgeDecision {
    let request: LoopbackHead
    do throws(Fault) {
      request = try LoopbackHead(head)
    } catch {
      return Self.refusal(400, "Bad Request", error.message)
    }
    guard request.isFor(["127.0.0.1:\(port)", "localhost:\(port)"]) else {
      return Self.refusal(421, "Misdirected Request", "Host must be 127.0.0.1:\(port) or localhost:\(port).")
    }
    var cors = ""
    if let origin = request.values("origin").first {
      guard origins.contains(origin) else {
        return Self.refusal(403, "Forbidden", "Requests from this origin are refused. Allow it with gameconfctl bridge --origin.")
      }
      cors = "Access-Control-Allow-Origin: \(origin)\r\nVary: Origin\r\nAccess-Control-Expose-Headers: *\r\n"
      if request.method == "OPTIONS" { return .answer(Self.preflight(cors)) }
    } else if request.isOfAnotherOrigin {
      return Self.refusal(403, "Forbidden", "Requests from a page of another site or port are refused.")
    }
    var target = request.target
    // A RevenueCat key identifies its client's protocol and game without the bridge's token, so the key is examined first.
    if let answer = revenueCat.answer(to: request, cors) { return .answer(answer) }
    if let game = revenueCat.game(of: request) {
      let prefix = "/t/\(token)/"
      if Self.areSame(String(target.prefix(prefix.utf8.count)), prefix) { target = "/" + target.dropFirst(prefix.utf8.count) }
      return .pass(head: Self.head(of: request, target: RevenueCatKeys.target(target, of: game), prefix: "/t/\(token)"), fields: cors)
    }
    guard takeToken(from: &target, request.fields) else {
      if let refusal = revenueCat.refusal(of: request, cors) { return .answer(refusal) }
      return Self.refusal(
        401, "Unauthorized", "The bridge's token is missing or wrong. Send the one that gameconfctl bridge printed.", cors)
    }
    if let stub = InstallationStub(method: request.method, target: target) {
      guard let length = request.bodyBytes(atMost: InstallationStub.bodyBytesMax) else {
        return Self.refusal(
          413, "Content Too Large", "The body of an installation has at most \(InstallationStub.bodyBytesMax) bytes.", cors)
      }
      return .stub(stub, bodyBytes: length, fields: cors)
    }
    return .pass(head: Self.head(of: request, target: target, prefix: "/t/\(token)"), fields: cors)
  }

  /// Returns the head that is sent to the daemon, without the header fields that only the bridge needs.
  /// - Parameter prefix: The path prefix with which the client reaches the bridge, such as `/t/TOKEN`.
  static func head(of request: LoopbackHead, target: String, prefix: String) -> String {
    let stripped: Set = [
      "host", "origin", "authorization", "x-api-key", "x-goog-api-key", "connection", "keep-alive", "referer", "cookie",
      "x-forwarded-prefix",
    ]
    // The daemon writes this prefix into the paths that it returns, so that they lead through the bridge again. A browser's EventSource
    // cannot send the token in a header.
    var head = "\(request.method) \(target) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nX-Forwarded-Prefix: \(prefix)\r\n"
    for field in request.fields where !stripped.contains(field.name) && !field.name.hasPrefix("sec-") {
      head += "\(field.name): \(field.value)\r\n"
    }
    return head + "\r\n"
  }

  /// Removes the bridge's token from the target if it is there. Returns false if neither the target nor the header fields contain the
  /// token.
  private func takeToken(from target: inout String, _ fields: [LoopbackHead.HeaderField]) -> Bool {
    let prefix = "/t/\(token)/"
    if target.hasPrefix("/t/") {
      guard Self.areSame(String(target.prefix(prefix.utf8.count)), prefix) else { return false }
      target = "/" + target.dropFirst(prefix.utf8.count)
      return true
    }
    for field in fields {
      switch field.name {
      case "authorization":
        if field.value.lowercased().hasPrefix("bearer "), Self.areSame(String(field.value.dropFirst(7)).trimmed, token) { return true }
      case "x-api-key", "x-goog-api-key": if Self.areSame(field.value, token) { return true }
      default: break
      }
    }
    guard let mark = target.firstIndex(of: "?") else { return false }
    let parts = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: false)
    let rest = parts.filter { !Self.areSame(String($0), "key=\(token)") }
    guard rest.count < parts.count else { return false }
    target = target[..<mark] + (rest.isEmpty ? "" : "?" + rest.joined(separator: "&"))
    return true
  }

  /// Compares two texts in constant time, so that the duration does not reveal to an attacker where they differ.
  static func areSame(_ left: String, _ right: String) -> Bool {
    let (one, other) = (Array(left.utf8), Array(right.utf8))
    var difference = one.count ^ other.count
    for at in other.indices { difference |= Int(at < one.count ? one[at] ^ other[at] : 1) }
    return difference == 0
  }

  private static func preflight(_ cors: String) -> String {
    "HTTP/1.1 204 No Content\r\n" + cors + "Access-Control-Allow-Methods: GET, HEAD, POST, PUT, PATCH, DELETE\r\n"
      + "Access-Control-Allow-Headers: *, Authorization, Content-Type, Last-Event-ID, If-None-Match\r\nAccess-Control-Max-Age: 600\r\n"
      + "Connection: close\r\n\r\n"
  }

  /// Returns a whole successful HTTP response with a JSON body.
  static func answer(_ status: Int, _ title: String, _ json: String) -> String {
    "HTTP/1.1 \(status) \(title)\r\nContent-Type: application/json\r\nCache-Control: no-store\r\nContent-Length: \(json.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(json)"
  }

  static func refusal(_ status: Int, _ title: String, _ detail: String, _ fields: String = "") -> String {
    let body = #"{"type":"about:blank","title":"\#(title)","status":\#(status),"detail":"\#(detail)"}"#
    return "HTTP/1.1 \(status) \(title)\r\n\(fields)Content-Type: application/problem+json\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(body)"
  }

  static func refusal(_ status: Int, _ title: String, _ detail: String, _ fields: String = "") -> BridgeDecision {
    .answer(refusal(status, title, detail, fields))
  }
}
