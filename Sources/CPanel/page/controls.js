// The control of a value, by type and range. It stays while its value changes, with the focus.

import {state} from "/state.js";
import {attempt, off} from "/acts.js";
import {button, h, refusal, small, toggle} from "/ui.js";
import {json, lowest, parsed, same, say, shown} from "/words.js";

const LONG = 60;
export const isLong = value => typeof value === "string" && (value.includes("\n") || [...value].length > LONG);

/** The control of a row: `set(value)` shows a value, `read()` returns it or throws. */
export function control(row) {
	const {type, range, unit, secret, one_of: among, schema, enum: few} = row.parameter, value = row.value?.value, options = few ?? schema?.enum;
	const line = (type, given, options) => text(row, h("input", {type, label: row.key, spellcheck: "false", dir: "auto", ...given}), options);
	const area = (rows, dir, options) => text(row, h("textarea", {label: row.key, rows, spellcheck: "false", dir, onfocus: options.onfocus}), options);
	if (secret || row.value?.masked) return line("password", {placeholder: "secret", autocomplete: "off"}, {write: () => ""});
	if (type === "boolean") return Object.assign(toggle(row.key, value === true, isOn => row.commit(isOn)), {set(value) { this.ariaChecked = String(value === true); }});
	if (options || among?.themes) return choice(row, options ?? (state.catalog.themes ?? []).map(theme => theme.id));
	const isNumber = type === "integer" || type === "double";
	if (isNumber && Number.isFinite(range?.min) && Number.isFinite(range?.max)) return slider(row, value, range, unit);
	if (isNumber) return line("number", {step: type === "integer" ? 1 : "any"}, {read: number, unit});
	if (type === "string") return isLong(value) ? area(2, "auto", {fits: isLong, kind: ".long"}) : line("text", {}, {fits: value => !isLong(value)});
	if (type === "localized") return texts(row, state.catalog.locales);
	return area(1, "ltr", {kind: ".json", read: input => parsed(input.value), write: written, onfocus: async event => {
		// What the browser has rounded is read again as it is written.
		const value = await row.written?.().catch(() => undefined), input = event.target;
		if (value !== undefined && !row.isEdited) input.closest(".field").set(value);
	}});
}

/** A text for each language. */
function texts(row, locales) {
	const fields = locales.map(lang => h("textarea", {label: `${row.key} in ${lang}`, lang, rows: 1, dir: "auto", placeholder: "missing", oninput: () => row.edit(read())}));
	const read = () => Object.fromEntries(fields.filter(one => one.value).map(one => [one.lang, one.value]));
	for (const one of fields) keys(row, one, read);
	const set = value => fields.forEach(one => { one.value = value?.[one.lang] ?? ""; });
	set(row.value?.value);
	return Object.assign(h("div.field.json", fields.map(one => h("label", small(one.lang), one)), setter(row, read)), {read, set});
}

/**
 * A control on a screen that is drawn again. It stays there, and takes the fresh value unless one is being edited.
 * `orders(value)` gives the order that sets a value; `call` is [method, path].
 */
export function field(label, parameter, value, call, orders) {
	const refused = refusal(), order = {method: call[0], path: call[1]}, denied = off(...call);
	const holder = {
		parameter, key: label, value: {value}, isEdited: false, orders,
		edit() {
			this.isEdited = true;
			place.toggleAttribute("dirty", true);
		},
		forget() {
			this.isEdited = false;
			place.removeAttribute("dirty");
			element.set(this.value.value);
		},
		submit(read) {
			try { this.commit(read()); } catch (error) { refused.say(error.message); }
		},
		async commit(value, {isMoved} = {}) {
			const isDone = await attempt({...order, ...this.orders(value)}, refused);
			if (isDone) this.value = {value};
			// What is typed stays, to be mended.
			if (isDone || isMoved || !element.read) this.forget();
		},
		renew(fresh) {
			Object.assign(this, {orders: fresh.orders, value: fresh.value});
			if (!this.isEdited) this.forget();
		},
	};
	const element = control(holder), place = h("div.hold", {key: label}, element, refused);
	for (const one of [element, ...element.querySelectorAll("button, input, select, textarea")]) for (const [name, words] of Object.entries(denied)) one.setAttribute(name, words);
	place.$holder = holder;
	return place;
}

function choice(row, all) {
	const element = h("select", {label: row.key, onchange: () => row.commit(all[Number(element.value)])}, all.map((one, place) => h("option", {value: place}, one)));
	const set = () => { element.value = all.findIndex(one => same(one, row.value?.value)); };
	set();
	return Object.assign(element, {set});
}

function keys(row, input, read) {
	input.addEventListener("keydown", event => {
		if (event.key === "Enter" && (input.tagName !== "TEXTAREA" || event.ctrlKey || event.metaKey)) {
			event.preventDefault();
			row.submit(read);
		} else if (event.key === "Escape" && row.isEdited) {
			event.preventDefault();
			event.stopPropagation();
			row.forget();
		}
	});
}

const setter = (row, read) => button("Set", () => row.submit(read), {class: "set", label: `Set ${row.key}`});

function number(input) {
	if (input.value.trim() === "" || !Number.isFinite(Number(input.value))) throw new Error("A number is needed here.");
	return Number(input.value);
}

function slider(row, value, {min: least, max, step}, unit) {
	const min = lowest(least, step), isWhole = row.parameter.type === "integer";
	const size = step ?? (isWhole ? 1 : Number(((max - min) / 200).toPrecision(1)));
	const slide = h("input", {type: "range", min, max, step: size, label: row.key});
	const input = h("input", {type: "number", min, max, step: step ?? (isWhole ? 1 : "any"), label: `${row.key}, exactly`});
	const standard = row.parameter.default;
	const part = value => max > min ? Math.min(1, Math.max(0, (value - min) / (max - min))) : 0;
	const mark = Number.isFinite(standard) && max > min ? h("i.mark", {"--at": part(standard), title: say`default ${standard}`}) : null;
	const paint = value => slide.style.setProperty("--fill", part(value));
	let timer;
	slide.addEventListener("input", () => {
		input.value = slide.value;
		paint(slide.value);
		row.edit(Number(slide.value));
		clearTimeout(timer);
	});
	slide.addEventListener("change", () => {
		clearTimeout(timer);
		timer = setTimeout(() => row.commit(Number(slide.value), {isMoved: true}), 120);
	});
	const read = () => number(input);
	input.addEventListener("input", () => {
		clearTimeout(timer);
		row.edit(Number(input.value));
	});
	keys(row, input, read);
	const set = value => {
		slide.value = input.value = value ?? "";
		slide.ariaValueText = say`${value} ${unit ?? ""}`;
		paint(value);
	};
	set(value);
	return Object.assign(h("div.slide", h("div.track", slide, mark), h("label.exact", input, unit ? small(unit) : ""), setter(row, read)), {read, set});
}

function text(row, input, {read: parse = input => input.value, write = shown, fits, unit, kind = ""}) {
	const read = () => parse(input);
	keys(row, input, read);
	input.addEventListener("input", () => row.edit(input.value));
	const element = h(`div.field${kind}`, input, unit ? small(unit) : "", setter(row, read));
	const set = value => {
		const words = value == null ? "" : write(value);
		if (input.value !== words) input.value = words;
	};
	set(row.value?.value);
	return Object.assign(element, {read, fits, set});
}

const written = value => {
	const line = json(value);
	return line.length > 44 ? json(value, null, 1) : line;
};
