// The frame: the bar that stays, the screens, and what is done last.

import {Refusal, at, call, enter, follow, get, shellLine} from "/api.js";
import {button, copier, dot, h, icon, notice, refusal, s, small, text, waiting} from "/ui.js";
import {ads, themes} from "/game.js";
import {audit, timeline} from "/people.js";
import {player} from "/player.js";
import {store} from "/store.js";
import * as values from "/values.js";

const screens = [values.screen, values.flags, store, ads, player, themes, audit, timeline];
const $ = id => document.getElementById(id);

const reopen = "Start “gameconfctl panel”, or press Enter where it runs, and open the address it prints.";

export const state = {game: "", player: "", games: [], catalog: null, values: new Map(), revision: 0, isLive: false, degraded: []};

/** The path of the game, or of the player who is chosen. */
export const here = (...segments) => state.player ? at(state.game, "players", state.player, ...segments) : at(state.game, ...segments);
export const ofGame = (...segments) => at(state.game, ...segments);
export const ofPlayer = (...segments) => at(state.game, "players", state.player, ...segments);

let screen = screens[0], shown = null, stop = null, ended = false, loads = 0;

export const say = words => { $("say").textContent = words; };

/**
 * Does something, and shows what was done with the line that does the same and the way back.
 * `undo` is {label, run}; null where there is no way back, which `final` says.
 */
export async function act({method = "POST", path, body, ifMatch, done, line, undo, final}) {
	const answer = await call(method, path, body, {ifMatch});
	if (answer.revision) state.revision = Math.max(state.revision, answer.revision);
	const words = typeof done === "function" ? done(answer.data) : done;
	const back = typeof undo === "function" ? undo(answer) : undo;
	showDone(words, line, back, final);
	shown?.told?.({audit: {player: state.player}, own: true});
	return answer;
}

export const revertOf = (key, player) => ({revision}) => ({
	label: "Undo",
	run: async () => {
		const {entries} = await get(ofGame("audit"), {limit: 20, key, ...player && {player}});
		const entry = entries.find(entry => entry.revision === revision && (entry.player ?? "") === (player ?? ""));
		if (!entry) throw new Refusal(404, {detail: "Its line is older: see Audit."});
		await call("POST", ofGame("audit", entry.id, "revert"), {reason: "undone in the panel"});
		return `${key} is as before.`;
	},
});

function showDone(words, line, back, final) {
	const refused = refusal();
	const undo = back && button([icon("undo"), back.label], async () => {
		undo.disabled = true;
		try {
			showDone(await back.run());
			shown?.told?.({audit: {player: state.player}, own: true});
		} catch (error) {
			undo.disabled = false;
			refused.say(error.message);
		}
	}, {class: "undo"});
	$("done").replaceChildren(
		h("p.what", dot(), text(words, "span")),
		h("div.way", undo, final && small(final), button(icon("reset"), () => { $("done").hidden = true; }, {class: "plain", label: "Dismiss"})),
		lineToCopy(line), refused);
	$("done").hidden = false;
	say(words);
}

export function lineToCopy(line) {
	if (!line) return "";
	return h("div.line", h("code", {dir: "ltr"}, line), copier(() => line, "Copy", {class: "plain", label: "Copy the command line"}));
}

export const mine = (command, words = [], options = {}) => shellLine(command, [state.game, state.player, ...words], options);

/** The way back by another call. */
export const back = (label, words, method, path, body) => ({label, run: async () => {
	await call(method, path, body);
	return words;
}});

export async function attempt(order, refused) {
	refused.say("");
	try { await act(await order()); } catch (error) { refused.say(error.message); }
}

/** A button that does something; a refusal is shown beside it. */
export function deed(label, order, given = {}) {
	const refused = refusal();
	const element = button(label, async () => {
		element.disabled = true;
		await attempt(order, refused);
		element.disabled = false;
	}, given);
	return h("span.deed", element, refused);
}

