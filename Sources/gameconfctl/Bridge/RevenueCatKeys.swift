// The API keys by which the bridge recognizes RevenueCat's clients, and the responses that it gives them itself; without I/O.

import GameConfCore

/// The API keys of RevenueCat's clients, each for one game.
///
/// The clients for iOS and Android resolve `/v1/…` against the host, so that no prefix of the path reaches the bridge: only the key
/// identifies the game. Only keys of RevenueCat's Test Store are admitted; a release build of the clients refuses to start with one.
struct RevenueCatKeys: Sendable {
  struct KeyEntry: Sendable {
    var game: String
    var key: String
  }

  /// The first letters of each key of RevenueCat's Test Store.
  static let prefix = "test_"
  static let keyBytesMin = 20
  private static let randomBytes = 16

  private(set) var entries: [KeyEntry] = []

  /// Adds the key of a game.
  /// - Parameter source: The file or option that contained the key, for the error message.
  mutating func add(_ key: String, of game: String, from source: String) throws(Fault) {
    guard key.hasPrefix(Self.prefix) else {
      throw Fault(
        "the key in \(source) must begin with \(Self.prefix): only keys of the Test Store are simulated; gameconfctl iap key prints one")
    }
    guard key.utf8.count >= Self.keyBytesMin, key.utf8.allSatisfy(Self.isKeyByte) else {
      throw Fault(
        "the key in \(source) must have at least \(Self.keyBytesMin) letters, digits, ., - or _; gameconfctl iap key prints one")
    }
    if let other = entries.first(where: { $0.game == game }) {
      throw Fault("\(other.game) has two keys; give one --revenuecat for each game")
    }
    if let other = entries.first(where: { $0.key == key }) {
      throw Fault("\(other.game) and \(game) have the same key; a key names one game")
    }
    entries.append(KeyEntry(game: game, key: key))
  }

  static func newKey() -> String {
    var random = SystemRandomNumberGenerator()
    return prefix + SHA256.hex((0..<randomBytes).map { _ in UInt8.random(in: .min ... .max, using: &random) })
  }

  /// Returns the game whose key the request has; nil if it has no known key.
  func game(of request: LoopbackHead) -> String? {
    guard let bearer = Self.bearer(of: request) else { return nil }
    return entries.reduce(nil as String?) { found, entry in BridgeGate.areSame(bearer, entry.key) ? entry.game : found }
  }

  /// Returns the daemon's target for a RevenueCat target, which is below the game's path.
  static func target(_ target: String, of game: String) -> String { "/v1/games/\(PercentEncoding.encode(game))/revenuecat" + target }

  /// Returns the whole response to a call that RevenueCat's clients make without a key: the check of the service's health, or the check
  /// whether the service accepts health reports.
  func answer(to request: LoopbackHead, _ fields: String) -> String? {
    guard !entries.isEmpty, request.method == "GET", request.values("authorization").isEmpty else { return nil }
    let path = request.target.prefix { $0 != "?" }
    if path == "/v1/health" { return Self.answer(200, "OK", #"{"status":"simulated"}"#, fields) }
    let isReport =
      path == "/v1/health_report_availability" || path.hasPrefix("/v1/subscribers/") && path.hasSuffix("/health_report_availability")
    return isReport ? Self.answer(200, "OK", #"{"report_logs":false}"#, fields) : nil
  }

  /// Returns the refusal of a request with an unknown key, in the form that RevenueCat's clients read; nil if the request has no key.
  func refusal(of request: LoopbackHead, _ fields: String) -> String? {
    guard !entries.isEmpty, Self.bearer(of: request) != nil else { return nil }
    let message = "The bridge has no game with this key. Give it with gameconfctl bridge --revenuecat GAME=FILE."
    return Self.answer(401, "Unauthorized", #"{"code":7225,"message":"\#(message)"}"#, fields)
  }

  private static func bearer(of request: LoopbackHead) -> String? {
    let values = request.values("authorization")
    guard values.count == 1, values[0].lowercased().hasPrefix("bearer ") else { return nil }
    return String(values[0].dropFirst(7)).trimmed
  }

  private static func answer(_ status: Int, _ title: String, _ body: String, _ fields: String) -> String {
    "HTTP/1.1 \(status) \(title)\r\n\(fields)Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
      + "Connection: close\r\n\r\n\(body)"
  }

  private static func isKeyByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
