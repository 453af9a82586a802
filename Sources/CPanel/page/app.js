// The frame: the bar that stays, the screens, and the way between them.

import {Refusal, enter, follow, get, reopen, slowest, unfitName} from "/api.js";
import {dismiss, showing} from "/acts.js";
import {ads} from "/ads.js";
import {audit} from "/audit.js";
import {connectPhone} from "/phone.js";
import {fillPicker, remember} from "/picker.js";
import {player} from "/player.js";
import {learnCaller, ofGame, readWindows, state, take} from "/state.js";
import {store} from "/store.js";
import {themes} from "/themes.js";
import {timeline} from "/timeline.js";
import {button, dot, h, hint, icon, notice, s, select, settle, term, text, waiting} from "/ui.js";
import * as values from "/values.js";
import {plain, same, say} from "/words.js";

const more = import("/live.js"), live = {id: "live", title: "Live", icon: "live", show: place => {
	const page = more.then(({show}) => show(place)), pass = name => () => page.then(one => one[name]());
	return {again: pass("again"), end: pass("end")};
}};
setInterval(() => more.then(({mark}) => mark()).catch(() => {}), 2000);
const screens = [values.screen, values.flags, store, ads, player, themes, audit, timeline, live];
const $ = id => document.getElementById(id);
const put = (...parts) => $("main").replaceChildren(...parts);
const noGame = "The daemon serves no game. “gameconfctl status” says where it looks for catalogs.";
const SLOW = 2000, SCREENS_KEPT = 12;

let screen = screens[0], shown = null, stop = null, loads = 0, isGone = false;
const pages = new Map();

let condition = "good", lostAt = 0;

function head() {
	// The daemon's, this game's, and of games not served.
	const degraded = state.degraded.filter(({game, code}) => !game || game === state.game || code === "not_served");
	const isWaiting = condition !== "good" || slowest() > SLOW || !state.isLive && lostAt && Date.now() - lostAt > SLOW;
	const [kind, words] = condition === "ended" || condition === "gone" && isWaiting ? ["bad", "the panel’s program has ended"]
		: isWaiting ? ["wait", "waiting for the daemon"] : !state.isLive ? ["wait", "connecting"]
			: degraded.length ? [degraded.some(({severity}) => severity !== "warning") ? "bad" : "wait", "connected, degraded"] : ["good", "connected"];
	const revision = state.isLive && state.revision ? [term(say`revision ${state.revision}`, "Every change of the game’s values raises this number by one."), " · "] : "";
	const live = $("live");
	if (!live) return;
	live.className = "live " + kind;
	settle(live, [dot(kind === "good" ? "" : kind), h("span", revision, words)]);
	settle($("trouble"), troubles(isWaiting, degraded));
}

function troubles(isWaiting, degraded) {
	const line = (kind, key, ...words) => h(`p.${kind}`, {key, role: "alert"}, key, words);
	if (condition === "ended" || condition === "gone" && isWaiting) return [line("bad", `Changes are not possible: ${reopen}`)];
	if (isWaiting) return [line("degraded", "gameconfd does not answer: what is shown may be old. “systemctl status gameconfd” says how it is.")];
	return degraded.map(({game, what, title, detail, severity}) => line(severity === "warning" ? "degraded" : "bad", say`${game ? say`${game}: ` : ""}${title ?? plain(what)}: `, text(detail, "span")));
}

addEventListener("panel-answer", ({detail}) => {
	if (condition === "ended" || detail === condition) return;
	condition = detail;
	if (detail !== "good") lostAt ||= Date.now();
	head();
});
setInterval(head, 500);

addEventListener("panel-ended", () => {
	condition = "ended";
	stop?.();
	put(notice("The panel’s program has ended", reopen));
	$("tabs").replaceChildren();
	dismiss();
	head();
});

