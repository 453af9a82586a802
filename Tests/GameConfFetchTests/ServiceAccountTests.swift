// Tests the keys of Google service accounts, the assertions they sign, and the access tokens of the answers.

import GameConfCore
import Testing

@testable import gameconf_fetch

@Suite("Google service accounts")
struct ServiceAccountTests {
  private static let good: Value = [
    "type": "service_account", "client_email": "a@p.iam.gserviceaccount.com", "private_key_id": "k1", "private_key": "PEM",
    "token_uri": "https://oauth2.googleapis.com/token",
  ]

  private func key(_ change: (inout ObjectValue) -> Void = { _ in }) throws -> ServiceAccountKey {
    guard case .object(var members) = Self.good else { throw Fault("") }
    change(&members)
    return try ServiceAccountKey(JSONWriter.bytes(.object(members)))
  }

  @Test("a service account key is read, and the message about an invalid key quotes nothing from it")
  func read() throws {
    #expect(try key().tokenAddress.text == "https://oauth2.googleapis.com/token")
    func fault(_ change: (inout ObjectValue) -> Void) -> String {
      do {
        _ = try key(change)
        return ""
      } catch { return (error as? Fault)?.message ?? "" }
    }
    #expect(fault { $0["type"] = "authorized_user" }.contains("not the key of a service account"))
    #expect(fault { $0["client_email"] = nil } == "it lacks “client_email”")
    #expect(fault { $0["private_key"] = 7 } == "it lacks “private_key”")
    #expect(fault { $0["token_uri"] = "http://evil.example/secret" } == "its “token_uri” is not an address that begins with “https://”")
    for bytes in ["", "secret", "[]", "{\"private_key\": \"secret\""] {
      do throws(Fault) {
        _ = try ServiceAccountKey(Array(bytes.utf8))
        Issue.record("“\(bytes)” is taken")
      } catch { #expect(!error.message.contains("secret")) }
    }
  }

  @Test("a token assertion is valid for an hour, for the token server and the Remote Config scope")
  func claims() throws {
    let parts = TokenAssertion(try key(), now: 1_000_000).signed.split(separator: ".").map(String.init)
    #expect(parts.count == 2)
    #expect(try Self.decoded(parts[0]) == ["alg": "RS256", "typ": "JWT", "kid": "k1"])
    let claims = try Self.decoded(parts[1])
    #expect(claims["aud"] == "https://oauth2.googleapis.com/token" && claims["iss"] == "a@p.iam.gserviceaccount.com")
    #expect(claims["scope"] == "https://www.googleapis.com/auth/firebase.remoteconfig")
    #expect(claims["iat"] == 1_000_000 && claims["exp"] == 1_003_600)
  }

  private static func decoded(_ text: String) throws -> Value {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var (bits, count, bytes): (Int, Int, [UInt8]) = (0, 0, [])
    for byte in text.utf8 {
      bits = bits << 6 | (digits.firstIndex(of: byte) ?? 0)
      count += 6
      if count >= 8 {
        count -= 8
        bytes.append(UInt8(bits >> count & 255))
      }
    }
    return try JSONReader.value(from: bytes)
  }

  @Test(
    "base64url without padding gives the test vectors of RFC 4648",
    arguments: [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy")])
  func base64(text: String, expected: String) {
    #expect(Base64URL.text(Array(text.utf8)) == expected)
    #expect(Base64URL.text([251, 255, 191]) == "-_-_")
  }

  @Test("an assertion cannot be signed with an invalid RSA key")
  func noKey() {
    for pem in ["", "secret", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n"] {
      do throws(Fault) {
        _ = try KeySignature.rs256("a.b", key: pem)
        Issue.record("it signs")
      } catch { #expect(error.message.contains("private_key") && !error.message.contains("secret")) }
    }
  }

  @Test("an access token is renewed five minutes before it expires, or a short-lived one after three quarters of its lifetime")
  func renewed() {
    func token(_ text: String) -> AccessToken? { AccessToken(answer: Array(text.utf8), now: 1_000) }
    #expect(token(#"{"access_token": "t", "expires_in": 3600}"#) == AccessToken(text: "t", renewAt: 3_301_000))
    #expect(token(#"{"access_token": "t", "expires_in": 60}"#)?.renewAt == 46_000)
    #expect(token(#"{"access_token": "t"}"#)?.renewAt == 1_000)
    #expect(token(#"{"access_token": "t", "expires_in": 9000000000}"#)?.renewAt == 86_101_000)
    for bad in ["{}", "", #"{"access_token": ""}"#, #"{"access_token": "a\nb"}"#] { #expect(token(bad) == nil) }
  }
}
