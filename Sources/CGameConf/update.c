/* The fast path of gameconf_update, which a game calls once a frame: usually there is nothing to do. */
#include "internal.h"

#include <errno.h>

int gameconf_update(gameconf *gc) {
  if (!gc) return -EINVAL;
  if (gcf_fork_noticed(gc) || gc->queue_survived != gc->queue.survives || !gcf_map_is_idle(gc)) return gcf_update_due(gc);
  return (int)(gc->changes.count - gc->changes.head);
}
