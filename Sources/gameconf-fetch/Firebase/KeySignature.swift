// RS256 signatures (RSA with SHA-256) by the system's libcrypto.

import CCrypto
import GameConfCore

enum KeySignature {
  /// The smallest size of an RSA key that is accepted, in bits.
  private static let bitsMin: Int32 = 2_048
  /// The size of a signature by a key of 16 384 bits, the largest that OpenSSL verifies.
  private static let signatureBytesMax = 2_048

  /// Signs a text with RS256.
  /// - Parameter key: A private RSA key in PEM.
  /// - Throws: ``Fault`` with a message that contains nothing of the key.
  static func rs256(_ text: String, key: String) throws(Fault) -> [UInt8] {
    let (pem, bytes) = (key.utf8.map { CChar(bitPattern: $0) }, Array(text.utf8))
    var signature = [UInt8](repeating: 0, count: signatureBytesMax)
    var count = signature.count
    switch ccrypto_sign(pem, pem.count, bitsMin, bytes, bytes.count, &signature, &count) {
    case CCRYPTO_SIGNED: return Array(signature.prefix(count))
    case CCRYPTO_NOT_LOADED: throw Fault("\(ccrypto_load().map { String(cString: $0) } ?? "libcrypto is missing")")
    case CCRYPTO_NO_KEY: throw Fault("its “private_key” is not a private key in PEM")
    case CCRYPTO_WRONG_KEY: throw Fault("its “private_key” is not an RSA key of at least \(bitsMin) bits")
    default: throw Fault("its “private_key” does not sign")
    }
  }
}
