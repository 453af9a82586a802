/* The player's themes, entitlements and purchases in their last known state, by the game's simulated clock. */
#include "internal.h"

#include <string.h>

static const int64_t latest = 253402300799999;

/* Returns the simulated time for a time of the daemon, like SimulatedClock and PlayerClock of GameConfCore. */
static int64_t simulated(const gcf_header *header, int64_t host) {
  int64_t now = host;
  if (header->clock_anchor != 0 || header->clock_host_anchor != 0 || header->clock_rate != 1000) {
    int64_t passed, whole, sum, rate = header->clock_rate;
    now = header->clock_anchor;
    if (rate > 0 && rate <= 10000000000 && !__builtin_sub_overflow(host, header->clock_host_anchor, &passed) && passed > 0) {
      if (__builtin_mul_overflow(passed / 1000, rate, &whole) || __builtin_add_overflow(whole, passed % 1000 * rate / 1000, &sum) ||
          __builtin_add_overflow(now, sum, &now))
        now = latest;
    }
  }
  if (header->player_offset > 0 && __builtin_add_overflow(now, header->player_offset, &now)) now = latest;
  return now < latest ? now : latest;
}

static bool stands_still(const gameconf *gc) {
  const gcf_image *image = &gc->view->image;
  return image->bytes && (image->header->flags & GCF_FROZEN);
}

/* The last time from the daemon plus the monotonic time since then, so that changes of this host's clock have no effect. */
int64_t gcf_host_now(const gameconf *gc) {
  if (!gc->host_at) return gc->map.serves ? gcf_wall() : 0; /* the daemon of a mapped image runs on this host */
  return gc->host_at + (stands_still(gc) ? 0 : gcf_monotonic() - gc->host_seen_at);
}

void gcf_host_told(gameconf *gc, int64_t date, int64_t now) {
  if (gc->host_at || !date) return;
  gc->host_at = date;
  gc->host_seen_at = now;
}

int64_t gameconf_now(const gameconf *gc) {
  if (!gc) return gcf_wall();
  const gcf_image *image = &gc->view->image;
  if (!image->bytes) return gcf_wall();
  int64_t host = stands_still(gc) ? image->header->made_at : gcf_wall();
  if (gc->image_is_live && gc->host_at) host = gcf_host_now(gc);
  return simulated(image->header, host);
}

static const gcf_image *part_of(const gameconf *gc, const void *id, gameconf_info *info) {
  if (info) memset(info, 0, sizeof *info), info->variant = "";
  if (!gc || !id) return NULL;
  const gcf_image *image = &gc->view->image;
  if (info) info->flags = atomic_load_explicit(&gc->view->flags, memory_order_relaxed);
  if (!image->bytes) return NULL;
  if (info) info->revision = image->header->player_revision;
  return image;
}

bool gameconf_theme_unlocked(const gameconf *gc, const char *theme, bool fallback, gameconf_info *info) {
  const gcf_image *image = part_of(gc, theme, info);
  const gcf_mark *mark = image ? gcf_record_named(image, &image->themes, theme) : NULL;
  return mark ? (mark->flags & 1) != 0 : fallback;
}

bool gameconf_product_purchased(const gameconf *gc, const char *product, bool fallback, gameconf_info *info) {
  const gcf_image *image = part_of(gc, product, info);
  return image && image->products.present ? gcf_record_named(image, &image->products, product) != NULL : fallback;
}

bool gameconf_entitled(const gameconf *gc, const char *entitlement, bool fallback, gameconf_info *info) {
  const gcf_image *image = part_of(gc, entitlement, info);
  if (!image || !image->entitlements.present) return fallback;
  const gcf_entitlement *found = gcf_record_named(image, &image->entitlements, entitlement);
  if (found && info && found->until != INT64_MAX) info->next_change_at = found->until;
  return found && found->until > gameconf_now(gc);
}

bool gameconf_ad_free(const gameconf *gc, bool fallback, gameconf_info *info) {
  const gcf_image *image = part_of(gc, "", info);
  if (!image || !image->entitlements.present) return fallback;
  int64_t now = gameconf_now(gc);
  for (uint32_t at = 0; at < image->entitlements.count; at++) {
    const gcf_entitlement *one = gcf_record(&image->entitlements, at);
    if ((one->flags & 1) && one->until > now) {
      if (info && one->until != INT64_MAX && one->until > info->next_change_at) info->next_change_at = one->until;
      return true;
    }
  }
  return false;
}
