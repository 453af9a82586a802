// RS256 by libcrypto, found in the library at run time: only gameconf-fetch signs, and the three programs are one file.
#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>

/// The outcome of signing a text.
typedef enum CCryptoOutcome {
  CCRYPTO_SIGNED = 0,
  CCRYPTO_NOT_LOADED,   // The library is missing; ccrypto_load() says why.
  CCRYPTO_NO_KEY,       // The text is no private key in PEM, or one with a passphrase.
  CCRYPTO_WRONG_KEY,    // The key is not RSA, or has too few bits.
  CCRYPTO_NOT_SIGNED,   // The key does not sign, or the signature is longer than the buffer.
} CCryptoOutcome;

/// Loads libcrypto; may be called again and by several threads.
/// - Returns: NULL when it is loaded, else why it is not, in words that stay.
const char *ccrypto_load(void);

/// Signs a text by RSA and SHA-256 (PKCS #1, version 1.5).
/// - Parameters:
///   - pem: a private RSA key of at least `bits_min` bits in PEM, without a passphrase.
///   - signature: takes the signature; `signature_count` has its size before, and the signature's length afterwards.
CCryptoOutcome ccrypto_sign(
    const char *pem, size_t pem_count, int bits_min, const unsigned char *text, size_t text_count, unsigned char *signature,
    size_t *signature_count);

#endif
