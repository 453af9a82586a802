// The screen Time line: windows on bars, scenarios, and the template's versions.

import {get, segment} from "/api.js";
import {deed, view} from "/acts.js";
import {back, ofGame, state} from "/state.js";
import {because, button, card, chip, dot, grow, h, icon, rows as listed, select, small, term, text, time, tool} from "/ui.js";
import {brief, count, json, parsed, say, unchanged, when} from "/words.js";

const HOUR = 36e5, steps = [5 * 6e4, 15 * 6e4, HOUR, 3 * HOUR, 6 * HOUR, 24 * HOUR, 48 * HOUR, 7 * 24 * HOUR, 30 * 24 * HOUR, 365 * 24 * HOUR], TICKS = 6;

function lane(one, begin, end) {
	const part = instant => Math.min(1, Math.max(0, (Date.parse(instant) - begin) / (end - begin)));
	const from = one.from ?? one.at ? part(one.from ?? one.at) : 0, until = one.until ? part(one.until) : 1;
	const words = say`${one.from ? say`from ${when(one.from)}` : say`since ${when(one.at)}`} ${one.until ? say`until ${when(one.until)}` : "until removed"}`;
	return h("div.lane", {key: json([one.what, one.key, one.player, one.from])}, h("div.name", text(one.key ?? one.what, "code"), small(one.value === undefined ? "" : [" ", text(one.value === null ? "hidden" : brief(one.value, 40))], one.player ? [" for ", text(one.player)] : "")),
		h("div.span", {role: "img", label: words, title: words}, h("i", {class: one.scenario ? "held" : one.until ? "window" : "standing", "--from": from, "--until": until})),
		h("small.when", one.until ? [Date.parse(one.from ?? 0) > Date.now() ? ["begins ", time(one.from)] : ["ends ", time(one.until)]] : "until removed"));
}

function axis(begin, end) {
	const step = steps.find(size => (end - begin) / size <= TICKS) ?? steps.at(-1), offset = new Date(begin).getTimezoneOffset() * 6e4, ticks = [];
	for (let at = Math.ceil((begin - offset) / step) * step + offset; at < end - step / 3; at += step) ticks.push(at);
	return h("div.lane.axis", {key: "axis", "aria-hidden": true}, h("div", ""), h("div.ticks", ticks.map(at => h("span", {key: at, "--from": (at - begin) / (end - begin)}, when(at)))), h("small", "by your clock"));
}

function lanes(changes) {
	const now = Date.now(), timed = changes.filter(one => one.from || one.until);
	const end = Math.max(now + HOUR, ...timed.map(one => Date.parse(one.until ?? one.from))) + 6e5, begin = Math.min(now - 6e5, ...timed.map(one => Date.parse(one.from ?? one.at)).filter(Number.isFinite));
	return h("div.lanes", {"--now": (now - begin) / (end - begin)}, axis(begin, end), changes.map(one => lane(one, begin, end)));
}

const lease = term("lease", "A scenario ends by itself unless its lease is renewed before that time.");

function scenarios(list) {
	return card(["Scenarios in force ", small(list.length)], listed(list, one => {
		const path = `/v1/scenarios/${segment(one.id)}`;
		return h("li", {key: one.id}, dot(), grow(text(one.title ?? one.id, "b"), h("p", small(h("code", text(one.id)), " by ", text(one.author?.name), ", began ", time(one.started_at), because(one), one.player_prefix ? [" · players ", h("code", text(one.player_prefix + "…"))] : ""))),
			chip("remote", lease.cloneNode(true), " ends ", time(one.lease_until)),
			deed("End", {method: "DELETE", path, isAboutPlayer: true, done: say`The scenario ${one.id} is taken back.`, final: "Begin it again to have it back."}, {label: say`End ${one.id}`}));
	}, "None. “gameconfctl scenario run FILE” puts one in force for as long as a command runs."), form());
}

