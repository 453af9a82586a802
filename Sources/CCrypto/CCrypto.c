// Finds libcrypto's functions in the library when a text is to be signed, and calls them.
#include "CCrypto.h"

#include <dlfcn.h>
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <pthread.h>
#include <stdio.h>

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define LIBRARY "libcrypto.so." TEXT(OPENSSL_SHLIB_VERSION)

#define FUNCTIONS(X)                                                                                                             \
  X(BIO_new_mem_buf) X(BIO_free) X(PEM_read_bio_PrivateKey) X(EVP_PKEY_free) X(EVP_PKEY_get_base_id) X(EVP_PKEY_get_bits)        \
  X(EVP_MD_CTX_new) X(EVP_MD_CTX_free) X(EVP_sha256) X(EVP_DigestSignInit) X(EVP_DigestSign)

#define POINTER(name) static __typeof__(&name) p_##name;
FUNCTIONS(POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char fault[512];

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(fault, sizeof fault, LIBRARY " cannot be loaded (%s); install it (Debian: libssl3)", dlerror());
    return;
  }
#define FOUND(name)                                                        \
  *(void **)&p_##name = dlsym(library, #name);                             \
  if (!p_##name) {                                                         \
    snprintf(fault, sizeof fault, LIBRARY " has no function " #name);      \
    return;                                                                \
  }
  FUNCTIONS(FOUND)
}

const char *ccrypto_load(void) {
  pthread_once(&once, load);
  return fault[0] ? fault : NULL;
}

// OpenSSL would ask for the passphrase of an encrypted key on the terminal. This makes it fail instead.
static int no_passphrase(char *buffer, int size, int is_written, void *context) {
  (void)buffer, (void)size, (void)is_written, (void)context;
  return -1;
}

CCryptoOutcome ccrypto_sign(
    const char *pem, size_t pem_count, int bits_min, const unsigned char *text, size_t text_count, unsigned char *signature,
    size_t *signature_count) {
  if (ccrypto_load()) return CCRYPTO_NOT_LOADED;
  if (pem_count > INT_MAX) return CCRYPTO_NO_KEY;
  BIO *memory = p_BIO_new_mem_buf(pem, (int)pem_count);
  EVP_PKEY *key = memory ? p_PEM_read_bio_PrivateKey(memory, NULL, no_passphrase, NULL) : NULL;
  p_BIO_free(memory);
  if (!key) return CCRYPTO_NO_KEY;
  CCryptoOutcome outcome = CCRYPTO_WRONG_KEY;
  if (p_EVP_PKEY_get_base_id(key) == EVP_PKEY_RSA && p_EVP_PKEY_get_bits(key) >= bits_min) {
    EVP_MD_CTX *context = p_EVP_MD_CTX_new();
    int is_signed = context && p_EVP_DigestSignInit(context, NULL, p_EVP_sha256(), NULL, key) == 1 &&
                    p_EVP_DigestSign(context, signature, signature_count, text, text_count) == 1;
    p_EVP_MD_CTX_free(context);
    outcome = is_signed ? CCRYPTO_SIGNED : CCRYPTO_NOT_SIGNED;
  }
  p_EVP_PKEY_free(key);
  return outcome;
}
