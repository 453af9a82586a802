// The requests that a network bridge admits, and the request heads that it forwards, without I/O.

import GameConfAPI
import GameConfCore

/// Decides about the head of a request that came over the network.
///
/// The target is parsed once, compared with the paths of one game, and written again from its parsed form. The daemon therefore reads
/// exactly the path that was checked.
struct NetworkGate: Sendable {
  /// The maximum size in bytes of the body of a pairing request.
  static let pairingBytesMax = 1 << 10

  enum NetworkDecision: Equatable {
    /// The bridge sends this whole response itself, without the daemon.
    case answer(String)
    case pair(bodyBytes: Int)
    /// Forwards this head to the daemon, if the token is that of a paired device.
    case pass(token: String, head: String)
    /// Forwards this head to the daemon, if a paired device has recently used the same IP address. The client has a RevenueCat key and no
    /// token.
    case passByKey(head: String)
  }

  let game: String
  /// The only accepted value of the `Host` field, such as `192.168.1.20:8014`.
  let host: String
  /// The API keys of RevenueCat's clients for this game.
  let revenueCat: RevenueCatKeys

  /// Decides about a request by its head, which is passed without the empty line at its end.
  func judge(_ text: String) -> NetworkDecision {
    let request: LoopbackHead
    do throws(Fault) { request = try LoopbackHead(text) } catch { return refusal(400, "Bad Request", error.message) }
    guard request.isFor([host]) else { return refusal(421, "Misdirected Request", "Host must be \(host).") }
    guard request.values("origin").isEmpty, !request.isOfAnotherOrigin else {
      return refusal(403, "Forbidden", "Requests from a web page are refused. Pages reach the bridge on 127.0.0.1 with --origin.")
    }
    if request.target == "/pair" { return pairing(request) }
    if let answer = revenueCat.answer(to: request, "") { return .answer(answer) }
    if revenueCat.game(of: request) == game {
      guard let path = Self.path(of: request.target.trimmingTokenPrefix.target) else { return notServed }
      return .passByKey(head: BridgeGate.head(of: request, target: RevenueCatKeys.target(path.text, of: game), prefix: ""))
    }
    guard let (token, target) = Self.takeToken(from: request) else {
      return refusal(401, "Unauthorized", "The token is missing. Pair the phone with a code that gameconfctl bridge --network shows.")
    }
    guard let path = Self.path(of: target), admits(request.method, path.segments) else { return notServed }
    return .pass(token: token, head: BridgeGate.head(of: request, target: path.text, prefix: "/t/\(token)"))
  }

  private var notServed: NetworkDecision {
    refusal(404, "Not Found", "A phone may make the games' calls below /v1/games/\(PercentEncoding.encode(game))/, and no others.")
  }

  private func pairing(_ request: LoopbackHead) -> NetworkDecision {
    guard request.method == "POST" else { return refusal(405, "Method Not Allowed", "Pair with POST.") }
    // A web page's form cannot send JSON without a CORS preflight, and the bridge refuses preflights. So no page can pair itself.
    guard request.values("content-type").map({ $0.prefix { $0 != ";" }.lowercased() }) == ["application/json"] else {
      return refusal(415, "Unsupported Media Type", "The body of a pairing is application/json.")
    }
    guard let bytes = request.bodyBytes(atMost: Self.pairingBytesMax) else {
      return refusal(413, "Content Too Large", "The body of a pairing has at most \(Self.pairingBytesMax) bytes and a Content-Length.")
    }
    return .pair(bodyBytes: bytes)
  }

  /// True if the path is below this game's path. There the daemon's games socket serves only the calls of games and of RevenueCat's
  /// clients. One of these calls, the removal of best scores, is for testers and therefore refused here.
  private func admits(_ method: String, _ segments: [String]) -> Bool {
    segments.count > 3 && segments[..<3] == ["v1", "games", game] && !(method == Method.delete.rawValue && segments.last == "bests")
  }

  /// Parses the path and the query of a target into decoded segments, and writes the same target in one canonical encoding.
  ///
  /// The whole target is refused if a decoded segment is empty, `.` or `..`, or contains a backslash or a control character. A slash that
  /// was encoded is encoded again.
  static func path(of target: String) -> (segments: [String], text: String)? {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, first.hasPrefix("/"), !target.contains("#") else { return nil }
    var segments: [String] = []
    for part in first.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      guard let segment = PercentEncoding.decode(part.utf8), isPlain(segment), !["", ".", ".."].contains(segment), !segment.contains("\\")
      else { return nil }
      segments.append(segment)
    }
    var text = segments.reduce("") { $0 + "/" + encode($1) }
    guard parts.count > 1, !parts[1].isEmpty else { return (segments, text) }
    var pairs: [String] = []
    for pair in parts[1].split(separator: "&", omittingEmptySubsequences: true) {
      let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let decoded = sides.compactMap { PercentEncoding.decode($0.utf8) }
      guard decoded.count == sides.count, decoded.allSatisfy(isPlain) else { return nil }
      pairs.append(decoded.map(PercentEncoding.encode).joined(separator: "="))
    }
    if !pairs.isEmpty { text += "?" + pairs.joined(separator: "&") }
    return (segments, text)
  }

  /// Encodes a path segment as the daemon's routes expect it: the colon before a verb, as in `NAME:VERB`, is not encoded.
  private static func encode(_ segment: String) -> String {
    segment.split(separator: ":", omittingEmptySubsequences: false).map { PercentEncoding.encode(String($0)) }.joined(separator: ":")
  }

  private static func isPlain(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } }

  /// Returns the token of a request, and the target without it; nil if no token is in the path, in the `Authorization` field or in the
  /// query.
  private static func takeToken(from request: LoopbackHead) -> (token: String, target: String)? {
    let (inPath, target) = request.target.trimmingTokenPrefix
    if let inPath { return (inPath, target) }
    let given = request.values("authorization")
    if given.count == 1, given[0].lowercased().hasPrefix("bearer ") { return (String(given[0].dropFirst(7)).trimmed, target) }
    guard let mark = target.firstIndex(of: "?") else { return nil }
    let pairs = target[target.index(after: mark)...].split(separator: "&", omittingEmptySubsequences: true)
    guard let key = pairs.first(where: { $0.hasPrefix("key=") }) else { return nil }
    let rest = pairs.filter { !$0.hasPrefix("key=") }.joined(separator: "&")
    return (String(key.dropFirst(4)), target[..<mark] + (rest.isEmpty ? "" : "?" + rest))
  }

  private func refusal(_ status: Int, _ title: String, _ detail: String) -> NetworkDecision {
    .answer(BridgeGate.refusal(status, title, detail))
  }
}

extension String {
  /// The token of a target that begins with `/t/TOKEN/`, and the target without it.
  fileprivate var trimmingTokenPrefix: (token: String?, target: String) {
    guard hasPrefix("/t/") else { return (nil, self) }
    let rest = dropFirst(3)
    guard let slash = rest.firstIndex(of: "/") else { return (nil, self) }
    return (String(rest[..<slash]), String(rest[slash...]))
  }
}
