// The screens Audit and Time line: the audit log, and windows and scenarios on bars.

import {get, segment, shellLine} from "/api.js";
import {back, deed, lineToCopy, ofGame, state, view} from "/app.js";
import {brief, card, chip, day, dot, grow, h, icon, parsed, small, text, time, unchanged} from "/ui.js";

const shown = value => value === undefined ? "–" : value === null ? "hidden" : brief(value, 40);
const canRevert = action => /^(override|catalog)\./.test(action) && action !== "catalog.accept";

function entry(one) {
	return h("li", grow(h("p", text(one.author?.name ?? "?", "b"), " ", chip(one.action.startsWith("override") ? "yours" : "", one.action), " ", one.key ? h("code", text(one.key)) : "", one.player ? [" for ", text(one.player)] : ""),
		one.before !== undefined || one.after !== undefined ? h("p.change", text(shown(one.before), "code"), " → ", text(shown(one.after), "code")) : "", one.reason ? h("p", small("“", text(one.reason), "”")) : ""),
	small(time(one.at)), canRevert(one.action) ? deed([icon("undo"), "Undo"], () => ({path: ofGame("audit", one.id, "revert"), body: {reason: "undone in the panel"}, done: `Line ${one.id} is undone: ${one.key ?? one.action}.`, line: shellLine("audit revert", [state.game, one.id])}), {label: `Undo line ${one.id}`}) : "");
}

export const audit = {
	id: "audit", title: "Audit", icon: "audit",
	show: place => view(place, () => get(ofGame("audit"), {limit: 100, ...state.player && {player: state.player}}),
		({entries}) => h("section.card", h("h2", "Changes", small(state.player && ["for ", text(state.player), ": "], entries.length)),
			entries.length ? h("ol.rows", entries.map(entry)) : h("p.none", "Nothing yet.")),
		event => event.audit),
};

function bar(one, begin, end) {
	const part = instant => Math.min(1, Math.max(0, (Date.parse(instant) - begin) / (end - begin)));
	const from = part(one.from ?? one.at ?? new Date(begin)), until = one.until ? part(one.until) : 1;
	return h("div.lane", h("div.name", text(one.key ?? one.what, "code"), small(one.value === undefined ? "" : [" ", text(shown(one.value))], one.player ? [" for ", text(one.player)] : "", one.overlaps ? chip("bad", "overlaps") : "")),
		h("div.span", {role: "img", label: `${one.from ? "from " + day(one.from) : "since " + day(one.at)} ${one.until ? "until " + day(one.until) : "until removed"}`}, h("i", {class: one.scenario ? "held" : one.until ? "window" : "standing", "--from": from, "--until": until})),
		h("small.when", one.until ? ["ends ", time(one.until)] : "until removed"));
}

function lanes(changes) {
	const now = Date.now(), timed = changes.filter(one => one.from || one.until);
	const end = Math.max(now + 36e5, ...timed.map(one => Date.parse(one.until ?? one.from))) + 6e5, begin = Math.min(now - 6e5, ...timed.map(one => Date.parse(one.from ?? one.at)));
	for (const one of timed) one.overlaps = timed.some(other => other !== one && other.key === one.key && (other.player ?? "") === (one.player ?? "") && Date.parse(other.from) < Date.parse(one.until) && Date.parse(one.from) < Date.parse(other.until));
	return h("div.lanes", {"--now": (now - begin) / (end - begin)}, changes.map(one => bar(one, begin, end)));
}

function scenarios(list) {
	return card(["Scenarios in force", small(list.length)], list.length ? h("ul.rows", list.map(one => h("li", dot(), grow(text(one.title ?? one.id, "b"), h("p", small(h("code", text(one.id)), " by ", text(one.author?.name ?? "?"), ", began ", time(one.started_at), one.reason ? [": ", text(one.reason)] : ""))),
		chip("remote", "lease ", time(one.lease_until)), deed("End", () => ({method: "DELETE", path: `/v1/scenarios/${segment(one.id)}`, done: `The scenario ${one.id} is taken back.`, line: shellLine("scenario end", [one.id], {yes: true}), final: "Begin it again to have it back."}), {label: `End ${one.id}`}))))
		: h("p.none", "None. “gameconfctl scenario run FILE” puts one in force for as long as a command runs."), begin());
}

function begin() {
	const area = h("textarea", {label: "Scenario", rows: 2, spellcheck: "false", placeholder: `{"games": {"${state.game}": {"overrides": {}}}}`});
	return h("details.pad", h("summary", "Begin one"), area, h("div.acts", deed("Begin for 10 minutes", () => ({path: "/v1/scenarios", body: {lease_seconds: 600, ...parsed(area.value)}, done: ({id}) => `The scenario ${id} is in force.`, line: null, undo: ({data}) => (back("End", `The scenario ${data.id} is taken back.`, "DELETE", `/v1/scenarios/${segment(data.id)}`))}), {class: "primary"})));
}

export const timeline = {
	id: "timeline", title: "Time line", icon: "scenarios",
	show: place => view(place, () => Promise.all([get(ofGame("changes"), {players: "all"}), get("/v1/scenarios")]),
		([{changes}, list]) => [
			card(["What is changed, and until when", small(changes.length)], changes.length ? lanes(changes) : h("p.none", unchanged)),
			scenarios(list.scenarios),
			card("Templates and rollouts", h("div.pad", lineToCopy(shellLine("template versions", [state.game])))),
		],
		event => event.audit || event.changed?.length),
};
