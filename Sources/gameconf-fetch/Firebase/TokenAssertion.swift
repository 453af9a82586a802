// The OAuth 2.0 exchange of a signed assertion for an access token (RFC 7523).

import GameConfCore

/// A JSON Web Token, signed with RS256, that gameconf-fetch exchanges for an access token.
struct TokenAssertion: Hashable {
  static let scope = "https://www.googleapis.com/auth/firebase.remoteconfig"
  /// The lifetime of the JSON Web Token in seconds. Google accepts at most one hour.
  static let lifetimeSeconds: Int64 = 3_600

  /// The part of the token that is signed: its header and its claims, each in base64url.
  let signed: String

  /// Creates the token's header and claims.
  /// - Parameter now: The present in seconds since 1970, by the host's clock.
  init(_ key: ServiceAccountKey, now: Int64) {
    var header = ObjectValue([("alg", "RS256"), ("typ", "JWT")])
    if let id = key.id { header["kid"] = .string(id) }
    let claims = ObjectValue([
      ("iss", .string(key.email)), ("scope", .string(Self.scope)), ("aud", .string(key.tokenAddress.text)), ("iat", .integer(now)),
      ("exp", .integer(now + Self.lifetimeSeconds)),
    ])
    signed = [header, claims].map { Base64URL.text(JSONWriter.bytes(.object($0))) }.joined(separator: ".")
  }

  /// Returns the whole token: the signed part, a dot, and the signature in base64url.
  func text(signature: [UInt8]) -> String { signed + "." + Base64URL.text(signature) }

  /// Returns the body of the POST, a form, that exchanges the signed token for an access token.
  static func form(_ token: String) -> [UInt8] {
    Array("grant_type=\(PercentEncoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer"))&assertion=\(token)".utf8)
  }
}

/// Base64 for URLs without padding (RFC 4648, section 5).
enum Base64URL {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    var at = 0
    while at < bytes.count {
      let group = bytes[at..<min(at + 3, bytes.count)]
      var bits = group.reduce(0) { $0 << 8 | Int($1) }
      bits <<= 8 * (3 - group.count)
      for place in 0...group.count { text.append(digits[bits >> (18 - 6 * place) & 63]) }
      at += 3
    }
    return String(decoding: text, as: UTF8.self)
  }
}

/// An access token, and the time at which to request a new one.
struct AccessToken: Hashable, Sendable {
  let text: String
  /// The time at which to request a new token, in milliseconds of the monotonic clock.
  let renewAt: Int64

  /// The time before expiry at which a token is renewed: five minutes, or a quarter of a short lifetime.
  private static let earlyMilliseconds: Int64 = 300_000
  /// The upper limit of a token's lifetime, one day, even if the server states a longer one.
  private static let lifeSecondsMax: Int64 = 86_400
  static let textBytesMax = 8_192

  init(text: String, renewAt: Int64) {
    self.text = text
    self.renewAt = renewAt
  }

  /// Parses the response of Google's token server; nil if it contains no token.
  init?(answer: [UInt8], now: Int64) {
    guard let value = try? JSONReader.value(from: answer), let text = value["access_token"]?.stringValue,
      (1...Self.textBytesMax).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    let life = max(0, min(value["expires_in"]?.integerValue ?? 0, Self.lifeSecondsMax)) * 1000
    self.text = text
    renewAt = now + max(life - Self.earlyMilliseconds, life * 3 / 4)
  }
}
