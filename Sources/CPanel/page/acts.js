// Acts: what was done, the same line to copy, the way back, and screens drawn again.

import {asked, call} from "/api.js";
import {mayNot, state} from "/state.js";
import {button, copier, dot, h, icon, kept, notice, refusal, settle, small, text, tool, waiting} from "/ui.js";
import {say} from "/words.js";

const $ = id => document.getElementById(id);
const quietly = {preventScroll: true};
/** Gives the focus back to the control of the last act, or to another. */
const refocus = other => (actor?.isConnected ? actor : other).focus(quietly);

const ways = [];
/** The control of the last act: Tab leads from it to Undo. */
let actor = null, isUndoing = false;
let screen = null;
export const showing = one => { screen = one; };

export const announce = words => {
	$("say").textContent = "";
	// The same words again are said again.
	requestAnimationFrame(() => { $("say").textContent = words; });
};

/** Does something and shows it. `undo` is {label, run}; where there is no way back, `final` says so. */
export async function act({method = "POST", path, query, body, ifMatch, done, undo, final}) {
	const at = document.activeElement;
	const answer = await call(method, asked(path, query), body, {ifMatch});
	if (answer.revision) state.revision = Math.max(state.revision, answer.revision);
	const words = typeof done === "function" ? done(answer.data) : done ?? answer.sentence;
	const way = typeof undo === "function" ? undo(answer) : undo;
	actor = at === document.body ? null : at;
	if (way) ways.push({...way, words, line: answer.line});
	else if (final) ways.push({words, final});
	showDone(words, answer.line, way, final);
	changed();
	return answer;
}

export const changed = () => screen?.told?.({audit: {player: state.player}, own: true});

export function showDone(words, line, way, final, question) {
	const place = $("done"), refused = refusal();
	const undo = way && button([icon("undo"), way.label], () => takeBack(way, false, refused), {class: "undo", key: "undo"});
	settle(place, [
		h("p.what", dot(), text(words, "span")),
		h("div.way", undo, final && small(final), tool("reset", "Dismiss", dismiss, {key: "dismiss"})),
		question ? h("div.conflict", {role: "alert"}, question) : null,
		line ? lineToCopy(line) : null, refused]);
	place.hidden = false;
	announce(words + (final ? " " + final : ""));
}

export function dismiss() {
	const had = $("done").contains(document.activeElement);
	$("done").hidden = true;
	if (had) refocus($("main"));
}

/** Takes an act back; asks first if somebody has changed the value since. */
async function takeBack(way, isForced, refused) {
	if (isUndoing) return;
	isUndoing = true;
	try {
		const words = await way.run(isForced);
		const at = ways.findLastIndex(one => one.run === way.run);
		if (at >= 0) ways.splice(at, 1);
		showDone(words);
		changed();
		if (document.activeElement === document.body) refocus($("done").querySelector("button"));
	} catch (error) {
		isUndoing = false;
		if (error.code === "CHANGED_SINCE" && !isForced) {
			const newer = await way.since?.().catch(() => null);
			// The undo of a later act of this page is no change of somebody else's.
			if (newer?.session === state.session) return await takeBack(way, true, refused);
			askAgain(newer ? say`${newer.author?.name ?? "Somebody"} has changed it since${newer.after === undefined ? "" : say`, to ${newer.after}`}.` : "It has been changed since.", () => takeBack(way, true, refused));
		} else if (error.code === "ALREADY_REVERTED") {
			ways.splice(ways.findLastIndex(one => one.run === way.run), 1);
			showDone("This is undone already.");
		} else kept(refused).say ? refused.say(error.message) : announce(error.message);
	} finally { isUndoing = false; }
}

function askAgain(words, run, ask = "Undo it all the same?", yes = "Undo all the same", at = "first") {
	showDone(words, null, null, null, [h("span", ask), button(yes, run), button("Leave it", dismiss)]);
	$("done").querySelector(`.conflict button:${at}-of-type`).focus();
}

function undoLast() {
	const last = ways.at(-1);
	if (!last) return announce("This page has done nothing that it could undo. Audit has everything.");
	if (last.run) {
		showDone(last.words, last.line, last);
		return takeBack(last, false, $("done").querySelector(".refusal"));
	}
	showDone(last.words, null, null, last.final);
}

