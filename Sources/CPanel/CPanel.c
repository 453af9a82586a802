#include "CPanel.h"

// Before C23 an extension, which GCC has since 15 and Clang since 19.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "page/index.html"
};
static const unsigned char style_css[] = {
#embed "page/style.css"
};
static const unsigned char icon_svg[] = {
#embed "page/icon.svg"
};
static const unsigned char app_js[] = {
#embed "page/app.js"
};
static const unsigned char acts_js[] = {
#embed "page/acts.js"
};
static const unsigned char ads_js[] = {
#embed "page/ads.js"
};
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char audit_js[] = {
#embed "page/audit.js"
};
static const unsigned char controls_js[] = {
#embed "page/controls.js"
};
static const unsigned char phone_js[] = {
#embed "page/phone.js"
};
static const unsigned char live_js[] = {
#embed "page/live.js"
};
static const unsigned char picker_js[] = {
#embed "page/picker.js"
};
static const unsigned char player_js[] = {
#embed "page/player.js"
};
static const unsigned char row_js[] = {
#embed "page/row.js"
};
static const unsigned char start_js[] = {
#embed "page/start.js"
};
static const unsigned char state_js[] = {
#embed "page/state.js"
};
static const unsigned char store_js[] = {
#embed "page/store.js"
};
static const unsigned char themes_js[] = {
#embed "page/themes.js"
};
static const unsigned char timeline_js[] = {
#embed "page/timeline.js"
};
static const unsigned char ui_js[] = {
#embed "page/ui.js"
};
static const unsigned char values_js[] = {
#embed "page/values.js"
};
static const unsigned char words_js[] = {
#embed "page/words.js"
};

#define FILE_OF(path, type, bytes) {path, type, bytes, sizeof bytes}
#define SCRIPT "text/javascript; charset=utf-8"

static const CPanelFile files[] = {
    FILE_OF("", "text/html; charset=utf-8", index_html),
    FILE_OF("style.css", "text/css; charset=utf-8", style_css),
    FILE_OF("icon.svg", "image/svg+xml", icon_svg),
    FILE_OF("app.js", SCRIPT, app_js),
    FILE_OF("acts.js", SCRIPT, acts_js),
    FILE_OF("ads.js", SCRIPT, ads_js),
    FILE_OF("api.js", SCRIPT, api_js),
    FILE_OF("audit.js", SCRIPT, audit_js),
    FILE_OF("controls.js", SCRIPT, controls_js),
    FILE_OF("live.js", SCRIPT, live_js),
    FILE_OF("phone.js", SCRIPT, phone_js),
    FILE_OF("picker.js", SCRIPT, picker_js),
    FILE_OF("player.js", SCRIPT, player_js),
    FILE_OF("row.js", SCRIPT, row_js),
    FILE_OF("start.js", SCRIPT, start_js),
    FILE_OF("state.js", SCRIPT, state_js),
    FILE_OF("store.js", SCRIPT, store_js),
    FILE_OF("themes.js", SCRIPT, themes_js),
    FILE_OF("timeline.js", SCRIPT, timeline_js),
    FILE_OF("ui.js", SCRIPT, ui_js),
    FILE_OF("values.js", SCRIPT, values_js),
    FILE_OF("words.js", SCRIPT, words_js),
};

size_t cpanel_file_count(void) { return sizeof files / sizeof files[0]; }

const CPanelFile *cpanel_file(size_t at) { return at < cpanel_file_count() ? &files[at] : NULL; }
