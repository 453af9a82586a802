// SQLite as the store uses it.
#include <sqlite3.h>

// sqlite3_db_config takes any number of arguments, which Swift cannot call.
static inline int csqlite_set(sqlite3 *database, int option, int value) { return sqlite3_db_config(database, option, value, (int *)0); }