function form() {
	const parameters = state.catalog.parameters.filter(one => !one.secret), path = "/v1/scenarios";
	const find = key => parameters.find(one => one.key === key), isText = key => find(key).type === "string";
	const read = row => {
		const [{value: key}, {value}] = row.querySelectorAll("input");
		if (key && !find(key)) throw new Error(say`${key} is no parameter of this game.`);
		return key ? [key, isText(key) ? value : parsed(value)] : null;
	};
	const row = () => h("div.acts", {role: "group", label: "A value"}, h("input", {list: "scenario-keys", label: "Parameter", placeholder: "parameter", oninput: event => {
		const key = event.currentTarget.value, field = event.currentTarget.nextSibling, value = state.values.get(key)?.value;
		if (find(key) && !field.value) field.value = isText(key) ? value : json(value);
	}}), h("input", {label: "Its value", placeholder: "value", dir: "auto"}), tool("reset", "Leave this value out", event => event.currentTarget.parentNode.remove()));
	const rows = h("div.values", row()), title = h("input", {label: "Title", placeholder: "title", dir: "auto"});
	const minutes = select("For how long", [[60, "1 minute"], [300, "5 minutes"], [600, "10 minutes"]], 600);
	const scope = select("For whom", [["players", "for players of its own"], ["game", "for everybody"]], "players");
	const place = h("details.pad", {key: "form"}, h("summary", "Begin a scenario"), h("p", small("It sets several values at once and takes them back when its ", lease.cloneNode(true), " ends.")),
		h("datalist", {id: "scenario-keys"}, parameters.map(one => h("option", {value: one.key}))),
		h("div.acts", title, scope, minutes), rows,
		h("div.acts", button([icon("plus"), "Another value"], () => {
			rows.append(row());
			rows.lastChild.querySelector("input").focus();
		}), deed("Begin", {path, more: () => {
			const overrides = Object.fromEntries([...rows.children].map(read).filter(Boolean));
			if (!Object.keys(overrides).length) throw new Error("Name a parameter and its value first.");
			return {
				body: {...title.value.trim() && {title: title.value.trim()}, scope: scope.value, lease_seconds: Number(minutes.value), games: {[state.game]: {overrides}}},
				done: ({id, player_prefix}) => say`The scenario ${id} is in force${scope.value === "players" ? say` for players whose ids begin with ${player_prefix}` : ""}.`,
				undo: ({data}) => back("End", say`The scenario ${data.id} is taken back.`, "DELETE", `/v1/scenarios/${segment(data.id)}`),
			};
		}}, {class: "primary"})));
	place.$own = true;
	return place;
}

function contents({conditions = []}) {
	return listed(conditions, one => h("li", {key: one.name}, grow(text(one.name, "b"), h("p", small("holds if ", h("code", text(spelled(one.expression))))))), "No condition: every player gets the same values.");
}

const spelled = expression => say`${expression}`.replaceAll("&&", "and").replaceAll("||", "or").replaceAll("==", "is").replaceAll("!=", "is not").replaceAll("<=", "at most").replaceAll(">=", "at least");

function template(list, shownVersion, show) {
	const {versions, active, active_since, scheduled, scheduled_at, unknown_keys: unknown = []} = list;
	const title = term("template", "Values and rules that are published for the game, below what people override.");
	if (!versions.length) return card(["Template"], h("p.none", "No ", title, " is published. “gameconfctl template push FILE” publishes one."));
	return card(["Template ", small(active ? say`version ${active} since ${when(active_since)}` : "none in force")], listed(versions, one => {
		const isActive = one.version === active, rollback = {path: ofGame("template", "rollback")};
		return h("li", {key: one.version}, dot(isActive ? "" : "off"), grow(text(say`Version ${one.version}`, "b"), small(say` · ${one.rollback_of ? say`goes back to ${one.rollback_of}` : one.origin} by ${one.author?.name}, `, time(one.at), because(one))),
			isActive ? chip("good", "in force") : one.version === scheduled ? chip("remote", "from ", time(scheduled_at, "at")) : "",
			button("Conditions", () => show(one.version), {class: "small", label: say`Conditions of version ${one.version}`, "aria-expanded": String(shownVersion?.version === one.version)}),
			isActive ? "" : deed("Go back to it", {
				...rollback, body: {version: one.version, reason: "in the panel"}, done: ({version}) => say`Version ${one.version} is in force again, as version ${version}.`,
				undo: active ? back(say`Back to ${active}`, say`Version ${active} is in force again.`, "POST", rollback.path, {version: active, reason: "undone in the panel"}) : null,
			}, {class: "small", label: say`Go back to version ${one.version}`}),
			shownVersion?.version === one.version ? h("div.contents", {key: "contents"}, contents(shownVersion.document)) : "");
	}), unknown.length ? h("p.pad", small(say`${count(unknown.length, "key")} of it ${unknown.length === 1 ? "is" : "are"} not in the catalog: ${unknown.join(", ")}`)) : "");
}

export const timeline = {
	id: "timeline", title: "Time line", icon: "scenarios",
	show: place => {
		let open = null;
		const show = version => {
			open = open?.version === version ? null : {version};
			screen.again();
		};
		const screen = view(place, async () => {
			const all = await Promise.all([get(ofGame("changes"), {players: "all"}), get("/v1/scenarios"), get(ofGame("template", "versions"), {limit: 20})]);
			if (open && !open.document) open = {...open, document: await get(ofGame("template", "versions", open.version))};
			return all;
		}, ([{changes}, list, versions]) => [
			card(["What is changed, and until when ", small(changes.length)], changes.length ? lanes(changes) : h("p.none", unchanged)),
			scenarios(list.scenarios), template(versions, open, show),
		], event => event.audit || event.changed?.length);
		return screen;
	},
};
