// The screens Ads and Themes: pacing as rings, themes drawn from the catalog's palettes and shapes.

import {get, shellLine} from "/api.js";
import {attempt, deed, here, mine, ofPlayer, revertOf, state, view} from "/app.js";
import {chip, grow, h, icon, lowest, name, refusal, s, small, text, time} from "/ui.js";

const ring = (part, words, label) => s("svg", {viewBox: "0 0 120 120", class: "ring", role: "img", "aria-label": label},
	s("circle", {cx: 60, cy: 60, r: 50}),
	s("circle", {cx: 60, cy: 60, r: 50, class: "part", pathLength: 100, "stroke-dasharray": `${Math.round(Math.min(1, part) * 100)} 100`, transform: "rotate(-90 60 60)"}),
	s("text", {x: 60, y: 58, class: "big"}, words[0]), s("text", {x: 60, y: 78}, words[1]));

const said = word => String(word).toLowerCase().replaceAll("_", " ");

/** The decision that the newest event of a placement brought, until its outcome is reported. */
const decisions = new Map();

function eventForm(catalog, placement) {
	const declared = catalog.events.find(one => one.event === placement.event) ?? {event: placement.event};
	const mode = declared.modes?.length ? h("select", {label: "Mode"}, declared.modes.map(one => h("option", {value: one}, one))) : null;
	const score = declared.score ? h("input", {type: "number", min: 0, value: 10, label: "Score"}) : null;
	return h("div.acts", mode, score, deed([icon("ads"), `Play ${placement.event}`], () => {
		const body = {event: placement.event, ...mode && {mode: mode.value}, ...score && {score: Number(score.value)}};
		return {
			path: ofPlayer("events"), body, final: "What happened stays.",
			line: mine("ads event", [placement.event], {mode: mode?.value, score: score?.value}),
			done: ({ads = {}, unlocked}) => {
				const told = ads[placement.placement ?? placement.id];
				if (told?.decision_id) decisions.set(placement.id, told.decision_id);
				const themes = Object.values(unlocked?.themes ?? {}).map(theme => theme.name);
				return `${placement.event}: ${told?.show ? "an ad shows" : told ? "no ad, " + said(told.reason) : "recorded"}${themes.length ? "; unlocked " + themes.join(", ") : ""}.`;
			},
		};
	}, {class: "primary"}));
}

function placementCard(catalog, placement, status) {
	const {counters, next, would_show, reason} = status;
	const words = (act, ...more) => mine(`ads ${act}`, [placement.id, ...more]);
	const decision = decisions.get(placement.id);
	const report = outcome => deed(said(outcome), () => ({path: ofPlayer("ads", placement.id, "reports"), body: {decision_id: decision, outcome}, done: () => decisions.delete(placement.id) && `The ad at ${placement.id}: ${said(outcome)}.`, line: words("report", decision, outcome), final: "A report stays."}));
	return h("section.card.ad", ring(counters.every ? counters.events / counters.every : 0, [`${counters.events} of ${counters.every}`, placement.event], `${counters.events} of ${counters.every} events before the next ad`),
		grow(h("h2", text(placement.id), " ", chip(would_show ? "good" : "", would_show ? "the next event shows an ad" : said(reason))),
			h("p", text(placement.format), " on ", text(placement.event), placement.enabled === false ? " · switched off" : ""),
			h("dl.facts", [["Next ad", next?.blocked_by ? said(next.blocked_by) : next ? `after ${next.events} events${next.visits ? `, ${next.visits} visits` : ""}` : "unknown"],
				next?.not_before && ["Not before", time(next.not_before)], ["Shown ever", counters.shows_ever], ["In this visit", counters.shows_in_visit], counters.last_show_at && ["Last shown", time(counters.last_show_at)],
				placement.exempt?.length && ["Without ads", placement.exempt.join(", ")]].filter(Boolean).map(([title, value]) => h("div", h("dt", title), h("dd", value)))),
			counters.forced ? h("p.chip.yours", "forced: the next event shows one") : "", counters.owed ? h("p.chip.remote", "owed") : "",
			eventForm(catalog, placement),
			decision ? h("div.acts", {role: "group", label: "Outcome of the ad"}, small("The ad that is due:"), ["shown", "closed", "no_fill", "failed", ...placement.format.startsWith("rewarded") ? ["rewarded"] : []].map(report)) : "",
			h("div.acts", deed("Show one next", () => ({path: ofPlayer("ads", placement.id, "force"), body: {}, done: `The next ${placement.event} of ${state.player} shows an ad.`, line: words("force"), final: "Reset takes it back."})),
				deed("Count from 0", () => ({path: ofPlayer("ads", placement.id, "reset"), body: {}, done: `${placement.id} counts from 0 for ${state.player}.`, line: words("reset"), final: "The count stays 0."})))));
}

export const ads = {
	id: "ads", title: "Ads", icon: "ads", needsPlayer: "Ads are counted for a player", fits: catalog => catalog?.placements?.length,
	show: place => view(place, () => Promise.all(state.catalog.placements.map(one => get(ofPlayer("ads", one.id)))),
		all => all.map((status, at) => placementCard(state.catalog, state.catalog.placements[at], status)),
		event => event.ads || event.audit?.player === state.player || event.changed?.length),
};