function bar() {
	const game = select("Game", state.games.map(({game, title}) => [game, title ?? game]), state.game, event => choose({game: event.target.value, player: ""}));
	settle($("bar"), [
		h("h1.brand", {label: "Game configuration"}, s("svg", {viewBox: "0 0 32 32", "aria-hidden": true}, s("circle", {cx: 16, cy: 16, r: 9}))),
		game,
		h("button.who", {popovertarget: "people", "aria-haspopup": "dialog"}, icon("player"),
			state.player ? text(state.player) : h("bdi", "Everybody"), h("i.caret", {"aria-hidden": true})),
		$("people") ?? h("div.picker", {id: "people", popover: "auto", role: "dialog", label: "Player", onbeforetoggle: event => {
			if (event.newState === "open") fillPicker($("people"), player => choose({player}));
		}}),
		h("div.space"), h("button.connect", {popovertarget: "phone", label: "Connect a phone", title: "Connect a phone"}, icon("phone")),
		$("phone") ?? h("div.sheet", {id: "phone", popover: "auto", role: "dialog", label: "Connect a phone", ontoggle: event => { if (event.newState === "open") connectPhone(event.currentTarget); }}),
		$("live") ?? h("div.live", {id: "live", role: "status"}), $("trouble") ?? h("div.trouble", {id: "trouble"})]);
	head();
}

function tabs() {
	const known = screens.filter(one => one.fits?.(state.catalog) ?? true);
	if (!known.includes(screen)) screen = known[0];
	settle($("tabs"), known.map(one => h("button", {key: one.id, onclick: () => choose({screen: one.id}), "aria-current": one === screen ? "page" : null}, icon(one.icon), h("span", one.title))));
	$("tabs").querySelector("[aria-current]").scrollIntoView({block: "nearest", inline: "nearest"});
}

/** Shows a game, a player, a screen. `isBack`: a step of the browser's history. */
export async function choose({game = state.game, player = state.player, screen: id = screen.id}, isBack = false) {
	const isOther = game !== state.game || player !== state.player || !state.catalog;
	const wrong = player && unfitName(player);
	if (wrong) return put(notice("This player cannot be shown", wrong, button("Show everybody", () => choose({player: ""}))));
	if (game !== state.game) state.catalog = null;
	leave();
	Object.assign(state, {game, player});
	screen = screens.find(one => one.id === id) ?? screens[0];
	const address = "#" + new URLSearchParams({game, ...player && {player}, screen: screen.id});
	if (!isBack) history[location.hash && location.hash !== address ? "pushState" : "replaceState"](null, "", address);
	if (player) remember(player);
	if (isOther) await load();
	else show();
}

addEventListener("popstate", () => {
	const given = named(new URLSearchParams(location.hash.slice(1)));
	if (state.games.some(one => one.game === given.game)) choose(given, true);
});

const named = given => ({game: given.get("game"), player: given.get("player") ?? "", screen: given.get("screen") ?? "values"});

const pageKey = () => JSON.stringify([state.game, state.player, screen.id]);

function leave() {
	if (shown) shown.top = scrollY;
	showing(null);
}

async function load() {
	const mine = ++loads;
	stop?.();
	state.isLive = false;
	lostAt = 0;
	bar();
	dismiss();
	if (!pages.has(pageKey())) put(waiting());
	try {
		const [catalog, config] = await Promise.all([
			state.catalog ?? get(ofGame("catalog")), get(ofGame("config"), {detail: "full", locale: "*", ...state.player && {player: state.player}})]);
		if (mine !== loads) return;
		if (!same(catalog.digest ?? catalog.parameters, state.catalog?.digest ?? state.catalog?.parameters)) state.catalog = catalog;
		state.revision = 0;
		take(config);
		state.values = new Map(Object.entries(config.values));
		await readWindows();
	} catch (error) {
		if (mine !== loads) return;
		put(notice("This game cannot be shown", error.message, button("Try again", load)));
		return;
	}
	if (mine !== loads) return;
	show();
	stop = follow(state.game, state.player, told);
}

