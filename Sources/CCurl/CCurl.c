// Finds libcurl's functions, and those of OpenSSL behind it, when gameconf-fetch begins, and calls them.
#define CURL_DISABLE_TYPECHECK
#include "CCurl.h"

#include <dlfcn.h>
#include <openssl/ssl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#undef curl_easy_setopt
#undef curl_easy_getinfo

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
#define CURL_LIBRARY "libcurl.so.4"
#define TLS_LIBRARY "libssl.so." TEXT(OPENSSL_SHLIB_VERSION)

#define OF_CURL(X)                                                                                                                  \
  X(curl_global_init) X(curl_version_info) X(curl_easy_init) X(curl_easy_cleanup) X(curl_easy_perform) X(curl_easy_strerror)        \
  X(curl_easy_setopt) X(curl_easy_getinfo) X(curl_slist_append) X(curl_slist_free_all)
#define OF_TLS(X) \
  X(SSL_CTX_get_ex_data) X(SSL_CTX_set_ex_data) X(SSL_CTX_set_info_callback) X(SSL_get_SSL_CTX) X(CRYPTO_get_ex_new_index)

#define POINTER(name) static __typeof__(&name) p_##name;
OF_CURL(POINTER)
OF_TLS(POINTER)

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char fault[512];
static int end_index = -1;

static void load(void) {
  void *curl = dlopen(CURL_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!curl) {
    snprintf(fault, sizeof fault, CURL_LIBRARY " cannot be loaded (%s); install it (Debian: libcurl4)", dlerror());
    return;
  }
#define FOUND(name)                                                         \
  *(void **)&p_##name = dlsym(library, #name);                              \
  if (!p_##name) {                                                          \
    snprintf(fault, sizeof fault, "%s has no function " #name, found_in);   \
    return;                                                                 \
  }
  void *library = curl;
  const char *found_in = CURL_LIBRARY;
  OF_CURL(FOUND)
  if (p_curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
    snprintf(fault, sizeof fault, CURL_LIBRARY " cannot be initialized");
    return;
  }
  // OpenSSL reports the alert by which a server ends TLS. Behind another TLS library, libcurl hides that end.
  const curl_version_info_data *version = p_curl_version_info(CURLVERSION_NOW);
  if (!version->ssl_version || strncmp(version->ssl_version, "OpenSSL/", 8) != 0) return;
  library = dlopen(TLS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  found_in = TLS_LIBRARY;
  if (!library) {
    snprintf(fault, sizeof fault, TLS_LIBRARY " cannot be loaded (%s); install it (Debian: libssl3)", dlerror());
    return;
  }
  OF_TLS(FOUND)
  end_index = p_CRYPTO_get_ex_new_index(CRYPTO_EX_INDEX_SSL_CTX, 0, 0, 0, 0, 0);
}

const char *ccurl_load(void) {
  pthread_once(&once, load);
  return fault[0] ? fault : NULL;
}

CURL *ccurl_init(void) { return p_curl_easy_init(); }
void ccurl_cleanup(CURL *transfer) { p_curl_easy_cleanup(transfer); }
CURLcode ccurl_perform(CURL *transfer) { return p_curl_easy_perform(transfer); }
const char *ccurl_strerror(CURLcode code) { return p_curl_easy_strerror(code); }
struct curl_slist *ccurl_append(struct curl_slist *list, const char *text) { return p_curl_slist_append(list, text); }
void ccurl_free_all(struct curl_slist *list) { p_curl_slist_free_all(list); }

CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value) { return p_curl_easy_setopt(transfer, option, value); }
CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value) { return p_curl_easy_setopt(transfer, option, value); }
CURLcode ccurl_set_large(CURL *transfer, CURLoption option, curl_off_t value) { return p_curl_easy_setopt(transfer, option, value); }
CURLcode ccurl_set_headers(CURL *transfer, struct curl_slist *headers) { return p_curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers); }
CURLcode ccurl_set_buffer(CURL *transfer, char *buffer) { return p_curl_easy_setopt(transfer, CURLOPT_ERRORBUFFER, buffer); }

CURLcode ccurl_set_takers(CURL *transfer, ccurl_taker body, ccurl_taker header, void *context) {
  CURLcode code = p_curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = p_curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = p_curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = p_curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
  return code;
}

static void notice_alert(const SSL *connection, int what, int alert) {
  int *has_ended = p_SSL_CTX_get_ex_data(p_SSL_get_SSL_CTX(connection), end_index);
  if (has_ended && (what & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY) *has_ended = 1;
}

static CURLcode notice_alerts(CURL *transfer, void *context, void *has_ended) {
  (void)transfer;
  if (p_SSL_CTX_set_ex_data(context, end_index, has_ended) != 1) return CURLE_OUT_OF_MEMORY;
  p_SSL_CTX_set_info_callback(context, notice_alert);
  return CURLE_OK;
}

CURLcode ccurl_set_end(CURL *transfer, int *has_ended) {
  if (end_index < 0) return CURLE_OK;
  CURLcode code = p_curl_easy_setopt(transfer, CURLOPT_SSL_CTX_FUNCTION, notice_alerts);
  return code == CURLE_OK ? p_curl_easy_setopt(transfer, CURLOPT_SSL_CTX_DATA, has_ended) : code;
}

long ccurl_status(CURL *transfer) {
  long status = 0;
  p_curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
  return status;
}

curl_off_t ccurl_retry_after(CURL *transfer) {
  curl_off_t seconds = 0;
  p_curl_easy_getinfo(transfer, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}

const char *ccurl_redirect(CURL *transfer) {
  char *address = 0;
  p_curl_easy_getinfo(transfer, CURLINFO_REDIRECT_URL, &address);
  return address;
}
