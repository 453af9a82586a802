// The row of one value: its control, where it comes from, until when, and why.

import {ask, get} from "/api.js";
import {act, lineToCopy} from "/acts.js";
import {control} from "/controls.js";
import {here, isOwnWindow, ofGame, revertOf, state, windowAt} from "/state.js";
import {button, chip, h, icon, refusal, select, settle, table, text, time, tool, waiting} from "/ui.js";
import {brief, exact, same, say, sourceMeaning, sourceName, when, whom} from "/words.js";

const kindOfSource = {"override.player": "yours", "override.game": "forced", "override.scenario": "forced", setting: "chosen", remote: "remote", play: "remote"};
const lengths = [["", "as it is: until removed, or to its window’s end"], ["permanent", "until removed"], [600, "10 minutes"], [3600, "1 hour"], [7200, "2 hours"], [86400, "1 day"], [604800, "7 days"]];

export class Row extends HTMLElement {
	#draft;
	#body = null;
	#isBusy = false;
	#next = null;
	#stored = null;

	take(parameter, denied) {
		this.parameter = parameter;
		this.key = parameter.key;
		this.denied = denied;
		this.haystack = Object.values(parameter).filter(one => typeof one === "string").join(" ").toLowerCase();
		return this;
	}

	get value() { return state.values.get(this.key); }
	get isChanged() { return Boolean(this.value) && this.value.source !== "default"; }
	get isEdited() { return this.#draft !== undefined; }
	get scope() { return state.player ? {player: state.player} : {}; }
	get own() { return state.player ? "override.player" : "override.game"; }
	get isSecret() { return Boolean(this.parameter.secret || this.value?.masked); }

	connectedCallback() {
		if (this.#body) return;
		const {key, description, type} = this.parameter;
		this.setAttribute("kind", type);
		this.#body = h("div.control");
		this.chip = h("span.chip");
		this.end = h("small.end");
		this.back = tool("reset", `Reset ${key}`, () => this.reset());
		this.opener = h("button.open", {"aria-expanded": "false", label: `Why ${key} is as it is`, onclick: () => this.open()}, icon("more"));
		this.refusal = refusal();
		this.question = h("div.conflict", {role: "alert", hidden: true});
		this.more = h("div.more", {hidden: true, onkeydown: event => {
			if (event.key !== "Escape") return;
			event.stopPropagation();
			this.open();
			this.opener.focus();
		}});
		this.append(
			this.opener,
			h("div.what", text(key, "code"), description ? text(description, "p") : ""),
			this.#body, h("div.tail", h("span.from", this.chip, this.end), this.back), this.question, this.refusal, this.more);
		this.draw();
	}

	draw() {
		if (!this.#body) return;
		const value = this.value, source = value?.source ?? "default", held = state.windows.get(this.key);
		this.chip.textContent = sourceName(source);
		this.chip.title = sourceMeaning(source) ?? "";
		this.chip.className = "chip " + (kindOfSource[source] ?? "");
		const isHeld = held && source === (held.player ? "override.player" : "override.game");
		settle(this.end, [isHeld ? h("span", {title: say`window ${held.window.id} of ${held.author?.name}`}, "ends ", time(held.window.until)) : "",
			this.#stored && isHeld ? say` · then ${brief(this.#stored, 20)}` : ""]);
		this.toggleAttribute("changed", this.isChanged);
		this.back.style.visibility = source === this.own && !this.denied ? "visible" : "hidden";
		if (this.isEdited && !this.#isBusy && !same(value?.value, this.seen)) return this.mark();
		if (this.isEdited) return;
		this.seen = value?.value;
		if (this.control && (this.control.fits?.(value?.value) ?? true)) this.control.set(value?.value);
		else {
			const had = this.#body.contains(document.activeElement);
			this.#body.replaceChildren(this.control = control(this));
			if (this.denied) for (const one of [this.control, ...this.control.querySelectorAll("button, input, select, textarea")]) {
				one.disabled = true;
				one.setAttribute?.("aria-describedby", "denied");
			}
			if (had) this.#body.querySelector("input, textarea, select, button")?.focus();
		}
		if (!this.more.hidden) this.why();
	}

	/** Asks at the row; Escape is the last answer. */
	ask(words, ...answers) {
		const at = this.contains(document.activeElement) ? document.activeElement : null;
		const close = () => {
			this.question.hidden = true;
			at?.focus();
		};
		const buttons = answers.map(([label, run]) => button(label, () => {
			close();
			run?.();
		}));
		this.question.replaceChildren(h("span", words), ...buttons);
		this.question.onkeydown = event => {
			if (event.key !== "Escape") return;
			event.stopPropagation();
			buttons.at(-1).click();
		};
		this.question.hidden = false;
		if (at) buttons[0].focus();
	}

	mark() {
		this.ask(["Changed elsewhere meanwhile, to ", text(brief(this.value?.value), "b"), "."],
			["Set mine", () => this.again()], ["Take theirs", () => this.forget()]);
	}

	async again() {
		this.seen = this.value?.value;
		// What is not edited is set as it is stored: the browser has rounded its numbers.
		if (!this.isEdited && !this.isSecret) this.commit(await this.written().catch(() => this.seen));
		else if (this.control.read) this.submit(this.control.read);
		else this.commit(this.#draft ?? this.seen);
	}

	edit(value) {
		this.#draft = value;
		this.refusal.say("");
		this.toggleAttribute("dirty", true);
	}

	forget() {
		this.drop();
		this.draw();
	}

	drop() {
		this.#draft = undefined;
		this.question.hidden = true;
		this.refusal.say("");
		this.removeAttribute("dirty");
	}

	submit(read) {
		let value;
		try { value = read(); } catch (error) { return this.refusal.say(error.message); }
		if (this.parameter.secret && !value) return this.refusal.say("Type it first.");
		this.commit(value);
	}

	async written() {
		const {text} = await ask(ofGame("config"), {keys: this.key, locale: "*", ...this.scope});
		return exact(text).values[this.key];
	}

	terms() {
		const given = Object.fromEntries([...this.more.querySelectorAll("[name]")].map(field => [field.name, field.value]));
		const terms = {};
		if (given.reason) terms.reason = given.reason;
		if (given.from) terms.from = new Date(given.from).toISOString();
		if (given.until) terms.until = new Date(given.until).toISOString();
		else if (Number(given.for)) terms.until = new Date((terms.from ? Date.parse(terms.from) : Date.now()) + Number(given.for) * 1000).toISOString();
		return {terms, isPermanent: given.for === "permanent" && !given.until};
	}

	/** Sets a value. What is set meanwhile comes next. */
	async commit(value, {isMoved = false, agreed = null, path = here("overrides", this.key)} = {}) {
		if (this.denied) return this.draw();
		if (this.#isBusy) {
			this.#next = [value, {isMoved, agreed, path}];
			return;
		}
		this.#isBusy = true;
		this.refusal.say("");
		this.setAttribute("aria-busy", "true");
		if (!this.isEdited) this.#draft = value;
		try {
			await this.put(value, agreed, path);
		} catch (error) {
			// What is typed stays, to be mended; every other control goes back.
			const isTyped = this.control.read && !isMoved;
			if (!isTyped && !this.#next) this.drop();
			this.refusal.say(error.message);
		} finally {
			this.#isBusy = false;
			this.removeAttribute("aria-busy");
			const next = this.#next;
			this.#next = null;
			if (next) this.commit(...next);
			else this.draw();
		}
	}

	async put(value, agreed, path) {
		const {terms, isPermanent} = this.terms(), key = this.key;
		const held = this.value?.source === this.own ? await windowAt(key) : null;
		let query, after;
		if (held && agreed !== held.window.id && agreed !== "below" && !await isOwnWindow(held)) return this.askAboutWindow(value, held, isPermanent || terms.until);
		if (held && agreed !== "below") {
			if (terms.until && !terms.from) query = agreed && {replace: true, window: held.window.id};
			else if (isPermanent) after = held.window.id;
			else if (!terms.until) query = {window: held.window.id};
		}
		if (path !== here("overrides", key)) throw new Error("Another player or game was chosen meanwhile: nothing was set.");
		const order = {
			method: "PUT", path, query, body: {value, ...terms},
			undo: revertOf(key),
		};
		const answer = await this.guarded(order, this.seen);
		if (!answer || path !== here("overrides", key)) return;
		this.takeAnswer(answer.data, value);
		if (after) await this.endWindow(after, value);
	}

	takeAnswer({override, in_force: now}, value) {
		const isShadowed = now && !same(now.window?.id, override.window?.id) && now.source === this.own;
		this.#stored = isShadowed && !override.window ? override.value : null;
		if (now) {
			state.values.set(this.key, {...this.value, value: this.isSecret ? null : now.value, source: now.source});
			if (now.window) state.windows.set(this.key, {key: this.key, player: now.player, window: now.window, author: now.author});
			else state.windows.delete(this.key);
		}
		// What was moved on meanwhile stays a draft.
		if (this.#next === null && (this.#draft === undefined || same(this.#draft, value) || !this.control.read || same(this.safeRead(), value))) this.drop();
		this.seen = this.value?.value;
		// Reason and window were for this change alone.
		for (const field of this.more.querySelectorAll("[name]")) field.value = "";
	}

	safeRead() {
		try { return this.control.read(); } catch { return undefined; }
	}

	/** Ends the window, so that the value stored below it holds. */
	async endWindow(id, value) {
		const player = state.player, key = this.key;
		await act({
			method: "DELETE", path: here("overrides", key), query: {window: id}, done: say`${key} is ${this.isSecret ? "(secret)" : brief(value)} for ${whom(player)} until removed; window ${id} has ended.`,
			undo: revertOf(key, player),
		});
		state.windows.delete(key);
		this.#stored = null;
	}

	askAboutWindow(value, held, isNew) {
		const {window, author} = held, whose = author?.uid === state.caller?.uid ? "yours, from another session," : say`of ${author?.name ?? author?.uid}`;
		this.ask(say`Window ${window.id} ${whose} holds ${brief(held.value)} until ${when(window.until)}.`,
			[isNew ? "End it and set this" : "Change its value", () => this.commit(value, {agreed: window.id})],
			["Set this for afterwards", () => this.commit(value, {agreed: "below"})], ["Leave it", () => this.forget()]);
	}

	/** Changes only what this row shows: if the game has moved on, the key is read again. */
	async guarded(order, before) {
		for (let tries = 0; ; tries++) {
			try {
				return await act({...order, ifMatch: state.revision});
			} catch (error) {
				if (error.status !== 412 || tries > 4) throw error;
				const {values, revision} = await get(ofGame("config"), {keys: this.key, detail: "full", locale: "*", ...this.scope});
				state.revision = Math.max(revision, error.problem.revision ?? 0);
				if (same(values[this.key]?.value, before)) continue;
				state.values.set(this.key, {...this.value, ...values[this.key]});
				if (!this.isEdited) this.edit(order.body.value);
				this.mark();
				return null;
			}
		}
	}

	async reset() {
		try {
			await act({
				method: "DELETE", path: here("overrides", this.key), done: say`${this.key} is no longer overridden for ${whom(state.player)}.`,
				undo: revertOf(this.key),
			});
			this.#stored = null;
			this.drop();
			this.opener.focus();
		} catch (error) { this.refusal.say(error.message); }
	}

	open() {
		this.more.hidden = !this.more.hidden;
		this.opener.ariaExpanded = String(!this.more.hidden);
		if (!this.more.hidden && !this.layers) {
			const moment = (name, label) => h("label", label, h("input", {name, type: "datetime-local"}));
			this.layers = h("div", waiting(3));
			this.more.append(this.layers, this.denied ? "" : h("fieldset", h("legend", "For the next change of this value"),
				h("label.wide", "Reason, for the audit log", h("input", {name: "reason", dir: "auto"})),
				h("label", "Lasts", select("Lasts", lengths, "", null, {name: "for"})),
				moment("from", "From, by your clock"), moment("until", "Until, by your clock"),
				button("Override with the value above", () => this.again())));
		}
		if (!this.more.hidden) this.why();
	}

	async why() {
		try {
			const {data, line} = await ask(ofGame("config", this.key, "explain"), this.scope);
			settle(this.layers, [table(`Why ${this.key} is as it is`, ["Layer", "Value", "Why", "Until", "Author", "At", "Reason"], data.layers.map(layer => h("tr", {key: layer.layer, class: layer.applied ? "applied" : null},
				h("th", {scope: "row", title: sourceMeaning(layer.layer)}, sourceName(layer.layer)), h("td", layer.value == null ? "–" : text(brief(layer.value), "code")),
				text(layer.why, "td"), h("td", layer.window ? [time(layer.window.until, "at"), chip("remote", "window ", layer.window.id)] : "–"), text(layer.author?.name, "td"),
				h("td", time(layer.at) ?? "–"), text(layer.reason, "td")))), lineToCopy(line)]);
		} catch (error) {
			settle(this.layers, [h("p.refusal", {role: "alert"}, error.message)]);
		}
	}
}
customElements.define("gc-row", Row);
