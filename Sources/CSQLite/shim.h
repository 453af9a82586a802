// SQLite as the store uses it.
#include <sqlite3.h>

// sqlite3_db_config takes any number of arguments, which Swift cannot call.
static inline int csqlite_set(sqlite3 *database, int option, int value) { return sqlite3_db_config(database, option, value, (int *)0); }

// Counting every allocation under one lock costs as much as the allocations. To be called before the first database is opened.
static inline int csqlite_count_no_memory(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }
