// Makes elements, and keeps those that stay when a screen is drawn again. Nothing here takes markup.

import {shown, when} from "/words.js";

/** Handlers stand on the element: one that stays takes over those of its successor. */
const handle = event => event.currentTarget.$on[event.type]?.(event);

function listen(element, type, handler) {
	if (!element.$on?.[type]) element.addEventListener(type, handle);
	(element.$on ??= {})[type] = handler;
}

const node = child => child instanceof Node ? child : document.createTextNode(typeof child === "string" ? child : shown(child));

function fill(element, children) {
	for (const child of children.flat(Infinity)) if (child != null && child !== false) element.append(node(child));
	return element;
}

/** An element with attributes, `.properties`, `on` listeners, a `key` among its siblings, and children. */
export function h(tag, given, ...children) {
	if (given?.constructor !== Object) {
		children.unshift(given);
		given = {};
	}
	const [name, ...classes] = tag.split(".");
	const element = document.createElement(name || "div");
	if (name === "button") element.type = "button";
	if (classes.length) element.className = classes.join(" ");
	for (const [key, value] of Object.entries(given)) {
		if (value == null || value === false) continue;
		if (key === "key") element.$key = value;
		else if (key.startsWith("on")) listen(element, key.slice(2), value);
		else if (key.startsWith(".")) element[key.slice(1)] = value;
		else if (key === "label") element.setAttribute("aria-label", value);
		else if (key.startsWith("--")) element.style.setProperty(key, value);
		else element.setAttribute(key, value);
	}
	fill(element, children);
	if (name === "select") element.$seen = element.value;
	return element;
}

export function s(tag, given = {}, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [key, value] of Object.entries(given)) if (value != null) element.setAttribute(key, value);
	return fill(element, children);
}

/** The element on the page: this one, or the one that stayed in its place. */
export function kept(element) {
	while (element.$as) element = element.$as;
	return element;
}

const nameOf = node => node.nodeType === 1 ? `${node.tagName} ${node.$key ?? node.classList[0] ?? ""}` : "#text";

/** Makes the children of a place like these. What fits stays, with focus and what is typed. */
export function settle(place, children) {
	const fresh = children.flat(Infinity).filter(child => child != null && child !== false).map(node);
	const known = Map.groupBy(place.childNodes, nameOf);
	const wanted = fresh.map(one => {
		const old = known.get(nameOf(one))?.shift();
		return old ? adopt(old, one) : one;
	});
	const stays = new Set(wanted);
	for (const old of [...place.childNodes]) if (!stays.has(old)) old.remove();
	let at = place.firstChild;
	for (const one of wanted) {
		if (one === at) at = at.nextSibling;
		else if (one.parentNode === place && place.moveBefore) place.moveBefore(one, at);
		else place.insertBefore(one, at);
	}
}

function adopt(old, fresh) {
	if (old === fresh) return old;
	if (old.nodeType !== 1) {
		if (old.data !== fresh.data) old.data = fresh.data;
		return old;
	}
	fresh.$as = old;
	for (const [type, handler] of Object.entries(fresh.$on ?? {})) listen(old, type, handler);
	for (const type of Object.keys(old.$on ?? {})) if (!fresh.$on?.[type]) delete old.$on[type];
	// A refusal and a question stay until they are answered.
	if (old.$own) return old;
	if (old.$holder) {
		old.$holder.renew(fresh.$holder);
		return old;
	}
	const isField = old.matches("input, textarea, select"), isTyped = isField && isDraft(old);
	for (const {name} of [...old.attributes]) if (!fresh.hasAttribute(name) && !["style", "open", "dirty"].includes(name)) old.removeAttribute(name);
	for (const {name, value} of fresh.attributes) if (name !== "style" && old.getAttribute(name) !== value) old.setAttribute(name, value);
	if (old.style.cssText !== fresh.style.cssText) old.style.cssText = fresh.style.cssText;
	if (old.tagName !== "TEXTAREA") settle(old, [...fresh.childNodes]);
	if (isField && (!isTyped || old.value === fresh.value)) {
		if (old.value !== fresh.value) old.value = fresh.value;
		if (old.tagName === "TEXTAREA") old.defaultValue = fresh.defaultValue;
		old.$seen = fresh.value;
	}
	return old;
}

/** True if the field was changed since it was drawn. */
export const isDraft = field => field.$isFilter || (field.$seen ?? (field.tagName === "SELECT" ? field.value : field.defaultValue)) !== field.value;

const shapes = {
	values: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5", flags: "M6 21V4h12l-3 4 3 4H6",
	store: "M4 9h16l-1.5 11h-13zM8.5 9V7a3.5 3.5 0 0 1 7 0v2", ads: "M4 6h16v11H4zM9 21h6M10.5 9.5v4l3.5-2z",
	player: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
	audit: "M12 7.5V12l3 2M4 12a8 8 0 1 1 2.5 5.8M4 20v-4.5h4.5",
	themes: "M12 4a8 8 0 1 0 0 16c1.5 0 2-1 1.5-2-.7-1.5.3-3 2-3H18a2 2 0 0 0 2-2c0-5-3.5-9-8-9zM8 11v.01M11 8v.01M15 9v.01",
	scenarios: "M5 6h9M5 12h14M9 18h10M5 12v.01M5 18v.01", undo: "M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11h-3",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1", more: "m9 6 6 6-6 6", search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.5-4.5",
	reset: "M6 6l12 12M18 6 6 18", lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3", check: "m5 12.5 4.5 4.5L19 7.5",
	live: "M3 12h4l3-7 4 14 3-7h4", plus: "M12 5v14M5 12h14", phone: "M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM11 18h2",
};

export const icon = name => s("svg", {viewBox: "0 0 24 24", class: "icon", "aria-hidden": true}, s("path", {d: shapes[name] ?? ""}));

/** Text of others: isolated, so that its direction turns nothing around it. */
export const text = (value, tag = "bdi", given = {}) => h(tag, tag === "bdi" ? given : {dir: "auto", ...given}, shown(value));

export const button = (label, act, given = {}) => h("button", {onclick: act, ...given}, label);
export const chip = (kind, ...words) => h("span", {class: `chip ${kind}`}, ...words);
export const term = (word, meaning) => h("abbr", {title: meaning}, word);
export const dot = (kind = "") => h("i", {class: `dot ${kind}`, "aria-hidden": true});

export function copier(give, words, given) {
	const label = h("span", words);
	return h("button", {...given, onclick: async () => {
		await navigator.clipboard.writeText(give()).catch(() => {});
		kept(label).textContent = "Copied";
	}}, icon("copy"), label);
}

export const select = (label, options, chosen, onchange, given = {}) => h("select", {label, key: label, onchange, ...given}, options.map(([value, words]) => h("option", {value, selected: String(value) === String(chosen)}, words)));

export const table = (caption, heads, rows, given) => h("div.scroll", {tabindex: 0, role: "region", label: caption, ...given}, h("table", h("caption.unseen", caption),
	h("thead", h("tr", heads.map(title => h("th", {scope: "col"}, title)))), h("tbody", rows)));

/** Rows of a list; where it is empty, words in their place. */
export const rows = (list, draw, none) => list.length ? h("ul.rows", list.map(draw)) : h("p.none", none);
export const because = ({reason}) => reason ? [": ", text(reason)] : "";
export const keyOf = ({key}) => key ? h("code", text(key)) : "";

export const grow = (...parts) => h("div.grow", ...parts);
export const small = (...words) => h("small", ...words);
export const card = (title, ...more) => h("section.card", {key: [title].flat()[0]}, h("h2", title), ...more);

export function toggle(label, isOn, change, given = {}) {
	return h("button.toggle", {
		role: "switch", "aria-checked": String(isOn), label, key: label,
		onclick: event => change(event.currentTarget.ariaChecked !== "true"), ...given,
	}, h("i"));
}

export function refusal() {
	const place = h("p.refusal", {role: "alert", hidden: true});
	place.$own = true;
	place.say = words => {
		const at = kept(place);
		at.textContent = words;
		at.hidden = !words;
	};
	return place;
}

const told = kind => (title, detail, ...more) => h("section.notice", dot(kind), h("h2", title), h("p", detail), ...more);
export const notice = told("bad"), hint = told();
/** A button without words. */
export const tool = (shape, label, act, given = {}) => h("button.plain", {label, onclick: act, ...given}, icon(shape));

export const waiting = (rows = 6) => h("div.waiting", {"aria-hidden": true}, Array.from({length: rows}, () => h("i")));

/** An instant in the reader's own time, with UTC in the title, or its distance. */
export const time = (instant, way = "ago") => instant ? h("time", {datetime: instant, title: `${when(instant)}, ${instant}`, "data-way": way}, when(instant, way)) : null;

setInterval(() => {
	for (const one of document.querySelectorAll("time[data-way]")) {
		const words = when(one.dateTime, one.dataset.way);
		if (one.textContent !== words) one.textContent = words;
	}
}, 15_000);
