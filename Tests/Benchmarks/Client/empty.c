/* What a call into C costs a language by itself. */
double empty(void *gc, const char *key, double fallback);
double empty(void *gc, const char *key, double fallback) {
  (void)gc, (void)key;
  return fallback;
}
