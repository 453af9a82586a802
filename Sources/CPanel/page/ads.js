// The screen Ads: pacing as rings, events, and the outcomes of ads.

import {get} from "/api.js";
import {concern, deed, view} from "/acts.js";
import {ofPlayer, state} from "/state.js";
import {chip, grow, h, icon, kept, s, select, small, term, text, time} from "/ui.js";
import {count, plain, say} from "/words.js";

const ring = (part, words, label) => s("svg", {viewBox: "0 0 120 120", class: "ring", role: "img", "aria-label": label},
	s("circle", {cx: 60, cy: 60, r: 50}),
	s("circle", {cx: 60, cy: 60, r: 50, class: "part", pathLength: 100, "stroke-dasharray": `${Math.round(Math.min(1, part) * 100)} 100`, transform: "rotate(-90 60 60)"}),
	s("text", {x: 60, y: 58, class: "big"}, words[0]), s("text", {x: 60, y: 78}, words[1]));

/** The decisions whose outcome is not reported, by game, player and placement. */
const decisions = new Map();
const decisionKey = placement => JSON.stringify([state.game, state.player, placement]);

function eventForm(catalog, placement) {
	const declared = catalog.events.find(one => one.event === placement.event) ?? {event: placement.event};
	const mode = declared.modes?.length ? select("Mode", declared.modes.map(one => [one, one])) : null;
	const score = declared.score ? h("input", {type: "number", min: 0, value: 10, label: "Score"}) : null;
	return h("div.acts", {key: "event"}, mode, score, deed([icon("ads"), say`Play ${placement.event}`], {
		path: ofPlayer("events"), final: "What happened stays.",
		more: () => ({body: {event: placement.event, ...mode && {mode: kept(mode).value}, ...score && {score: Number(kept(score).value)}}}),
		done: ({ads = {}, unlocked}) => {
			const told = ads[placement.placement ?? placement.id];
			if (told?.decision_id) decisions.set(decisionKey(placement.id), told.decision_id);
			const themes = Object.values(unlocked?.themes ?? {}).map(theme => theme.name);
			return say`${placement.event}: ${told?.show ? "an ad shows" : told ? say`no ad, ${plain(told.reason)}` : "recorded"}${themes.length ? say`; unlocked ${themes.join(", ")}` : ""}.`;
		},
	}, {class: "primary", label: say`Play ${placement.event} at ${placement.id}`}));
}

function placementCard(catalog, placement, status) {
	const {counters, next, would_show, reason} = status;
	const path = (...more) => ofPlayer("ads", placement.id, ...more);
	const key = decisionKey(placement.id), decision = decisions.get(key);
	const report = outcome => deed(plain(outcome), {
		path: path("reports"), body: {decision_id: decision, outcome}, final: "A report stays.",
		done: () => {
			decisions.delete(key);
			return say`The ad at ${placement.id}: ${plain(outcome)}.`;
		},
	});
	const facts = [["Next ad", next?.blocked_by ? plain(next.blocked_by) : next ? say`after ${count(next.events, "event")}${next.visits ? say`, ${count(next.visits, "visit")}` : ""}` : "unknown"],
		next?.not_before && ["Not before", time(next.not_before)], ["Shown ever", counters.shows_ever], ["In this visit", counters.shows_in_visit], counters.last_show_at && ["Last shown", time(counters.last_show_at)],
		placement.exempt?.length && ["Without ads", placement.exempt.join(", ")]].filter(Boolean);
	return h("section.card.ad", {key: placement.id}, ring(counters.every ? counters.events / counters.every : 0, [say`${counters.events} of ${counters.every}`, placement.event], say`${counters.events} of ${counters.every} events before the next ad`),
		grow(h("h2", text(placement.id), " ", chip(would_show ? "good" : "", would_show ? "the next event shows an ad" : plain(reason))),
			h("p", text(plain(placement.format)), " on ", text(placement.event), placement.enabled === false ? " · switched off" : ""),
			h("dl.facts", facts.map(([title, value]) => h("div", {key: title}, h("dt", title), h("dd", value)))),
			counters.forced ? h("p.chip.yours", {key: "forced"}, "the next event shows one, as you said") : "",
			counters.owed ? h("p.chip.remote", {key: "owed"}, term("one is still to come", "The last ad that was due did not show, for want of an ad: the next event makes up for it.")) : "",
			eventForm(catalog, placement),
			decision ? h("div.acts", {key: "outcome", role: "group", label: "Outcome of the ad"}, small("The ad that is due:"), ["shown", "closed", "no_fill", "failed", ...placement.format.startsWith("rewarded") ? ["rewarded"] : []].map(report)) : "",
			h("div.acts", {key: "acts"}, deed("Show one next", {path: path("force"), body: {}, done: say`The next ${placement.event} of ${state.player} shows an ad.`, final: "“Begin the count again” takes it back."}, {label: say`Show an ad next at ${placement.id}`}),
			deed("Begin the count again", {path: path("reset"), body: {}, done: say`${placement.id} counts its events from 0 for ${state.player}.`, final: "The count stays 0."},
				{label: say`Begin the count again at ${placement.id}`, title: "The events since the last ad count from 0 again."}))));
}

export const ads = {
	id: "ads", title: "Ads", icon: "ads", needsPlayer: "Ads are counted for a player", fits: catalog => catalog?.placements?.length,
	show: place => view(place, () => Promise.all(state.catalog.placements.map(one => get(ofPlayer("ads", one.id)))),
		all => all.map((status, at) => placementCard(state.catalog, state.catalog.placements[at], status)),
		concern("ads")),
};
