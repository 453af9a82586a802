// libsystemd as the daemon uses it: sockets by name, notifications, the watchdog, the journal.
#define SD_JOURNAL_SUPPRESS_LOCATION
#include <systemd/sd-daemon.h>
#include <systemd/sd-journal.h>
#include <systemd/sd-id128.h>
