// The page of `gameconfctl panel`: its files, embedded in the program.
#ifndef CPANEL_H
#define CPANEL_H

#include <stddef.h>

/// A file of the page.
typedef struct CPanelFile {
  /// The path behind the address, such as `app.js`; the empty one is the page itself.
  const char *path;
  /// Its media type.
  const char *type;
  const unsigned char *bytes;
  size_t count;
} CPanelFile;

/// The number of files.
size_t cpanel_file_count(void);

/// A file; NULL beyond the last.
const CPanelFile *cpanel_file(size_t at);

#endif
