// The functions of libcurl that gameconf-fetch calls. They are looked up at run time, because the three programs are one file, of which only
// gameconf-fetch may load libcurl.
//
// No function but ccurl_load() may be called before that has returned NULL.
#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>

/// Loads libcurl and initializes it; may be called again and by several threads.
/// - Returns: NULL when it is loaded, else why it is not, in words that stay.
const char *ccurl_load(void);

CURL *ccurl_init(void);
void ccurl_cleanup(CURL *transfer);
CURLcode ccurl_perform(CURL *transfer);
const char *ccurl_strerror(CURLcode code);
struct curl_slist *ccurl_append(struct curl_slist *list, const char *text);
void ccurl_free_all(struct curl_slist *list);

// curl_easy_setopt and curl_easy_getinfo take anything, which Swift cannot call: one function for each kind of value.
CURLcode ccurl_set_text(CURL *transfer, CURLoption option, const char *value);
CURLcode ccurl_set_number(CURL *transfer, CURLoption option, long value);
CURLcode ccurl_set_large(CURL *transfer, CURLoption option, curl_off_t value);
CURLcode ccurl_set_headers(CURL *transfer, struct curl_slist *headers);
CURLcode ccurl_set_buffer(CURL *transfer, char *buffer);
typedef size_t (*ccurl_taker)(char *bytes, size_t one, size_t count, void *context);
CURLcode ccurl_set_takers(CURL *transfer, ccurl_taker body, ccurl_taker header, void *context);

/// `has_ended` becomes 1 when the server ends TLS as it should. libcurl takes a connection that ends without TLS's own end for a good end.
CURLcode ccurl_set_end(CURL *transfer, int *has_ended);

long ccurl_status(CURL *transfer);
curl_off_t ccurl_retry_after(CURL *transfer);
const char *ccurl_redirect(CURL *transfer);

#endif
