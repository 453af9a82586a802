// RS256 signatures (RSA with SHA-256) by the system's libcrypto.

import CCrypto
import GameConfCore

enum KeySignature {
  /// The smallest size of an RSA key that is accepted, in bits.
  private static let bitsMin: Int32 = 2_048

  /// Signs a text with RS256.
  /// - Parameter key: A private RSA key in PEM.
  /// - Throws: ``Fault`` with a message that contains nothing of the key.
  static func rs256(_ text: String, key: String) throws(Fault) -> [UInt8] {
    let pem = Array(key.utf8)
    let parsed = pem.withUnsafeBytes { readKey($0) }
    guard let parsed else { throw Fault("its “private_key” is not a private key in PEM") }
    defer { EVP_PKEY_free(parsed) }
    guard EVP_PKEY_get_base_id(parsed) == EVP_PKEY_RSA, EVP_PKEY_get_bits(parsed) >= bitsMin else {
      throw Fault("its “private_key” is not an RSA key of at least \(bitsMin) bits")
    }
    guard let signature = sign(Array(text.utf8), parsed) else { throw Fault("its “private_key” does not sign") }
    return signature
  }

  private static func readKey(_ bytes: UnsafeRawBufferPointer) -> OpaquePointer? {
    guard let memory = BIO_new_mem_buf(bytes.baseAddress, Int32(clamping: bytes.count)) else { return nil }
    defer { BIO_free(memory) }
    // OpenSSL would ask for the passphrase of an encrypted key on the terminal. This callback makes it fail instead.
    return PEM_read_bio_PrivateKey(memory, nil, { _, _, _, _ in -1 }, nil)
  }

  private static func sign(_ text: [UInt8], _ key: OpaquePointer) -> [UInt8]? {
    guard let context = EVP_MD_CTX_new() else { return nil }
    defer { EVP_MD_CTX_free(context) }
    guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, key) == 1 else { return nil }
    var length = 0
    guard EVP_DigestSign(context, nil, &length, text, text.count) == 1 else { return nil }
    var signature = [UInt8](repeating: 0, count: length)
    guard EVP_DigestSign(context, &signature, &length, text, text.count) == 1 else { return nil }
    return Array(signature.prefix(length))
  }
}
