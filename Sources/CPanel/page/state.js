// The state of the page: game, player, values, and what this user may do.

import {asked, at, call, get} from "/api.js";

export const state = {
	game: "", player: "", games: [], catalog: null, values: new Map(), windows: new Map(), revision: 0, degraded: [],
	isLive: false, caller: null, session: "", refused: [],
};

export const here = (...segments) => state.player ? ofPlayer(...segments) : ofGame(...segments);
export const ofGame = (...segments) => at(state.game, ...segments);
export const ofPlayer = (...segments) => at(state.game, "players", state.player, ...segments);

export function take({revision}) { if (revision) state.revision = Math.max(state.revision, revision); }

export async function learnCaller() {
	const {caller, session, refused} = await get("/panel/caller");
	if (!caller) return false;
	const isOther = JSON.stringify([caller?.roles, refused.length]) !== JSON.stringify([state.caller?.roles, state.refused.length]);
	Object.assign(state, {caller, session, refused});
	return isOther;
}

/** Why a user may not make a call, or null. An undo's path does not say that it is about a player. */
export function mayNot(method, path, isAboutPlayer = false) {
	const segments = path.split("?")[0].split("/");
	const found = state.refused.find(one => one.method === method && one.path.split("/").length === segments.length
		&& one.path.split("/").every((wanted, place) => wanted.startsWith("{") || wanted === segments[place]));
	return found && !(isAboutPlayer && found.besides_players) ? found.words : null;
}

const holds = ({window}) => window && Date.parse(window.from) <= Date.now() && Date.now() < Date.parse(window.until);

/** Reads the windows that hold now, and returns the keys where they differ. */
export async function readWindows() {
	const {game, player} = state;
	const lists = await Promise.all([get(ofGame("overrides")), player ? get(ofGame("overrides"), {player}) : null]);
	if (game !== state.game || player !== state.player) return [];
	const found = new Map();
	for (const one of lists.flatMap(list => list?.overrides ?? []).filter(holds)) if ((one.player ?? "") === player || !one.player && !found.has(one.key)) found.set(one.key, one);
	const changed = [...new Set([...found.keys(), ...state.windows.keys()])]
		.filter(key => found.get(key)?.window.until !== state.windows.get(key)?.window.until || found.get(key)?.window.id !== state.windows.get(key)?.window.id);
	state.windows = found;
	return changed;
}

export async function windowAt(key) {
	const {overrides} = await get(here("overrides", key));
	return overrides.find(holds) ?? null;
}

/** True if this user has set the window in this session. */
export async function isOwnWindow({key, author, window}) {
	if (author?.uid !== state.caller?.uid) return false;
	const {entries} = await get(ofGame("audit"), {key, limit: 50, session: state.session, ...state.player && {player: state.player}});
	return entries.some(entry => entry.window === window.id);
}

export const parameterOf = key => state.catalog.parameters.find(one => one.key === key);

export const back = (label, words, method, path, body) => ({label, run: async () => {
	await call(method, path, body);
	return words;
}});

const undoing = {reason: "undone in the panel"};

export const revertOf = (key, player = state.player, game = state.game) => ({revision}) => ({
	label: "Undo",
	run: async isForced => {
		const {entries} = await get(at(game, "audit"), {limit: 50, key, ...player && {player}});
		const entry = entries.find(one => one.revision === revision && (one.player ?? "") === (player ?? ""));
		if (!entry) throw new Error("Its line is older: see Audit.");
		await revert(entry.id, isForced, game);
		return `${key} is as before.`;
	},
	/** The newest change by somebody else since. */
	since: async () => (await get(at(game, "audit"), {limit: 1, key, ...player && {player}})).entries[0],
});

export const revert = (id, isForced, game = state.game) => call("POST", asked(at(game, "audit", id, "revert"), isForced ? {force: true} : null), undoing);
