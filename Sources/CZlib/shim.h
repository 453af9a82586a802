// zlib as answers are compressed and bodies unpacked with it.
#include <zlib.h>

// deflateInit2 is a macro, which Swift does not see; 16 above the window's bits asks for gzip's frame.
static inline int czlib_begin(z_stream *stream, int level) { return deflateInit2(stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY); }

// inflateInit2 likewise.
static inline int czlib_begin_reading(z_stream *stream) { return inflateInit2(stream, 15 + 16); }
