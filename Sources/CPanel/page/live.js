// The screen Live, and the marks of reads beside overrides.

import {follow, get} from "/api.js";
import {here, state} from "/state.js";
import {chip, grow, h, settle, small, text} from "/ui.js";
import {brief, count, say} from "/words.js";

const kinds = {read: "good", event: "yours", watch: "remote", image: "remote", refusal: "bad", left_out: "bad"};
const at = ({revision}) => revision ? say` at revision ${revision}` : "";
const value = one => one.masked ? "(secret)" : one.value_bytes ? say`${one.value_bytes} bytes` : brief(one.value, 60);

const words = {
	read: one => one.key ? [h("code", text(one.key)), ": ", text(value(one), "code"), small(" ", text(one.source ?? ""), one.revision ? say`, revision ${one.revision}` : "")]
		: [one.keys ? text(one.keys.join(", ")) : one.count == null ? text(one.what ?? "") : count(one.count, "value"), one.detail ? [", ", text(one.detail)] : "", small(at(one))],
	watch: one => [{open: "is there", began: "began", sent: "is sent the values", ended: "ended"}[one.what] ?? text(one.what), at(one)],
	image: one => [one.door === "map" ? "written for games that map it" : "sent", at(one)],
	event: one => [text(one.event, "b"), one.score == null ? "" : [", score ", text(brief(one.score))]],
	ad: one => [text(one.placement, "b"), ": ", one.outcome ? text(one.outcome) : one.show ? "to be shown" : ["not shown: ", text(one.reason)]],
	purchase: one => [text(one.product, "b"), ": ", text(one.outcome)],
	refusal: one => [text(one.key ?? one.what), ": ", text(one.code, "code"), " ", text(one.detail)],
	left_out: one => say`${count(one.count, "line")} left out: they came faster than they were taken`,
};

const line = one => h("li", {key: one.id}, small(new Date(one.at).toLocaleTimeString()), grow(h("p", chip(kinds[one.kind] ?? "", one.kind.replace("_", " ")), " ",
	words[one.kind]?.(one) ?? "", one.player ? [" for ", text(one.player)] : "")), small(one.door ? say`by ${one.door} · ` : "", text(one.reader ?? "")));

export function show(place) {
	let lines = [], start = null, refused = "", number = 0, stop, timer;
	const draw = () => {
		timer = null;
		settle(place, [h("section.card", {key: "lines"}, h("h2", "Live", small(start ? say`requests to ${start.host}${state.player ? say` about ${state.player}` : ""}, from now on` : "")),
			refused ? h("p.refusal", {role: "alert"}, refused) : "", start?.detail ? h("p.pad", small(text(start.detail))) : "",
			lines.length ? h("ol.rows", lines.map(line)) : h("p.none", start ? "No request yet. Games that map their file make none." : "Connecting"))]);
	};
	const told = ({event, data}) => {
		if (event === "refused") refused = data?.detail ?? "The daemon refuses it.";
		else if (event === "start") [start, refused] = [data, ""];
		else if (event !== "lost") lines = [{...data, id: ++number}, ...lines].slice(0, 200);
		timer ??= setTimeout(draw, 100);
	};
	const begin = () => { stop ??= follow(state.game, state.player, told, "/panel/live"); };
	// A page that is left frees its place.
	const watch = setInterval(() => {
		if (place.isConnected) return begin();
		stop?.();
		stop = null;
	}, 1000);
	draw();
	begin();
	return {again: begin, end: () => {
		clearInterval(watch);
		stop?.();
	}};
}

/** Marks overrides that a game has requested. */
export async function mark() {
	if (document.hidden || !state.game || !document.querySelector("gc-row[changed], gc-row .read:not(:empty)")) return;
	const {changes} = await get(here("changes")), found = new Map(changes.map(one => [one.key, one.in_force && one.read?.words]));
	for (const row of document.querySelectorAll("gc-row")) {
		const words = row.hasAttribute("changed") && found.get(row.key), place = row.querySelector("small.read") ?? row.querySelector(".what")?.appendChild(h("small.read"));
		if (place) place.textContent = words || "";
	}
}
