// libcurl as gameconf-fetch reads templates with it.
#include <curl/curl.h>

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
