// The screen Player: scores, milestones, settings, plays, and what is changed.

import {call, get} from "/api.js";
import {concern, deed, view} from "/acts.js";
import {field} from "/controls.js";
import {back, ofPlayer, parameterOf, state} from "/state.js";
import {because, card, chip, copier, dot, grow, h, icon, keyOf, rows, small, term, text, time} from "/ui.js";
import {brief, count, json, name, say, sourceMeaning, sourceName} from "/words.js";

function scores({scores, counters, visits}) {
	const set = (label, value, body) => h("div.score", small(label), field(label, {type: "integer"}, value, ["PATCH", ofPlayer()], wanted => ({
		body: body(wanted), done: say`${label} of ${state.player} is ${wanted}.`, final: "What was earned stays.",
		undo: back(say`Back to ${value}`, say`${label} is ${value} again; what was earned stays.`, "PATCH", ofPlayer(), body(value)),
	})));
	const modes = [...new Set([...state.catalog.modes ?? [], ...Object.keys(scores.best_scores ?? {})])];
	return card("Scores", h("div.scores", set("Lifetime score", scores.lifetime_score, value => ({lifetime_score: value})),
		set("Games played", scores.games_played, value => ({games_played: value})),
		modes.map(mode => set(say`Best ${mode}`, scores.best_scores?.[mode] ?? 0, value => ({best_scores: {[mode]: value}})))),
	h("p.pad", small(count(visits.count, "visit"), visits.active_at ? [", active ", time(visits.active_at)] : "", counters.length ? " · " : "", counters.map(one => say`${one.event} ${one.count}`).join(" · "))));
}

/** The order that reaches a milestone, by its counter or by events; null if neither does. */
function reach(one, {scores}) {
	const title = name(one.name, one.milestone), {count: counter, target} = one, done = say`${title} is reached for ${state.player}.`, missing = target - one.value;
	const set = (body, before) => ({
		method: "PATCH", path: ofPlayer(), body, done, final: "What was earned stays.",
		undo: back("Undo the score", say`The score is as before; ${title} stays reached.`, "PATCH", ofPlayer(), before),
	});
	if (counter === "lifetime_score") return set({lifetime_score: target}, {lifetime_score: scores.lifetime_score});
	if (counter === "games_played") return set({games_played: target}, {games_played: scores.games_played});
	const mode = counter?.best_score, best = value => ({best_scores: {[mode]: value}});
	if (mode) return set(best(target), best(scores.best_scores?.[mode] ?? 0));
	const event = counter?.events, declared = state.catalog.events?.find(each => each.event === event);
	if (!declared || missing > 25) return null;
	const path = ofPlayer("events"), body = {event, ...declared.modes?.length && {mode: declared.modes[0]}, ...declared.score && {score: 0}};
	return {path, body, done, final: "What happened stays.", more: async () => {
		for (let left = missing; left > 1; left--) await call("POST", path, body);
	}};
}

const medals = page => {
	const milestones = page.milestones ?? [];
	return milestones.length ? card(["Milestones and achievements", small(say`${milestones.filter(one => one.unlocked).length} of ${milestones.length}`)],
		h("ul.medals", milestones.map(one => {
			const order = !one.unlocked && one.target != null ? reach(one, page) : null, title = name(one.name, one.milestone);
			return h("li", {key: one.milestone, class: one.unlocked ? "lit" : null, "--part": Math.min(1, one.value / (one.target || 1))}, h("i.medal", {"aria-hidden": true}, one.unlocked ? icon("check") : ""),
				grow(text(title, "b"), small(one.unlocked ? "reached" : say`${one.value} of ${one.target}`)), order ? deed("Reach", order, {class: "small", label: say`Reach ${title}`}) : "");
		}))) : null;
};

function settings(list) {
	return list.length ? card("Settings of the player", rows(list, ({key, value, effective, source, shadowed_by}) => {
		const path = ofPlayer("settings", key), isChosen = value !== null, parameter = parameterOf(key) ?? {};
		const undo = isChosen ? back(say`Back to ${brief(value, 16)}`, say`${key} is as before.`, "PUT", path, {value}) : back("Back to no choice", say`${key} is as before.`, "DELETE", path);
		const control = field(key, parameter, effective, ["PUT", path], wanted => ({body: {value: wanted}, done: say`${state.player} chose ${brief(wanted)} for ${key}.`, undo}));
		return h("li", {key}, grow(h("code", text(key)), shadowed_by ? small(" hidden by ", text(sourceName(shadowed_by))) : ""), control, h("span", {class: isChosen ? "chip chosen" : "chip", title: sourceMeaning(source)}, sourceName(source)),
			isChosen ? deed(icon("reset"), {method: "DELETE", path, done: say`${key} is no longer chosen.`, undo}, {class: "plain", label: say`Forget the choice of ${key}`}) : "");
	})) : null;
}

const changed = changes => card(["Changed by people", small(changes.length)], rows(changes, one => h("li", {key: json([one.what, one.key, one.from])},
	grow(text(one.what, "b"), " ", keyOf(one), one.value === undefined ? "" : [" = ", text(brief(one.value), "code")], h("p", small(text(one.author?.name ?? ""), " ", time(one.at) ?? "", because(one), one.detail ? [" · ", text(one.detail)] : ""))),
	one.until ? chip("remote", "until ", time(one.until, "at")) : "", one.in_force ? "" : chip("", "not in force")), "Nothing: this player sees what everybody sees."));

const plays = list => list.length ? card("Plays", rows(list, one => h("li", {key: one.play}, dot(one.open ? "" : "off"), grow(h("code", text(one.play)), small(say` ${count(one.keys, "value")} `, term("pinned", "A play keeps the values it began with until it closes."), say` at revision ${one.revision}, `, time(one.opened_at))),
	one.open ? deed("Close", {path: ofPlayer("plays", one.play, "close"), body: {}, done: say`The play ${one.play} is closed.`, final: "A closed play stays closed."}, {label: say`Close the play ${one.play}`}) : chip("", "closed")))) : null;

function scenario(player, changes) {
	const overrides = Object.fromEntries(changes.filter(one => one.what === "override" && one.player && !one.until).map(one => [one.key, one.value]));
	const {lifetime_score, games_played, best_scores} = player.scores;
	return {title: say`as ${state.player} was`, games: {[state.game]: {overrides, players: {one: {scores: {lifetime_score, games_played, best_scores}}}}}};
}

function ends(page, changes) {
	return card("This player", h("p.pad", small("Context: "), h("code", text(json(page.context)))), h("div.acts.pad",
		copier(() => json(scenario(page, changes), null, 2), "Copy as a scenario"),
		deed("Forget this player", {method: "DELETE", path: ofPlayer(), sure: "Everything about this player goes, for ever.", done: say`${state.player} is forgotten.`, final: "Nothing brings a forgotten player back."}, {class: "danger"})));
}

export const player = {
	id: "player", title: "Player", icon: "player", needsPlayer: "Scores and settings belong to a player",
	show: place => view(place, () => Promise.all([get(ofPlayer()), get(ofPlayer("changes")), get(ofPlayer("plays"))]),
		([page, {changes}, {plays: list}]) => [scores(page), medals(page), h("div.pair", settings(page.settings ?? []), changed(changes)), plays(list), ends(page, changes)],
		event => event.themes || event.ads || concern("entitlements")(event)),
};