const drawn = {
	circle: "M0-9a9 9 0 1 0 0 18 9 9 0 1 0 0-18z", leaf: "M-8 8C-9-4-2-9 9-9 9 2 4 9-8 8z", drop: "M0-10C5-3 8 0 8 4a8 8 0 0 1-16 0c0-4 3-7 8-14z",
	moon: "M4-9A9.5 9.5 0 1 0 9 5 8 8 0 0 1 4-9z", sparkles: "M0-10 2.5-2.5 10 0 2.5 2.5 0 10-2.5 2.5-10 0-2.5-2.500z",
	flame: "M0 10c-5 0-8-3-8-7 0-5 5-6 4-13 5 2 6 6 6 8 1-1 2-2 2-3 3 3 4 5 4 8 0 4-3 7-8 7z", cross: "M-3-9h6v6h6v6h-6v6h-6v-6h-6v-6h6z",
	star: "M0-10 3-3.500l7 .8-5 4.7 1.4 7L0 5.5-6.4 9-5 2l-5-4.7 7-.800z",
};
const spots = [[34, 40, 0, 1], [92, 28, 40, .8], [150, 58, -30, 1.2], [66, 82, 100, .9], [118, 92, 200, .7], [182, 24, 60, .6]];

/** A theme as the game draws it. Nothing but colours and known shapes is taken from the catalog. */
function board({background, grid, dot_shape}) {
	const colour = (given, usual) => /^#[0-9a-f]{6}$/i.test(given) ? given : usual, line = colour(grid, "#4ade80");
	const symbol = typeof dot_shape === "string" ? dot_shape : dot_shape?.asset?.fallback_symbol ?? dot_shape?.random_assets?.fallback_symbol ?? "circle";
	const path = drawn[symbol.split(".")[0]] ?? drawn.circle;
	return s("svg", {viewBox: "0 0 216 120", class: "board", "aria-hidden": true}, s("rect", {width: 216, height: 120, fill: colour(background, "#05060a")}),
		s("path", {d: [24, 48, 72, 96].map(y => `M0 ${y}h216`).join("") + [24, 48, 72, 96, 120, 144, 168, 192].map(x => `M${x} 0v120`).join(""), stroke: line, "stroke-opacity": .22}),
		...spots.map(([x, y, turn, size]) => s("g", {transform: `translate(${x} ${y}) rotate(${turn}) scale(${size})`}, s("circle", {r: 17, fill: line, "fill-opacity": .14}), s("path", {d: path, fill: line}))));
}

function themeCard(theme) {
	const {theme: id, kind, unlocked, by, progress, milestone, unlocks_with: among} = theme;
	const declared = state.catalog.milestones?.find(one => one.id === by), key = declared?.at?.parameter;
	const chosen = state.values.get("selected_theme")?.value === id;
	const range = state.catalog.parameters.find(one => one.key === key)?.range ?? {};
	let slider = null;
	if (kind === "milestone" && key) {
		const most = Math.max(milestone * 2, progress?.value ?? 0, 100), at = milestone;
		const label = h("output", at), field = h("input", {type: "range", min: lowest(range.min ?? 1, range.step), max: Math.min(range.max ?? most, most), step: range.step ?? 1, value: at, label: `Points that unlock ${name(theme.name, id)}`, "--fill": at / most});
		const refused = refusal();
		field.addEventListener("input", () => {
			label.value = field.value;
			field.style.setProperty("--fill", field.value / most);
		});
		field.addEventListener("change", () => attempt(() => ({
			method: "PUT", path: here("overrides", key), body: {value: Number(field.value)}, undo: revertOf(key, state.player),
			done: `${name(theme.name, id)} unlocks at ${field.value} points for ${state.player || "everybody"}.`,
			line: shellLine("themes milestone", [state.game, id, field.value], {player: state.player}),
		}), refused));
		slider = h("div.mile", field, progress ? h("i.mark", {"--at": Math.min(1, progress.value / most)}) : "",
			h("p", small(progress ? `${progress.value} of ` : "at ", label, " points")), refused);
	}
	return h("article", {class: unlocked ? "tile theme lit" : "tile theme"}, board(theme.attributes ?? {}),
		h("h2", text(name(theme.name, id)), state.player ? chip(unlocked ? "good" : "", unlocked ? "unlocked" : "locked") : "", chosen ? chip("chosen", "chosen") : ""),
		h("p", small(kind === "free" ? "free for everybody" : kind === "entitlement" ? ["comes with ", text((among ?? [by]).join(" or "))] : ["by the milestone ", text(by)])), slider);
}

export const themes = {
	id: "themes", title: "Themes", icon: "themes", fits: catalog => catalog?.themes?.length,
	show: place => view(place, () => get(here("themes")), ({themes}) => h("div.tiles.wide", themes.map(themeCard)),
		event => event.themes || event.audit?.player === state.player || event.changed?.length),
};
