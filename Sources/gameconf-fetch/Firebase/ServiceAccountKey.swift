// Parses the key file of a Google service account.

import GameConfCore

/// The key of a Google service account, which identifies gameconf-fetch to Google.
struct ServiceAccountKey: Hashable, Sendable {
  var email: String
  var id: String?
  /// The private key in PEM (PKCS #8).
  var privateKey: String
  var tokenAddress: WebAddress

  /// Parses a key file. Errors never quote its contents.
  init(_ bytes: [UInt8]) throws(Fault) {
    guard let value = try? JSONReader.value(from: bytes), case .object(let members) = value else {
      throw Fault("it is not a JSON object, which a service account's key is")
    }
    guard members["type"] == "service_account" else {
      throw Fault("it is not the key of a service account: its “type” is not “service_account”")
    }
    func text(_ name: String) throws(Fault) -> String {
      guard let text = members[name]?.stringValue, !text.isEmpty else { throw Fault("it lacks “\(name)”") }
      return text
    }
    email = try text("client_email")
    privateKey = try text("private_key")
    id = members["private_key_id"]?.stringValue
    guard let address = try? WebAddress(try text("token_uri")) else {
      throw Fault("its “token_uri” is not an address that begins with “https://”")
    }
    tokenAddress = address
  }
}
