// One player: scores, achievements, settings, plays, what is changed for them.

import {get} from "/api.js";
import {attempt, back, deed, mine, ofPlayer, state, view} from "/app.js";
import {brief, button, card, chip, copier, dot, grow, h, icon, name, refusal, small, text, time, toggle} from "/ui.js";

function scores({scores, counters, visits}) {
	const set = (label, value, body, option) => {
		const field = h("input", {type: "number", min: 0, value, label: label});
		const change = deed("Set", () => ({
			method: "PATCH", path: ofPlayer(), body: body(Number(field.value)), done: `${label} of ${state.player} is ${field.value}.`,
			line: mine("player score", [], option(field.value)), final: "What was earned stays.",
			undo: back(`Back to ${value}`, `${label} is ${value} again; what was earned stays.`, "PATCH", ofPlayer(), body(value)),
		}), {class: "set", label: `Set ${label}`});
		const row = h("div.score", small(label), field, change);
		field.addEventListener("input", () => row.toggleAttribute("dirty", field.value !== String(value)));
		field.addEventListener("keydown", event => { if (event.key === "Enter") change.firstChild.click(); });
		return row;
	};
	const modes = [...new Set([...state.catalog.modes ?? [], ...Object.keys(scores.best_scores ?? {})])];
	return card("Scores", h("div.scores", set("Lifetime score", scores.lifetime_score, value => ({lifetime_score: value}), value => ({lifetime: value})),
		set("Games played", scores.games_played, value => ({games_played: value}), value => ({games: value})),
		modes.map(mode => set(`Best ${mode}`, scores.best_scores?.[mode] ?? 0, value => ({best_scores: {[mode]: value}}), value => ({best: `${mode}=${value}`})))),
	h("p.pad", small(`${visits.count} visits`, visits.active_at ? [", active ", time(visits.active_at)] : "", counters.length ? " · " : "", counters.map(one => `${one.event} ${one.count}`).join(" · "))));
}

const medals = milestones => milestones.length ? card(["Milestones and achievements", small(`${milestones.filter(one => one.unlocked).length} of ${milestones.length}`)],
	h("ul.medals", milestones.map(one => h("li", {class: one.unlocked ? "lit" : null, "--part": Math.min(1, one.value / (one.target || 1))}, h("i.medal", {"aria-hidden": true}, one.unlocked ? icon("check") : ""),
		grow(text(name(one.name, one.milestone), "b"), small(one.unlocked ? "reached" : `${one.value} of ${one.target}`)))))) : null;

function settings(rows) {
	if (!rows.length) return null;
	return card("Settings of the player", h("ul.rows", rows.map(({key, value, effective, source, shadowed_by}) => {
		const path = ofPlayer("settings", key), refused = refusal();
		const undo = value === null ? back("Back to no choice", `${key} is as before.`, "DELETE", path) : back(`Back to ${brief(value, 16)}`, `${key} is as before.`, "PUT", path, {value});
		const change = wanted => attempt(() => ({
			method: "PUT", path, body: {value: wanted}, done: `${state.player} chose ${brief(wanted)} for ${key}.`, undo,
			line: typeof wanted === "object" ? null : mine("player settings", [key, wanted]),
		}), refused);
		const parameter = state.catalog.parameters.find(one => one.key === key) ?? {};
		const among = parameter.enum ?? (parameter.one_of?.themes && state.catalog.themes.map(theme => theme.id));
		const control = parameter.type === "boolean" ? toggle(key, effective === true, change)
			: among ? h("select", {label: key, onchange: event => change(among[event.target.selectedIndex])}, among.map(one => h("option", {selected: one === effective}, String(one))))
				: h("input", {label: key, value: typeof effective === "string" ? effective : JSON.stringify(effective), dir: "auto", onchange: event => {
					let wanted = event.target.value;
					if (parameter.type !== "string") try { wanted = JSON.parse(wanted); } catch { /* the daemon says what it should be */ }
					change(wanted);
				}});
		return h("li", grow(h("code", text(key)), shadowed_by ? small(" hidden by ", text(shadowed_by)) : ""), control, chip(value === null ? "" : "chosen", source),
			value === null ? "" : deed(icon("reset"), () => ({method: "DELETE", path, done: `${key} is no longer chosen.`, line: mine("player settings", [key], {reset: true}), undo}), {class: "plain", label: `Forget the choice of ${key}`}), refused);
	})));
}

const changed = changes => card(["Changed by people", small(changes.length)], changes.length ? h("ul.rows", changes.map(one => h("li",
	grow(h("b", one.what), " ", one.key ? h("code", text(one.key)) : "", one.value === undefined ? "" : [" = ", text(brief(one.value), "code")], h("p", small(text(one.author?.name ?? ""), " ", time(one.at) ?? "", one.reason ? [": ", text(one.reason)] : "", one.detail ? [" · ", text(one.detail)] : ""))),
	one.until ? chip("remote", "until ", time(one.until)) : "", one.in_force ? "" : chip("", "not in force")))) : h("p.none", "Nothing: this player sees what everybody sees."));

const plays = list => list.length ? card("Plays", h("ul.rows", list.map(one => h("li", dot(one.open), grow(h("code", text(one.play)), small(` ${one.keys} values pinned at revision ${one.revision}, `, time(one.opened_at))),
	one.open ? deed("Close", () => ({path: ofPlayer("plays", one.play, "close"), body: {}, done: `The play ${one.play} is closed.`, line: mine("play close", [one.play]), final: "A closed play stays closed."})) : chip("", "closed"))))) : null;

/** The player as a scenario's file, for `gameconfctl scenario run`. */
function scenario(player, changes) {
	const overrides = Object.fromEntries(changes.filter(one => one.what === "override" && one.player && !one.until).map(one => [one.key, one.value]));
	const {lifetime_score, games_played, best_scores} = player.scores;
	return {title: `as ${state.player} was`, games: {[state.game]: {overrides, players: {one: {scores: {lifetime_score, games_played, best_scores}}}}}};
}

function ends(page, changes) {
	return card("This player", h("p.pad", small("Context: "), h("code", text(JSON.stringify(page.context)))), h("div.acts.pad", 
		copier(() => JSON.stringify(scenario(page, changes), null, 2), "Copy as a scenario"),
		ask("Forget this player", "Everything about this player goes, for ever.", () => ({method: "DELETE", path: ofPlayer(), done: `${state.player} is forgotten.`, line: mine("player forget", [], {yes: true}), final: "Nothing brings a forgotten player back."}))));
}

function ask(label, words, order) {
	const place = h("span.ask", button(label, () => {
		place.replaceChildren(small(words), deed("Yes, forget", order, {class: "danger"}), button("Keep", () => place.replaceWith(ask(label, words, order))));
		place.className = "ask asked";
		place.lastChild.focus();
	}, {class: "danger"}));
	return place;
}

export const player = {
	id: "player", title: "Player", icon: "player", needsPlayer: "Scores and settings belong to a player",
	show: place => view(place, () => Promise.all([get(ofPlayer()), get(ofPlayer("changes")), get(ofPlayer("plays"))]),
		([page, {changes}, {plays: list}]) => [scores(page), medals(page.milestones ?? []), h("div.pair", settings(page.settings ?? []), changed(changes)), plays(list), ends(page, changes)],
		event => event.themes || event.ads || event.entitlements || event.audit?.player === state.player || event.changed?.length),
};
