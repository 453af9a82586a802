// Makes elements. Text is always text: nothing here takes markup.

/** An element with attributes, properties by `.name`, listeners by `onname`, and children. */
export function h(tag, given, ...children) {
	if (given?.constructor !== Object) {
		children.unshift(given);
		given = {};
	}
	const [name, ...classes] = tag.split(".");
	const element = document.createElement(name || "div");
	if (name === "button") element.type = "button";
	element.className = classes.join(" ");
	for (const [key, value] of Object.entries(given)) {
		if (value == null || value === false) continue;
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else if (key.startsWith(".")) element[key.slice(1)] = value;
		else if (key === "label") element.setAttribute("aria-label", value);
		else if (key.startsWith("--")) element.style.setProperty(key, value);
		else element.setAttribute(key, value);
	}
	element.append(...children.flat(Infinity).filter(child => child != null && child !== false));
	return element;
}

export function s(tag, given = {}, ...children) {
	const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [key, value] of Object.entries(given)) if (value != null) element.setAttribute(key, value);
	element.append(...children.flat());
	return element;
}

const shapes = {
	values: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4.5v5M8 14.5v5", flags: "M6 21V4h12l-3 4 3 4H6",
	store: "M4 9h16l-1.5 11h-13zM8.5 9V7a3.5 3.5 0 0 1 7 0v2", ads: "M4 6h16v11H4zM9 21h6M10.5 9.5v4l3.5-2z",
	player: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
	audit: "M12 7.5V12l3 2M4 12a8 8 0 1 1 2.5 5.8M4 20v-4.5h4.5",
	themes: "M12 4a8 8 0 1 0 0 16c1.5 0 2-1 1.5-2-.7-1.5.3-3 2-3H18a2 2 0 0 0 2-2c0-5-3.5-9-8-9zM8 11v.01M11 8v.01M15 9v.01",
	scenarios: "M5 6h9M5 12h14M9 18h10M5 12v.01M5 18v.01", undo: "M8 5 4 9l4 4M4.5 9H14a5.5 5.5 0 0 1 0 11h-3",
	copy: "M9 9h11v11H9zM5 15H4V4h11v1", more: "m9 6 6 6-6 6", search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM20 20l-4.5-4.5",
	reset: "M6 6l12 12M18 6 6 18", lock: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3", check: "m5 12.5 4.5 4.5L19 7.5",
	plus: "M12 5v14M5 12h14",
};

export const icon = name => s("svg", {viewBox: "0 0 24 24", class: "icon", "aria-hidden": true}, s("path", {d: shapes[name] ?? ""}));

/** Text of others: isolated, so that its direction turns nothing around it. */
export const text = (value, tag = "bdi", given = {}) => h(tag, tag === "bdi" ? given : {dir: "auto", ...given}, String(value ?? ""));

export const button = (label, act, given = {}) => h("button", {onclick: act, ...given}, label);

export const chip = (kind, ...words) => h(`span.chip.${kind}`, ...words);
export const dot = (isOn = true) => h(isOn ? "i.dot" : "i.dot.off", {"aria-hidden": true});

export function copier(give, words, given) {
	const label = h("span", words);
	return h("button", {...given, onclick: async () => {
		await navigator.clipboard.writeText(give()).catch(() => {});
		label.textContent = "Copied";
		setTimeout(() => { label.textContent = words; }, 1500);
	}}, icon("copy"), label);
}

/** JSON whose numbers stay as they are written, where the browser can: 5.0, and 9007199254740993. */
export const exact = json => JSON.parse(json, (key, value, {source} = {}) => typeof value === "number" && JSON.rawJSON && String(value) !== source ? JSON.rawJSON(source) : value);

export function parsed(json) {
	try { return exact(json); } catch (error) { throw new Error(`This is not JSON: ${error.message}`); }
}

/** The least multiple of a step from there on: the daemon counts steps from 0, a slider from its minimum. */
export const lowest = (min, step) => step ? Number((Math.ceil(min / step - 1e-9) * step).toPrecision(12)) : min;

export const grow = (...parts) => h("div.grow", ...parts);
export const small = (...words) => h("small", ...words);
export const card = (title, ...more) => h("section.card", h("h2", title), ...more);

export function toggle(label, isOn, change, given = {}) {
	const element = h("button.toggle", {
		role: "switch", "aria-checked": String(isOn), label,
		onclick: () => change(element.ariaChecked !== "true"), ...given,
	}, h("i"));
	return element;
}

export function refusal() {
	const place = h("p.refusal", {role: "alert", hidden: true});
	place.say = words => {
		place.textContent = words;
		place.hidden = !words;
	};
	return place;
}

export const notice = (title, detail, ...more) => h("section.notice", dot(), h("h2", title), h("p", detail), ...more);

export const waiting = (rows = 6) => h("div.waiting", {"aria-hidden": true}, Array.from({length: rows}, () => h("i")));

const named = new Intl.RelativeTimeFormat("en", {numeric: "auto"});
const steps = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [Infinity, "day", 86400]];

export function ago(instant, now = Date.now()) {
	const seconds = (Date.parse(instant) - now) / 1000;
	if (Math.abs(seconds) < 5) return "now";
	const [, unit, size] = steps.find(([most]) => Math.abs(seconds) < most);
	return named.format(Math.round(seconds / size), unit);
}

export const time = instant => instant ? h("time", {datetime: instant, title: instant}, ago(instant)) : null;

export const day = instant => new Date(instant).toLocaleString("en-GB", {day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit", timeZone: "UTC"});

export const name = (names, fallback = "") => typeof names === "string" ? names : names?.en ?? Object.values(names ?? {})[0] ?? fallback;

export const brief = (value, most = 60) => {
	const line = typeof value === "string" ? value : JSON.stringify(value) ?? "";
	return line.length > most ? line.slice(0, most - 1) + "…" : line;
};
export const unchanged = "Nothing is changed: every value is the catalog’s own.";
