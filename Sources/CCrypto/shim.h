// libcrypto as gameconf-fetch signs with it.
#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