/** A screen that is drawn again when an event may concern it, never under somebody who types or is asked. */
export function view(place, load, draw, concerns = ({audit, changed}) => audit ? (audit.player ?? "") === state.player : !changed?.length) {
	let timer, isOver = false, isOwn = false, ran = 0;
	const label = element => element?.ariaLabel ?? element?.textContent;
	const run = async () => {
		const at = document.activeElement;
		if (!isOwn && (place.querySelector(".asked") || place.contains(at) && at.matches("input, textarea") && at.value !== at.defaultValue)) return later(1500);
		const own = isOwn, mine = ++ran;
		isOwn = false;
		try {
			const data = await load();
			if (isOver || mine !== ran) return;
			if (!own && place.querySelector(".asked")) return later(1500);
			const focus = place.contains(document.activeElement) ? label(document.activeElement) : null, top = scrollY;
			// A refusal stays until the next try.
			const said = [...place.querySelectorAll(".deed")].map(one => [label(one.firstChild), one.lastChild.textContent]);
			place.replaceChildren(...[draw(data)].flat(Infinity).filter(Boolean));
			for (const one of place.querySelectorAll(".deed")) one.lastChild.say(said.find(([name]) => name === label(one.firstChild))?.[1] ?? "");
			if (focus) [...place.querySelectorAll("button, input, select")].find(element => label(element) === focus)?.focus({preventScroll: true});
			scrollTo(0, top);
		} catch (error) {
			if (!isOver && mine === ran) place.replaceChildren(notice("This cannot be shown", error.message, button("Try again", run)));
		}
	};
	const later = wait => {
		clearTimeout(timer);
		timer = setTimeout(run, wait);
	};
	place.replaceChildren(waiting());
	run();
	return {
		told: event => {
			if (!concerns(event)) return;
			isOwn ||= Boolean(event.own);
			later(60);
		},
		end: () => {
			isOver = true;
			clearTimeout(timer);
		},
	};
}

function bar() {
	const game = h("select", {label: "Game", onchange: event => choose({game: event.target.value, player: ""})},
		state.games.map(({game, title}) => h("option", {value: game, selected: game === state.game}, title ?? game)));
	const people = h("div.picker", {id: "people", popover: "auto", role: "dialog", label: "Player", onbeforetoggle: event => { if (event.newState === "open") fillPeople(people); }});
	$("bar").replaceChildren(
		h("h1.brand", {label: "Game configuration"}, s("svg", {viewBox: "0 0 32 32", "aria-hidden": true}, s("circle", {cx: 16, cy: 16, r: 9}))),
		game,
		h("button.who", {popovertarget: "people", "aria-haspopup": "dialog"}, icon("player"),
			state.player ? text(state.player) : "Everybody", h("i.caret", {"aria-hidden": true})),
		people, h("div.space"), h("div.live", {id: "live"}));
	live();
}

function live() {
	const place = $("live");
	if (!place) return;
	// The daemon's, this game's, and games that are not served, which no other screen shows.
	const degraded = state.degraded.filter(({game, code}) => !game || game === state.game || code === "not_served");
	const isBad = degraded.some(({severity}) => severity !== "warning");
	const [kind, words] = ended ? ["bad", "ended"] : !state.isLive ? ["wait", "reconnecting"]
		: degraded.length ? [isBad ? "bad" : "wait", degraded.map(({code}) => code).join(", ")] : ["good", "live"];
	place.className = "live " + kind;
	place.replaceChildren(dot(), h("span", state.isLive && !ended ? `revision ${state.revision} · ` : "", words));
	$("degraded")?.remove();
	if (state.isLive && degraded.length) $("bar").append(h("p.degraded", {id: "degraded", role: "alert"},
		degraded.map(({game, title, detail}) => `${title}${game && game !== state.game ? ` (${game})` : ""}: ${(detail ?? "").split("\n")[0]} `),
		"The guide “When it says degraded” says what to do."));
}

const recentKey = () => "gameconf-recent-" + state.game;
const recent = () => JSON.parse(localStorage.getItem(recentKey()) ?? "[]");

function fillPeople(list) {
	const pick = player => {
		list.hidePopover();
		choose({player});
	};
	const row = (player, kind) => button([text(player), kind && small(kind)], () => pick(player), {"aria-current": player === state.player ? "true" : null});
	const found = h("div.found");
	let asked = 0;
	const look = async () => {
		const typed = field.value.trim(), mine = ++asked;
		const names = recent().filter(id => id.includes(typed));
		found.replaceChildren(...names.map(id => row(id, "recent")));
		try {
			const {players} = await get(ofGame("players"), {limit: 40, ...typed && {after: typed}});
			if (mine !== asked) return;
			const ids = players.map(player => player.player ?? player).filter(id => id.startsWith(typed) && !names.includes(id));
			found.append(...ids.map(id => row(id)));
			if (typed && !names.includes(typed) && !ids.includes(typed)) found.prepend(row(typed, "this one"));
		} catch (error) {
			found.append(h("p.refusal", {role: "alert"}, error.message));
		}
	};
	const field = h("input", {type: "search", placeholder: "Find a player", label: "Find a player", oninput: look, onkeydown: event => {
		if (event.key === "Enter" && field.value.trim()) pick(field.value.trim());
		if (event.key === "ArrowDown") found.querySelector("button")?.focus();
	}});
	list.replaceChildren(
		button("Everybody", () => pick(""), {"aria-current": state.player ? null : "true", class: "all"}), field,
		button([icon("plus"), "New test player"], () => pick("test-" + Math.random().toString(36).slice(2, 8)), {class: "new"}), found);
	look();
	setTimeout(() => field.focus());
}