function show() {
	if (isGone) return;
	document.title = say`${state.catalog?.title ?? state.game} · ${screen.title}`;
	tabs();
	if (screen.needsPlayer && !state.player) {
		shown = null;
		put(hint(screen.needsPlayer, "Choose one, or make one for a test.", h("button", {popovertarget: "people"}, "Choose a player")));
		return;
	}
	const key = pageKey();
	let page = pages.get(key);
	if (page && page.catalog !== state.catalog) page = void pages.delete(key);
	if (page) {
		pages.delete(key);
		put(page.place);
		page.again?.();
	} else {
		const place = h("div.page");
		put(place);
		page = {...screen.show(place), place, catalog: state.catalog, top: 0};
	}
	pages.set(key, page);
	for (const [name, old] of pages) {
		if (pages.size <= SCREENS_KEPT) break;
		old.end?.();
		pages.delete(name);
	}
	shown = page;
	showing(page);
	scrollTo(0, page.top);
}

let windowsTimer;

function told({from, event, data}) {
	if (event === "lost" || event === "refused") {
		state.isLive = false;
		lostAt ||= Date.now();
		if (event === "refused" && data?.status === 404) lookAgain();
		return head();
	}
	if (!state.isLive) learnAgain();
	state.isLive = true;
	lostAt = 0;
	if (from === "game") {
		take(data);
		const changed = [];
		for (const [key, value] of Object.entries(data.values ?? {})) {
			const before = state.values.get(key);
			if (before && before.source === value.source && same(before.value, value.value)) continue;
			state.values.set(key, {...before, ...value, key});
			changed.push(key);
		}
		shown?.told?.({changed, ...data});
	} else if (event === "state") {
		Object.assign(state, {games: data.games, degraded: data.degraded ?? []});
		served();
	} else if (event === "game") {
		const game = state.games.find(one => one.game === data.game);
		if (game) Object.assign(game, data);
		else lookAgain();
		if (data.game === state.game) take(data);
	} else if (event === "gone") {
		state.games = state.games.filter(one => one.game !== data.game);
		served();
	} else if (event === "degraded") {
		state.degraded = data.degraded ?? [];
	} else if (event === "audit") {
		const {game, action = ""} = data;
		if (action.startsWith("catalog.")) {
			lookAgain();
			if (game === state.game) state.catalog = null, load();
		}
		if (!game || game === state.game) {
			if (action.startsWith("override")) {
				clearTimeout(windowsTimer);
				windowsTimer = setTimeout(async () => shown?.told?.({changed: await readWindows().catch(() => [])}), 60);
			}
			shown?.told?.({audit: data});
		}
	}
	head();
}

async function learnAgain() {
	try { if (await learnCaller()) redraw(); } catch { /* The next answer learns it. */ }
	lookAgain();
}

async function lookAgain() {
	try {
		state.games = (await get("/v1/games")).games;
		served();
	} catch { /* The head says it. */ }
}

function served() {
	bar();
	const isServed = state.games.some(one => one.game === state.game), wasGone = isGone;
	isGone = !isServed;
	if (!isServed && state.game) put(notice(say`${state.game} is not served any more`,
		state.games.length ? "Choose another game above. “gameconfctl status” says why." : noGame));
	else if (wasGone) load();
}

function redraw() {
	for (const page of pages.values()) page.end?.();
	pages.clear();
	if (state.catalog) show();
}

// A role may change while the page is open.
addEventListener("focus", () => learnCaller().then(isOther => isOther && redraw()).catch(() => {}));

// Slow paint effects start behind the first frame.
document.body.className = "ready";

try {
	const given = await enter();
	if (!given) throw new Refusal(401, {detail: `This address has no code. ${reopen}`});
	const [{games}] = await Promise.all([get("/v1/games"), learnCaller()]);
	state.games = games;
	if (!games.length) throw new Refusal(404, {detail: noGame});
	const wanted = named(given);
	await choose({...wanted, game: games.find(one => one.game === wanted.game)?.game ?? games[0].game});
} catch (error) {
	put(notice("The panel cannot be opened", error.message, button("Try again", () => location.reload())));
}
