// Every value of a game by section, with the control its type asks for; flags are the same list.

import {ask, get, shellLine} from "/api.js";
import {act, here, lineToCopy, ofGame, revertOf, state} from "/app.js";
import {brief, button, exact, h, icon, lowest, parsed, refusal, small, text, time, toggle, unchanged, waiting} from "/ui.js";

const kindOfSource = {"override.player": "yours", "override.game": "forced", "override.scenario": "forced", setting: "chosen", remote: "remote", play: "remote"};
const isChanged = value => value && value.source !== "default";
const sourceName = source => source.replace("override.", "override · ");
const json = JSON.stringify, same = (one, other) => json(one) === json(other);
const word = value => typeof value === "string" ? value : typeof value === "object" ? null : String(value);

class Row extends HTMLElement {
	#draft;
	#body = null;

	take(parameter) {
		this.parameter = parameter;
		this.key = parameter.key;
		this.haystack = Object.values(parameter).filter(one => typeof one === "string").join(" ").toLowerCase();
		return this;
	}

	get value() { return state.values.get(this.key); }
	get scope() { return state.player ? {player: state.player} : {}; }
	get own() { return state.player ? "override.player" : "override.game"; }

	connectedCallback() {
		if (this.#body) return;
		const {key, description, type} = this.parameter;
		this.setAttribute("kind", type);
		this.#body = h("div.control");
		this.chip = h("span.chip");
		this.back = button(icon("reset"), () => this.reset(), {class: "plain reset", label: `Reset ${key}`});
		this.opener = h("button.open", {"aria-expanded": "false", label: `Why ${key} is as it is`, onclick: () => this.open()}, icon("more"));
		this.refusal = refusal();
		this.conflict = h("div.conflict", {role: "alert", hidden: true});
		this.more = h("div.more", {hidden: true});
		this.append(
			this.opener,
			h("div.what", text(key, "code"), description ? text(description, "p") : ""),
			this.#body, h("div.tail", this.chip, this.back), this.conflict, this.refusal, this.more);
		this.draw();
	}

	/** Shows the value in force, unless somebody is typing here. */
	draw() {
		if (!this.#body) return;
		const value = this.value;
		this.chip.textContent = sourceName(value?.source ?? "default");
		this.chip.className = "chip " + (kindOfSource[value?.source] ?? "");
		this.toggleAttribute("changed", isChanged(value));
		this.back.style.visibility = value?.source === this.own ? "visible" : "hidden";
		if (this.#draft !== undefined && !same(value?.value, this.seen)) return this.mark();
		if (this.#draft !== undefined) return;
		this.seen = value?.value;
		// A control that is in use keeps the focus: its value is set rather than it made again.
		if (this.control?.set) this.control.set(value?.value);
		else this.#body.replaceChildren(this.control = this.make());
		if (!this.more.hidden) this.why();
	}

	/** Says that the value was changed elsewhere while it is edited here. */
	mark() {
		this.conflict.replaceChildren(
			h("span", "Changed elsewhere meanwhile, to ", h("b", brief(this.value?.value)), "."),
			button("Take theirs", () => {
				this.drop();
				this.draw();
			}), button("Set mine", () => this.again()));
		this.conflict.hidden = false;
	}

	/** Sets what stands in the control, whatever was set elsewhere. */
	again() {
		this.seen = this.value?.value;
		if (this.read) this.submit(this.read);
		else this.commit(this.#draft ?? this.seen);
	}

	drop() {
		this.#draft = undefined;
		this.conflict.hidden = true;
		this.refusal.say("");
		this.removeAttribute("dirty");
		this.control = null;
	}

	edit(value) {
		this.#draft = value;
		this.toggleAttribute("dirty", true);
	}

	make() {
		const {type, range, unit, secret, one_of: among, schema, enum: few} = this.parameter, key = this.key, value = this.value?.value, options = few ?? schema?.enum;
		if (secret || this.value?.masked) return this.field("password", "", {placeholder: "secret"});
		if (type === "boolean") {
			const element = toggle(key, value === true, isOn => this.commit(isOn));
			element.set = value => element.ariaChecked = String(value === true);
			return element;
		}
		if (options || among?.themes) {
			const all = options ?? (state.catalog.themes ?? []).map(theme => theme.id);
			const at = () => String(all.findIndex(one => same(one, this.value?.value)));
			const element = h("select", {label: key, onchange: () => this.commit(all[Number(element.value)])},
				all.map((one, place) => h("option", {value: place}, typeof one === "string" ? one : json(one))));
			element.value = at();
			element.set = () => { element.value = at(); };
			return element;
		}
		if ((type === "integer" || type === "double") && Number.isFinite(range?.min) && Number.isFinite(range?.max)) return this.slider(value, range, unit);
		if (type === "integer" || type === "double") return this.field("number", value, {step: type === "integer" ? 1 : "any"}, unit);
		if (type === "string") return this.field("text", value);
		return this.json(value);
	}

	slider(value, {min: least, max, step}, unit) {
		const min = lowest(least, step);
		const whole = this.parameter.type === "integer", size = step ?? (whole ? 1 : Number(((max - min) / 200).toPrecision(1)));
		const slide = h("input", {type: "range", min, max, step: size, label: this.key});
		const field = h("input", {type: "number", min, max, step: step ?? (whole ? 1 : "any"), label: `${this.key}, exactly`});
		const standard = this.parameter.default;
		const mark = Number.isFinite(standard) && max > min ? h("i.mark", {"--at": (standard - min) / (max - min)}) : null;
		const paint = value => slide.style.setProperty("--fill", max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0);
		let timer;
		slide.addEventListener("input", () => {
			field.value = slide.value;
			paint(slide.value);
			this.edit(Number(slide.value));
			clearTimeout(timer);
		});
		slide.addEventListener("change", () => {
			clearTimeout(timer);
			timer = setTimeout(() => this.commit(Number(slide.value)), 120);
		});
		field.addEventListener("input", () => this.edit(Number(field.value)));
		this.keys(field, () => Number(field.value));
		const element = h("div.slide", h("div.track", slide, mark), h("label.exact", field, unit ? small(unit) : ""), this.setter(() => Number(field.value)));
		element.set = value => {
			slide.value = field.value = value;
			slide.ariaValueText = `${value} ${unit ?? ""}`;
			paint(value);
		};
		element.set(value);
		return element;
	}

	/** Enter sets what is typed, Escape forgets it. */
	keys(field, read) {
		this.read = read;
		field.addEventListener("keydown", event => {
			if (event.key === "Enter" && (field.tagName !== "TEXTAREA" || event.ctrlKey || event.metaKey)) {
				event.preventDefault();
				this.submit(read);
			} else if (event.key === "Escape" && this.#draft !== undefined) {
				this.drop();
				this.draw();
				this.querySelector("input, textarea")?.focus();
			}
		});
	}

	setter(read) { return button("Set", () => this.submit(read), {class: "set"}); }

	submit(read) {
		let value;
		try { value = read(); } catch (error) { return this.refusal.say(error.message); }
		if (this.parameter.secret && !value) return this.refusal.say("Type it first.");
		this.commit(value);
	}

	field(type, value, given = {}, unit = "") {
		const read = () => {
			if (type !== "number") return input.value;
			if (input.value.trim() === "" || !Number.isFinite(Number(input.value))) throw new Error("A number is needed here.");
			return Number(input.value);
		};
		const input = h("input", {type, label: this.key, spellcheck: "false", dir: "auto", oninput: () => this.edit(input.value), ...given});
		this.keys(input, read);
		const element = h("div.field", input, unit ? small(unit) : "", this.setter(read));
		element.set = value => { input.value = type === "password" ? "" : value ?? ""; };
		element.set(value);
		return element;
	}

	json(value) {
		const read = () => parsed(area.value);
		const area = h("textarea", {label: this.key, rows: 1, spellcheck: "false", dir: "ltr", oninput: () => this.edit(area.value), onfocus: async () => {
			const {text} = await ask(ofGame("config"), {keys: this.key, ...this.scope});
			if (this.#draft === undefined) element.set(exact(text).values[this.key]);
		}});
		this.keys(area, read);
		const element = h("div.field.json", area, this.setter(read));
		element.set = value => {
			const line = json(value), shown = line?.length > 44 ? json(value, null, 1) : line ?? "";
			if (area.value !== shown) area.value = shown;
		};
		element.set(value);
		return element;
	}

	/** The reason and the window for the next change, where they were given below. */
	terms() {
		const given = Object.fromEntries([...this.more.querySelectorAll("[name]")].map(field => [field.name, field.value]));
		const terms = {}, options = {};
		if (given.reason) terms.reason = options.reason = given.reason;
		if (given.from) terms.from = options.from = new Date(given.from + "Z").toISOString();
		if (given.until) terms.until = options.until = new Date(given.until + "Z").toISOString();
		else if (given.for) {
			terms.until = new Date(Date.parse(terms.from ?? new Date().toISOString()) + Number(given.for) * 1000).toISOString();
			options.for = given.for % 3600 ? `${given.for / 60}m` : `${given.for / 3600}h`;
		}
		return {terms, options};
	}

	async commit(value) {
		const {terms, options} = this.terms(), key = this.key, before = this.seen;
		const isPlain = word(value) !== null && !this.parameter.secret;
		const order = {
			method: "PUT", path: here("overrides", key), body: {value, ...terms},
			done: `${key} is ${this.parameter.secret ? "set" : brief(value)} for ${state.player || "everybody"}${terms.until ? ", until " + terms.until : ""}.`,
			line: this.parameter.secret ? null : shellLine("config set", isPlain ? [state.game, key, word(value)] : [state.game, key],
				{...!isPlain && {"value-json": json(value)}, ...this.scope, ...options}),
			undo: revertOf(key, state.player),
		};
		this.refusal.say("");
		this.setAttribute("aria-busy", "true");
		try {
			if (!await this.guarded(order, before)) return;
			this.drop();
			state.values.set(key, {...this.value, value: this.parameter.secret ? null : value, source: terms.from ? this.value?.source : this.own});
			this.draw();
		} catch (error) {
			this.refusal.say(error.message);
			if (this.#draft === undefined) this.control?.set?.(this.value?.value);
		} finally {
			this.removeAttribute("aria-busy");
		}
	}

	/** Changes only what this row shows: where the game has moved on, the key is looked at again. */
	async guarded(order, before) {
		for (let tries = 0; ; tries++) {
			try {
				return !!await act({...order, ifMatch: state.revision});
			} catch (error) {
				if (error.status !== 412 || tries > 4) throw error;
				const {values, revision} = await get(ofGame("config"), {keys: this.key, detail: "full", ...this.scope});
				state.revision = Math.max(revision, error.problem.revision ?? 0);
				if (same(values[this.key]?.value, before)) continue;
				state.values.set(this.key, {...this.value, ...values[this.key]});
				if (this.#draft === undefined) this.edit(order.body.value);
				this.mark();
				return false;
			}
		}
	}

	async reset() {
		try {
			await act({
				method: "DELETE", path: here("overrides", this.key), done: `${this.key} is no longer overridden for ${state.player || "everybody"}.`,
				line: shellLine("config reset", [state.game, this.key], this.scope), undo: revertOf(this.key, state.player),
			});
			this.drop();
			this.opener.focus();
		} catch (error) { this.refusal.say(error.message); }
	}

	open() {
		this.more.hidden = !this.more.hidden;
		this.opener.ariaExpanded = String(!this.more.hidden);
		if (!this.more.hidden && !this.terms_) {
			const moment = (name, label) => h("label", label, h("input", {name, type: "datetime-local"}));
			this.layers = h("div.layers", waiting(3));
			this.terms_ = h("fieldset", h("legend", "For the next change of this value"),
				h("label.wide", "Reason, for the audit log", h("input", {name: "reason", dir: "auto"})),
				h("label", "Lasts", h("select", {name: "for"}, [["", "until removed"], [600, "10 minutes"], [3600, "1 hour"], [7200, "2 hours"], [86400, "1 day"], [604800, "7 days"]]
					.map(([value, words]) => h("option", {value}, words)))),
				moment("from", "From (UTC)"), moment("until", "Until (UTC)"),
				button("Override with the value above", () => this.again()));
			this.more.append(this.layers, this.terms_, lineToCopy(shellLine("config explain", [state.game, this.key], this.scope)));
		}
		if (!this.more.hidden) this.why();
	}

	async why() {
		try {
			const {layers} = await get(ofGame("config", this.key, "explain"), this.scope);
			this.layers.replaceChildren(h("table", h("caption.unseen", `Why ${this.key} is as it is`),
				h("thead", h("tr", ["Layer", "Value", "Why", "Until", "Author", "At", "Reason"].map(title => h("th", {scope: "col"}, title)))),
				h("tbody", layers.map(layer => h("tr", {class: layer.applied ? "applied" : null},
					h("th", {scope: "row"}, sourceName(layer.layer)), h("td", layer.value === undefined || layer.value === null ? "–" : text(brief(layer.value), "code")),
					text(layer.why, "td"), h("td", time(layer.until) ?? "–"), text(layer.author?.name ?? "–", "td"), h("td", time(layer.at) ?? "–"), text(layer.reason ?? "–", "td"))))));
		} catch (error) {
			this.layers.replaceChildren(h("p.refusal", {role: "alert"}, error.message));
		}
	}
}
customElements.define("gc-row", Row);

const ranks = {kill_switch: 0, ops: 1};
const flagNames = {kill_switch: "Kill switches", ops: "Operations", release: "Release flags"};

function list(place, parameters, sectionOf) {
	const rows = new Map(), sections = new Map();
	let timer;
	for (const parameter of parameters) {
		const title = sectionOf(parameter);
		if (!sections.has(title)) sections.set(title, h("section.card", h("h2", text(title), h("small"))));
		const row = document.createElement("gc-row").take(parameter);
		rows.set(parameter.key, row);
		sections.get(title).append(row);
	}
	const only = h("button.only", {"aria-pressed": "false", onclick: () => {
		only.ariaPressed = String(!isOnly());
		sift();
	}}, "Changed only", h("b"));
	const isOnly = () => only.ariaPressed === "true";
	const field = h("input", {type: "search", placeholder: "Filter by name or section", label: "Filter", oninput: () => sift()});
	const none = h("p.none", {hidden: true});
	const sift = () => {
		const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
		const found = [];
		let total = 0;
		for (const section of sections.values()) {
			let count = 0;
			for (const row of section.children) {
				if (!row.take) continue;
				const isIn = (!isOnly() || isChanged(row.value)) && words.every(word => row.haystack.includes(word));
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
	const counted = () => {
		const count = [...rows.keys()].filter(key => isChanged(state.values.get(key))).length;
		only.querySelector("b").textContent = count || "";
	};
	place.replaceChildren(h("div.sift", h("label.find", icon("search"), field), only), none, ...sections.values());
	sift();
	return {
		told({changed = []}) {
			for (const key of changed) rows.get(key)?.draw();
			if (changed.length) counted();
			if (changed.length && isOnly()) sift();
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
		parameter => flagNames[parameter.flag] ?? parameter.flag),
};
