// libsystemd as the daemon uses it: sockets by name, notifications, the watchdog, the journal; and the heap it stands on.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <malloc.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-id128.h>
