// Renders values, times and sentences: the only way from an answer to a text on the page.

export function shown(value) {
	switch (typeof value) {
	case "string": return value;
	case "boolean": return String(value);
	case "bigint": return String(value);
	case "number": return Number.isFinite(value) ? String(value) : "–";
	case "object": return value === null ? "–" : json(value);
	default: return "–";
	}
}

/** A sentence. */
export const say = (parts, ...values) => parts.reduce((text, part, at) => text + shown(values[at - 1]) + part);

export const json = JSON.stringify;
export const same = (one, other) => json(one) === json(other);

/** JSON whose numbers stay as written: 5.0, and 9007199254740993. */
export const exact = text => JSON.parse(text, (key, value, {source} = {}) => typeof value === "number" && JSON.rawJSON && String(value) !== source ? JSON.rawJSON(source) : value);

export function parsed(text) {
	try { return exact(text); } catch (error) { throw new Error(`This is not JSON: ${error.message}`); }
}

export const brief = (value, most = 60) => {
	const line = shown(value);
	return line.length > most ? line.slice(0, most - 1) + "…" : line;
};

export const name = (names, fallback = "") => typeof names === "string" ? names : names?.en ?? Object.values(names ?? {})[0] ?? fallback;
export const plain = word => shown(word).toLowerCase().replaceAll("_", " ");
export const count = (number, one) => say`${number} ${one}${number === 1 ? "" : "s"}`;
/** The least multiple of a step from there on: sliders count from their minimum. */
export const lowest = (min, step) => step ? Number((Math.ceil(min / step - 1e-9) * step).toPrecision(12)) : min;

const relative = new Intl.RelativeTimeFormat("en", {numeric: "auto"});
const steps = [[60, "second", 1], [3600, "minute", 60], [86400, "hour", 3600], [Infinity, "day", 86400]];
const clock = {hour: "2-digit", minute: "2-digit"}, date = {day: "numeric", month: "short", ...clock};

export function ago(instant, now = Date.now()) {
	const seconds = (Date.parse(instant) - now) / 1000;
	if (Number.isNaN(seconds)) return "–";
	if (Math.abs(seconds) < 5) return "now";
	const [, unit, size] = steps.find(([most]) => Math.abs(seconds) < most);
	return relative.format(Math.round(seconds / size), unit);
}

export function when(instant, way = "at") {
	if (way === "ago") return ago(instant);
	const at = new Date(instant);
	if (Number.isNaN(at.getTime())) return "–";
	const isToday = at.toDateString() === new Date().toDateString(), isNear = Math.abs(at - Date.now()) < 180 * 864e5;
	return at.toLocaleString("en-GB", isToday ? clock : isNear ? date : {...date, year: "numeric"});
}

/** An instant of a simulated clock, in UTC. */
export const day = instant => {
	const at = new Date(instant);
	return Number.isNaN(at.getTime()) ? "–" : at.toLocaleString("en-GB", {day: "numeric", month: "short", year: "numeric", ...clock, timeZone: "UTC"});
};

export const whom = player => player ? say`player ${player}` : "the game";
const sources = {
	"override.player": ["overridden · player", "Somebody has set it for this player."], "override.game": ["overridden · everybody", "Somebody has set it for every player."],
	"override.scenario": ["scenario"], setting: ["player’s choice", "The player has chosen it in the game."], remote: ["template", "The template that is published for the game gives it."],
	play: ["play", "A play keeps it until it closes."], default: ["default", "The catalog’s own value: nobody has changed it."],
};
export const sourceName = source => sources[source]?.[0] ?? shown(source);
export const sourceMeaning = source => sources[source]?.[1];

export const unchanged = "Nothing is changed: every value is the catalog’s own.";
