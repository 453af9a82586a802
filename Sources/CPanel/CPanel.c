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
static const unsigned char api_js[] = {
#embed "page/api.js"
};
static const unsigned char ui_js[] = {
#embed "page/ui.js"
};
static const unsigned char values_js[] = {
#embed "page/values.js"
};
static const unsigned char store_js[] = {
#embed "page/store.js"
};
static const unsigned char game_js[] = {
#embed "page/game.js"
};
static const unsigned char player_js[] = {
#embed "page/player.js"
};
static const unsigned char people_js[] = {
#embed "page/people.js"
};

#define FILE_OF(path, type, bytes) {path, type, bytes, sizeof bytes}
#define SCRIPT "text/javascript; charset=utf-8"

static const CPanelFile files[] = {
    FILE_OF("", "text/html; charset=utf-8", index_html),
    FILE_OF("style.css", "text/css; charset=utf-8", style_css),
    FILE_OF("icon.svg", "image/svg+xml", icon_svg),
    FILE_OF("app.js", SCRIPT, app_js),
    FILE_OF("api.js", SCRIPT, api_js),
    FILE_OF("ui.js", SCRIPT, ui_js),
    FILE_OF("values.js", SCRIPT, values_js),
    FILE_OF("store.js", SCRIPT, store_js),
    FILE_OF("game.js", SCRIPT, game_js),
    FILE_OF("player.js", SCRIPT, player_js),
    FILE_OF("people.js", SCRIPT, people_js),
};

size_t cpanel_file_count(void) { return sizeof files / sizeof files[0]; }

const CPanelFile *cpanel_file(size_t at) { return at < cpanel_file_count() ? &files[at] : NULL; }