const focusable = () => [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
	.filter(one => !one.disabled && one.checkVisibility({visibilityProperty: true, contentVisibilityAuto: false}));

// After an act Undo is next, and after the bar the control that follows.
addEventListener("keydown", event => {
	const place = $("done"), key = event.key;
	if (key === "Tab" && !place.hidden && !event.altKey && !event.ctrlKey && !event.metaKey) {
		const inside = focusable().filter(one => place.contains(one));
		if (!inside.length) return;
		let to = null;
		if (!event.shiftKey && document.activeElement === actor) to = inside[0];
		else if (event.shiftKey && document.activeElement === inside[0] && actor?.isConnected) to = actor;
		else if (!event.shiftKey && document.activeElement === inside.at(-1)) {
			const all = focusable().filter(one => !place.contains(one));
			to = all[all.indexOf(actor) + 1] ?? all[0];
		}
		if (!to) return;
		event.preventDefault();
		to.focus();
	} else if (key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
		const field = document.activeElement;
		if (field.matches?.("input:not([type=range]), textarea") && field.closest("[dirty]")) return;
		event.preventDefault();
		undoLast();
	} else if (key === "Escape" && !place.hidden && place.contains(document.activeElement)) dismiss();
	else if (key === "/" && !document.activeElement.matches?.("input:not([type=range]), textarea, select")) {
		const field = $("main").querySelector("[data-filter]");
		if (!field) return;
		event.preventDefault();
		field.focus();
		field.select();
	}
});

export function lineToCopy(line) {
	if (!line) return "";
	return h("div.line", h("code", {dir: "ltr", tabindex: 0, role: "group", label: "Command line"}, line), copier(() => line, "Copy", {class: "plain", label: "Copy the command line"}));
}

/** Does something that may be refused, or that is a question first: by `sure`, or by somebody else's change. */
export async function attempt(order, refused) {
	refused.say("");
	if (order.sure) {
		actor = document.activeElement;
		return askAgain(order.sure, () => attempt({...order, sure: null}, refused), "Nothing brings it back.", "Do it", "last");
	}
	try {
		const whole = {...order, ...await order.more?.()};
		try { await act(whole); } catch (error) {
			if (error.code !== "CHANGED_SINCE" || !order.ifChanged) throw error;
			askAgain(order.ifChanged, () => attempt({...order, query: {force: true}, ifChanged: null}, refused));
		}
		return true;
	} catch (error) {
		refused.say(error.message);
		return false;
	}
}

/** Attributes that switch a control off for a user without the role of its call. */
export function off(method, path, isAboutPlayer) {
	const denied = mayNot(method, path, isAboutPlayer);
	return denied ? {disabled: "", title: denied, "data-denied": denied} : {};
}

/** A button for an order, which `more` completes. A refusal is beside it. */
export function deed(label, order, given = {}) {
	const refused = refusal();
	const element = button(label, async () => {
		const at = kept(element);
		if (at.ariaBusy === "true") return;
		at.ariaBusy = "true";
		await attempt(order, refused);
		at.ariaBusy = null;
	}, {...given, ...off(order.method ?? "POST", order.path, order.isAboutPlayer)});
	return h("span.deed", {key: given.label ?? String(label)}, element, refused);
}

/** A screen that is drawn again, in place, when an event may concern it. */
export function view(place, load, draw, concerns = ({audit, changed}) => audit ? (audit.player ?? "") === state.player : !changed?.length) {
	let timer, isOver = false, ran = 0;
	const run = async () => {
		const mine = ++ran;
		try {
			const data = await load();
			if (isOver || mine !== ran) return;
			const parts = [draw(data)].flat(Infinity), had = place.contains(document.activeElement);
			settle(place, [...denials(parts), ...parts]);
			// A control that has gone leaves the focus to what can undo its act.
			if (had && document.activeElement === document.body) ($("done").hidden ? $("main") : $("done").querySelector("button")).focus(quietly);
			place.dataset.drawn = String(Number(place.dataset.drawn ?? 0) + 1);
		} catch (error) {
			if (!isOver && mine === ran) settle(place, [notice("This cannot be shown", error.message, button("Try again", run))]);
		}
	};
	const later = wait => {
		clearTimeout(timer);
		timer = setTimeout(run, wait);
	};
	settle(place, [waiting()]);
	run();
	return {
		told: event => { if (concerns(event)) later(event.own ? 0 : 60); },
		again: run,
		end: () => {
			isOver = true;
			clearTimeout(timer);
		},
	};
}

/** The events that concern a screen of one player, those of a kind among them. */
export const concern = kind => event => event[kind] || event.own || event.audit?.player === state.player || event.changed?.length;

function denials(parts) {
	const found = new Set();
	for (const part of parts) if (part instanceof Element) for (const one of part.querySelectorAll("[data-denied]")) found.add(one.dataset.denied);
	return [...found].map(words => h("p.denied", {key: words}, icon("lock"), h("span", words)));
}