function tabs() {
	const known = screens.filter(one => one.fits?.(state.catalog) ?? true);
	if (!known.includes(screen)) screen = known[0];
	$("tabs").replaceChildren(...known.map(one => button([icon(one.icon), h("span", one.title)], () => choose({screen: one.id}), {
		"aria-current": one === screen ? "page" : null,
	})));
	$("tabs").querySelector("[aria-current]").scrollIntoView({block: "nearest"});
}

export async function choose({game = state.game, player = state.player, screen: id = screen.id}) {
	const isOther = game !== state.game || player !== state.player || !state.catalog;
	if (game !== state.game) state.catalog = null;
	Object.assign(state, {game, player});
	screen = screens.find(one => one.id === id) ?? screens[0];
	history.replaceState(null, "", "#" + new URLSearchParams({game, ...player && {player}, screen: screen.id}));
	if (player) localStorage.setItem(recentKey(), JSON.stringify([player, ...recent().filter(one => one !== player)].slice(0, 6)));
	if (isOther) await load();
	else show();
}

async function load() {
	const mine = ++loads;
	stop?.();
	state.isLive = false;
	bar();
	$("done").hidden = true;
	$("main").replaceChildren(waiting());
	try {
		const [catalog, config] = await Promise.all([get(ofGame("catalog")), get(ofGame("config"), {detail: "full", ...state.player && {player: state.player}})]);
		if (mine !== loads) return;
		state.catalog = catalog;
		take(config);
		state.values = new Map(Object.entries(config.values));
	} catch (error) {
		if (mine !== loads) return;
		$("main").replaceChildren(notice("This game cannot be shown", error.message, button("Try again", load)));
		return;
	}
	show();
	stop = follow(state.game, state.player, told);
}

function show() {
	document.title = `${state.catalog?.title ?? state.game} · ${screen.title}`;
	tabs();
	shown?.end?.();
	shown = null;
	if (screen.needsPlayer && !state.player) {
		$("main").replaceChildren(notice(screen.needsPlayer, "Choose one, or make one for a test.",
			h("button", {popovertarget: "people"}, "Choose a player")));
		return;
	}
	shown = screen.show($("main"));
}

function take({revision}) { if (revision) state.revision = Math.max(state.revision, revision); }

function told({from, event, data}) {
	if (event === "lost" || event === "refused") {
		state.isLive = false;
		return live();
	}
	state.isLive = true;
	if (from === "game") {
		take(data);
		const changed = [];
		for (const [key, value] of Object.entries(data.values ?? {})) {
			const before = state.values.get(key);
			if (before && before.source === value.source && JSON.stringify(before.value) === JSON.stringify(value.value)) continue;
			state.values.set(key, {...before, ...value, key});
			changed.push(key);
		}
		shown?.told?.({changed, ...data});
	} else if (event === "state") {
		Object.assign(state, {games: data.games, degraded: data.degraded ?? []});
	} else if (event === "game") {
		const game = state.games.find(one => one.game === data.game);
		if (game) Object.assign(game, data);
		if (data.game === state.game) take(data);
	} else if (event === "degraded") {
		state.degraded = data.degraded ?? [];
	} else if (event === "audit") {
		if (data.action?.startsWith("catalog.") && data.game === state.game) load();
		if (!data.game || data.game === state.game) shown?.told?.({audit: data});
	}
	live();
}

addEventListener("panel-ended", () => {
	ended = true;
	stop?.();
	live();
	$("main").replaceChildren(notice("The panel's program has ended", reopen));
	$("tabs").replaceChildren();
	$("done").hidden = true;
});

try {
	const given = await enter();
	if (!given) throw new Refusal(401, {detail: "This address has no code. " + reopen});
	const {games} = await get("/v1/games");
	state.games = games;
	if (!games.length) throw new Refusal(404, {detail: "The daemon serves no game yet. “gameconfctl status” says where it looks for catalogs."});
	const wanted = given.get("game");
	await choose({
		game: games.find(one => one.game === wanted)?.game ?? games[0].game, player: given.get("player") ?? "", screen: given.get("screen") ?? "values",
	});
} catch (error) {
	$("main").replaceChildren(notice("The panel cannot be opened", error.message, button("Try again", () => location.reload())));
}
