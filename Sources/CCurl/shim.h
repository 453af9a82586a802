// libcurl as gameconf-fetch reads templates with it.
#include <curl/curl.h>
#include <openssl/ssl.h>
#include <string.h>

// curl_easy_setopt and curl_easy_getinfo take anything, which Swift cannot call: one function for each kind of value.
static inline CURLcode ccurl_begin(void) { return curl_global_init(CURL_GLOBAL_DEFAULT); }
static inline CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value) {
  return curl_easy_setopt(transfer, option, value);
}
static inline CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value) { return curl_easy_setopt(transfer, option, value); }
static inline CURLcode ccurl_set_large(CURL *transfer, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(transfer, option, value);
}
static inline CURLcode ccurl_set_headers(CURL *transfer, struct curl_slist *headers) {
  return curl_easy_setopt(transfer, CURLOPT_HTTPHEADER, headers);
}
static inline CURLcode ccurl_set_buffer(CURL *transfer, char *buffer) { return curl_easy_setopt(transfer, CURLOPT_ERRORBUFFER, buffer); }

typedef size_t (*ccurl_taker)(char *bytes, size_t one, size_t count, void *context);
static inline CURLcode ccurl_set_takers(CURL *transfer, ccurl_taker body, ccurl_taker header, void *context) {
  CURLcode code = curl_easy_setopt(transfer, CURLOPT_WRITEFUNCTION, body);
  if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_WRITEDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_HEADERFUNCTION, header);
  if (code == CURLE_OK) code = curl_easy_setopt(transfer, CURLOPT_HEADERDATA, context);
  return code;
}

// libcurl takes a connection that ends without TLS's own end for a good end. Where it works with OpenSSL, that end is noticed by its alert.
static int ccurl_end_index = -1;
static inline void ccurl_notice_alert(const SSL *connection, int what, int alert) {
  int *has_ended = SSL_CTX_get_ex_data(SSL_get_SSL_CTX(connection), ccurl_end_index);
  if (has_ended && (what & SSL_CB_READ_ALERT) == SSL_CB_READ_ALERT && (alert & 0xff) == SSL_AD_CLOSE_NOTIFY) *has_ended = 1;
}
static inline CURLcode ccurl_notice_alerts(CURL *transfer, void *context, void *has_ended) {
  (void)transfer;
  if (SSL_CTX_set_ex_data(context, ccurl_end_index, has_ended) != 1) return CURLE_OUT_OF_MEMORY;
  SSL_CTX_set_info_callback(context, ccurl_notice_alert);
  return CURLE_OK;
}
// To be called before any thread asks.
static inline void ccurl_begin_ends(void) {
  const curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
  if (version->ssl_version && strncmp(version->ssl_version, "OpenSSL/", 8) == 0)
    ccurl_end_index = SSL_CTX_get_ex_new_index(0, 0, 0, 0, 0);
}
// `has_ended` becomes 1 when the server ends TLS as it should.
static inline CURLcode ccurl_set_end(CURL *transfer, int *has_ended) {
  if (ccurl_end_index < 0) return CURLE_OK;
  CURLcode code = curl_easy_setopt(transfer, CURLOPT_SSL_CTX_FUNCTION, ccurl_notice_alerts);
  return code == CURLE_OK ? curl_easy_setopt(transfer, CURLOPT_SSL_CTX_DATA, has_ended) : code;
}

static inline long ccurl_status(CURL *transfer) {
  long status = 0;
  curl_easy_getinfo(transfer, CURLINFO_RESPONSE_CODE, &status);
  return status;
}
static inline curl_off_t ccurl_retry_after(CURL *transfer) {
  curl_off_t seconds = 0;
  curl_easy_getinfo(transfer, CURLINFO_RETRY_AFTER, &seconds);
  return seconds;
}
static inline const char *ccurl_redirect(CURL *transfer) {
  char *address = 0;
  curl_easy_getinfo(transfer, CURLINFO_REDIRECT_URL, &address);
  return address;
}
