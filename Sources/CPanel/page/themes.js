// The screen Themes: how they look, and the points that unlock them.

import {get} from "/api.js";
import {concern, view} from "/acts.js";
import {field} from "/controls.js";
import {here, parameterOf, revertOf, state} from "/state.js";
import {chip, h, s, small, text} from "/ui.js";
import {name, say, whom} from "/words.js";

const drawn = {
	circle: "M0-9a9 9 0 1 0 0 18 9 9 0 1 0 0-18z", leaf: "M-8 8C-9-4-2-9 9-9 9 2 4 9-8 8z", drop: "M0-10C5-3 8 0 8 4a8 8 0 0 1-16 0c0-4 3-7 8-14z",
	moon: "M4-9A9.5 9.5 0 1 0 9 5 8 8 0 0 1 4-9z", sparkles: "M0-10 2.5-2.5 10 0 2.5 2.5 0 10-2.5 2.5-10 0-2.5-2.5z",
	flame: "M0 10c-5 0-8-3-8-7 0-5 5-6 4-13 5 2 6 6 6 8 1-1 2-2 2-3 3 3 4 5 4 8 0 4-3 7-8 7z", cross: "M-3-9h6v6h6v6h-6v6h-6v-6h-6v-6h6z",
	star: "M0-10 3-3.5l7 .8-5 4.7 1.4 7L0 5.5-6.4 9-5 2l-5-4.7 7-.8z",
};
const spots = [[34, 40, 0, 1], [92, 28, 40, .8], [150, 58, -30, 1.2], [66, 82, 100, .9], [118, 92, 200, .7], [182, 24, 60, .6]];

/** A theme as the game draws it, of colours and known shapes alone. */
function board({background, grid, dot_shape}) {
	const colour = (given, usual) => /^#[0-9a-f]{6}$/i.test(given) ? given : usual, line = colour(grid, "#4ade80");
	const symbol = typeof dot_shape === "string" ? dot_shape : dot_shape?.asset?.fallback_symbol ?? dot_shape?.random_assets?.fallback_symbol ?? "circle";
	const path = drawn[symbol.split(".")[0]] ?? drawn.circle;
	return s("svg", {viewBox: "0 0 216 120", class: "board", "aria-hidden": true}, s("rect", {width: 216, height: 120, fill: colour(background, "#05060a")}),
		s("path", {d: [24, 48, 72, 96].map(y => `M0 ${y}h216`).join("") + [24, 48, 72, 96, 120, 144, 168, 192].map(x => `M${x} 0v120`).join(""), stroke: line, "stroke-opacity": .22}),
		...spots.map(([x, y, turn, size]) => s("g", {transform: `translate(${x} ${y}) rotate(${turn}) scale(${size})`}, s("circle", {r: 17, fill: line, "fill-opacity": .14}), s("path", {d: path, fill: line}))));
}

function points({milestone, progress, name: names}, key, id) {
	const parameter = parameterOf(key) ?? {}, {range = {}, default: usual = milestone} = parameter, title = name(names, id);
	const most = Math.max(usual * 2, milestone, progress?.value ?? 0, 100);
	return [field(say`Points that unlock ${title}`, {...parameter, range: {min: 1, step: 1, ...range, max: Math.min(range.max ?? most, most)}}, milestone,
		["PUT", here("overrides", key)], value => ({body: {value}, undo: revertOf(key), done: say`${title} unlocks at ${value} points for ${whom(state.player)}.`})),
	h("div", {key: "progress"}, progress ? h("div.bar", {"aria-hidden": true, "--part": Math.min(1, progress.value / milestone)}) : "", small(progress ? say`${progress.value} of ${milestone} points` : say`at ${milestone} points`))];
}

function themeCard(theme) {
	const {theme: id, kind, unlocked, by, unlocks_with: among} = theme;
	const key = state.catalog.milestones?.find(one => one.id === by)?.at?.parameter;
	const isChosen = state.values.get("selected_theme")?.value === id;
	return h("article", {key: id, class: unlocked ? "tile theme lit" : "tile theme"}, board(theme.attributes ?? {}),
		h("h2", text(name(theme.name, id)), state.player ? chip(unlocked ? "good" : "", unlocked ? "unlocked" : "locked") : "", isChosen ? chip("chosen", "chosen") : ""),
		h("p", small(kind === "free" ? "free for everybody" : kind === "entitlement" ? ["comes with ", text((among ?? [by]).join(" or "))] : [say`by the ${kind === "parameter" ? "flag" : kind} `, text(by)])),
		kind === "milestone" && key ? points(theme, key, id) : null);
}

export const themes = {
	id: "themes", title: "Themes", icon: "themes", fits: catalog => catalog?.themes?.length,
	show: place => view(place, () => get(here("themes")), ({themes}) => h("div.tiles.wide", {key: "themes"}, themes.map(themeCard)), concern("themes")),
};
