// The assertion that a service account signs to be given an access token (RFC 7523).

import GameConfCore

/// A JSON Web Token, signed by RS256.
struct TokenAssertion: Hashable {
  static let scope = "https://www.googleapis.com/auth/firebase.remoteconfig"
  /// The time for which it holds, in seconds; Google takes an hour at most.
  static let lifetimeSeconds: Int64 = 3_600

  /// Header and claims, each in base64url: what is signed.
  let signed: String

  /// - Parameter now: seconds since 1970, by the host's clock.
  init(_ key: ServiceAccountKey, now: Int64) {
    var header = ObjectValue([("alg", "RS256"), ("typ", "JWT")])
    if let id = key.id { header["kid"] = .string(id) }
    let claims = ObjectValue([
      ("iss", .string(key.email)), ("scope", .string(Self.scope)), ("aud", .string(key.tokenAddress.text)), ("iat", .integer(now)),
      ("exp", .integer(now + Self.lifetimeSeconds)),
    ])
    signed = [header, claims].map { Base64URL.text(JSONWriter.bytes(.object($0))) }.joined(separator: ".")
  }

  /// The whole token.
  func text(signature: [UInt8]) -> String { signed + "." + Base64URL.text(signature) }

  /// The body of the request for an access token.
  static func form(_ token: String) -> [UInt8] {
    Array("grant_type=\(PercentEncoding.encode("urn:ietf:params:oauth:grant-type:jwt-bearer"))&assertion=\(token)".utf8)
  }
}

/// Base64 for addresses (RFC 4648, 5), without padding.
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

/// An access token and when it is to be asked for anew.
struct AccessToken: Hashable, Sendable {
  let text: String
  /// On the clock that never steps.
  let renewAt: Int64

  /// The time before its end at which it is renewed: five minutes, or a quarter of a short life.
  private static let earlyMilliseconds: Int64 = 300_000
  /// No token is kept longer than a day, whatever its server says.
  private static let lifeSecondsMax: Int64 = 86_400
  static let textBytesMax = 8_192

  init(text: String, renewAt: Int64) {
    self.text = text
    self.renewAt = renewAt
  }

  /// Reads a token server's answer; nil when there is no token in it.
  init?(answer: [UInt8], now: Int64) {
    guard let value = try? JSONReader.value(from: answer), let text = value["access_token"]?.stringValue,
      (1...Self.textBytesMax).contains(text.utf8.count), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F })
    else { return nil }
    let life = max(0, min(value["expires_in"]?.integerValue ?? 0, Self.lifeSecondsMax)) * 1000
    self.text = text
    renewAt = now + max(life - Self.earlyMilliseconds, life * 3 / 4)
  }
}
