// The screen Audit: who changed what; undo of one change and of all of mine.

import {asked, call, get} from "/api.js";
import {deed, view} from "/acts.js";
import {ofGame, state} from "/state.js";
import {button, chip, grow, h, icon, keyOf, kept, select, settle, small, text, time} from "/ui.js";
import {brief, count, plain, say, shown} from "/words.js";

const LINES = 100;
const value = one => one === undefined ? "–" : one === null ? "hidden" : brief(one, 40);
const canRevert = one => /^(override|catalog)\./.test(one.action) && one.action !== "catalog.accept" && !one.reverted_by;
const undoing = {reason: "undone in the panel"};
const about = one => say`${one.key ?? plain(one.action)}${one.player ? say` of player ${one.player}` : ""}`;

const actions = {
	set: "set", "window.add": "set for a time", "window.change": "changed in its window", "window.opened": "window began", "window.ended": "window ended",
	"window.postponed": "window postponed", remove: "removed", clear: "cleared", import: "imported", quarantine: "put out of service", release: "back in service", revert: "undone",
};

function entry(one) {
	const path = ofGame("audit", one.id, "revert");
	const undo = {
		path, isAboutPlayer: Boolean(one.player), body: undoing, done: say`Line ${one.id} is undone: ${about(one)}.`,
		ifChanged: say`${about(one)} has been changed since line ${one.id}.`,
	};
	return h("li", {key: one.id}, grow(h("p", text(one.author?.name, "b"), " ", chip(one.action.startsWith("override") ? "yours" : "", h("span", {title: one.action}, actions[one.action.replace(/^override\./, "")] ?? plain(one.action))), " ", keyOf(one), one.player ? [" for ", text(one.player)] : ""),
		one.before !== undefined || one.after !== undefined ? h("p.change", text(value(one.before), "code"), " → ", text(value(one.after), "code")) : "", one.reason ? h("p", small("“", text(one.reason), "”")) : ""),
	small(time(one.at)), one.reverted_by ? chip("", say`undone by line ${one.reverted_by}`) : canRevert(one) ? deed([icon("undo"), "Undo"], undo, {label: say`Undo line ${one.id}`}) : "");
}

const spans = [["", "at any time"], ["session", "since this panel began"], [3600, "in the last hour"], [86400, "in the last day"], [604800, "in the last week"]];

function query({author, key, player, span, session}) {
	const given = {};
	if (author) given.author = author;
	if (key) given.key = key;
	if (player) given.player = player;
	if (session || span === "session") given.session = state.session;
	else if (span) given.since = new Date(Date.now() - Number(span) * 1000).toISOString();
	return given;
}

/** Lists which of this user's changes it undoes, and which it cannot. */
function undoMine(span, done) {
	const place = h("section.card.asked", {key: "undo", role: "region", label: "Undo all of mine"}), path = ofGame("audit", "revert");
	place.$own = true;
	const close = () => done();
	const load = async () => {
		const field = select("What I changed", spans, span, event => {
			span = event.target.value;
			load();
		});
		const selection = query({author: String(state.caller?.uid ?? ""), span}), head = [h("h2", "Undo all of mine"), h("label.pad.outcome", h("span", "What I changed"), field)];
		try {
			const {data} = await call("POST", asked(path, {dry_run: true, ...selection}), {});
			const row = (one, words) => h("li", grow(h("code", text(about(one))), " ", text(words)));
			settle(kept(place), [...head,
				data.entries.length ? [h("p.pad", say`This is undone, in one change:`), h("ul.rows", data.entries.map(one => row(one, one.after === undefined ? "is no longer overridden" : say`is overridden with ${value(one.after)} again`)))] : h("p.none", "There is nothing to undo."),
				data.left.length ? [h("p.pad", "This stays:"), h("ul.rows.left", data.left.map(one => row(one.entry, plainWords(one.detail))))] : "",
				h("div.acts.pad", data.entries.length ? deed(say`Undo ${count(data.entries.length, "value")}`, {
					path, query: selection, body: undoing,
					done: answer => {
						setTimeout(close);
						return say`${count(answer.entries.length, "value")} of yours ${answer.entries.length === 1 ? "is" : "are"} as before${answer.left.length ? say`; ${count(answer.left.length, "change")} stay` : ""}.`;
					},
				}, {class: "primary"}) : "", button("Close", close))]);
			kept(place).querySelector("button").focus();
		} catch (error) { settle(kept(place), [...head, h("p.refusal", error.message), button("Close", close)]); }
	};
	return Object.assign(place, {load});
}

/** A sentence without query parameters. */
const plainWords = words => shown(words).replace(/[;,]? *force=true[^.]*\.?/, ".");

export const audit = {
	id: "audit", title: "Audit", icon: "audit",
	show: place => {
		const filter = {author: "", key: "", player: state.player, span: ""};
		let mine = null, timer;
		const field = (name, label, given = {}) => h("input", {
			type: "search", placeholder: label, label, value: filter[name], dir: "auto", ...given, oninput: event => {
				filter[name] = event.currentTarget.value.trim();
				clearTimeout(timer);
				timer = setTimeout(() => screen.again(), 150);
			},
		});
		const bar = h("div.sift.wrap", {key: "filter"}, field("author", "By author", {"data-filter": ""}), field("key", "Key"), field("player", "Player"),
			select("When", spans, "", event => {
				filter.span = event.target.value;
				screen.again();
			}),
			button([icon("undo"), "Undo all of mine"], () => {
				mine = undoMine(filter.span || "session", () => {
					mine = null;
					screen.again().then(() => place.querySelector(".sift button")?.focus());
				});
				screen.again().then(() => mine?.load());
			}, {class: "only"}));
		bar.$own = true;
		for (const one of bar.querySelectorAll("input")) one.$isFilter = true;
		const screen = view(place, () => get(ofGame("audit"), {limit: LINES, ...query(filter)}),
			({entries}) => [bar, mine, h("section.card", {key: "lines"}, h("h2", "Changes", small(filter.player && ["for ", text(filter.player), ": "], entries.length === LINES ? say`the newest ${LINES}` : entries.length)),
				entries.length ? h("ol.rows", entries.map(entry)) : h("p.none", filter.author || filter.key || filter.player || filter.span ? "Nothing fits this filter." : "Nothing yet."))],
			event => event.audit);
		return screen;
	},
};

