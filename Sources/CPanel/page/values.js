// Every value of a game by section; flags are the same list, with kill switches first.

import {mayNot, here, state} from "/state.js";
import {Row} from "/row.js";
import {h, icon, text} from "/ui.js";
import {shown, unchanged} from "/words.js";

const ranks = {kill_switch: 0, ops: 1};
const flagNames = {kill_switch: "Kill switches", ops: "Operations", release: "Release flags"};

function list(place, parameters, sectionOf) {
	const rows = new Map(), sections = new Map();
	let timer;
	const denied = parameters.length ? mayNot("PUT", here("overrides", parameters[0].key)) : null;
	for (const parameter of parameters) {
		const title = sectionOf(parameter);
		if (!sections.has(title)) sections.set(title, h("section.card", h("h2", text(title), h("small"))));
		const row = new Row().take(parameter, denied);
		rows.set(parameter.key, row);
		sections.get(title).append(row);
	}
	const only = h("button.only", {"aria-pressed": "false", onclick: () => {
		only.ariaPressed = String(!isOnly());
		sift();
	}}, "Changed only", h("b"));
	const isOnly = () => only.ariaPressed === "true";
	const field = h("input", {type: "search", placeholder: "Filter by name or section", label: "Filter", "data-filter": "", oninput: () => sift()});
	const none = h("p.none", {hidden: true});
	const sift = () => {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		const found = [];
		let total = 0;
		for (const section of sections.values()) {
			let count = 0;
			for (const row of section.children) {
				if (!row.take) continue;
				const isIn = (!isOnly() || row.isChanged) && words.every(word => row.haystack.includes(word));
				if (!isIn) row.hidden = true;
				else if (row.hidden) found.push(row);
				if (isIn) count++;
			}
			section.hidden = !count;
			section.querySelector("small").textContent = count;
			total += count;
		}
		// What fits on no screen is shown a little later.
		clearTimeout(timer);
		const more = () => {
			for (const row of found.splice(0, 200)) row.hidden = false;
			if (found.length) timer = setTimeout(more);
		};
		more();
		none.hidden = total > 0;
		none.textContent = isOnly() && !words.length ? unchanged : "Nothing fits this filter.";
		counted();
	};
	const counted = () => { only.querySelector("b").textContent = [...rows.values()].filter(row => row.isChanged).length || ""; };
	place.replaceChildren(
		h("div.sift", h("label.find", icon("search"), field), only), ...denied ? [h("p.denied", {id: "denied"}, icon("lock"), h("span", denied))] : [], none, ...sections.values());
	sift();
	return {
		told({changed = []}) {
			for (const key of changed) rows.get(key)?.draw();
			if (changed.length) counted();
			if (changed.length && isOnly()) sift();
		},
		again() {
			for (const row of rows.values()) row.draw();
			sift();
		},
	};
}

export const screen = {
	id: "values", title: "Values", icon: "values",
	show: place => list(place, state.catalog.parameters, parameter => parameter.section ?? "Other"),
};

export const flags = {
	id: "flags", title: "Flags", icon: "flags", fits: catalog => catalog?.parameters.some(parameter => parameter.flag),
	show: place => list(place,
		state.catalog.parameters.filter(parameter => parameter.flag).sort((one, other) => (ranks[one.flag] ?? 2) - (ranks[other.flag] ?? 2)),
		parameter => flagNames[parameter.flag] ?? shown(parameter.flag)),
};
