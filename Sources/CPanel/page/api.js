// Talks to the panel's program: the token, calls, the stream, and the command line that does the same.

const KEY = "gameconf-panel-token";
let token = null;

export class Refusal extends Error {
	constructor(status, problem) {
		super(problem?.detail ?? "The panel's program does not answer.");
		this.status = status;
		this.code = problem?.code ?? "";
		this.problem = problem ?? {};
	}
}

/** Exchanges the code in the address for the token, and returns what else the address says; null without either. */
export async function enter() {
	const given = new URLSearchParams(location.hash.slice(1));
	// A worker that another program left under this port would read the code: it goes first, and nothing is told to it.
	const workers = await navigator.serviceWorker?.getRegistrations?.().catch(() => []) ?? [];
	if (workers.length) {
		await Promise.all(workers.map(worker => worker.unregister()));
		if (navigator.serviceWorker.controller) {
			location.reload();
			return new Promise(() => {});
		}
	}
	const code = given.get("code");
	token = sessionStorage.getItem(KEY);
	if (code) {
		history.replaceState(null, "", location.pathname);
		given.delete("code");
		const answer = await fetch("/panel/token", {
			method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({code}),
		});
		const body = await answer.json();
		if (!answer.ok) throw new Refusal(answer.status, body);
		token = body.token;
		sessionStorage.setItem(KEY, token);
	}
	return token && given;
}

/** Makes a call; throws a Refusal. */
export async function call(method, path, body, {ifMatch} = {}) {
	const headers = {Authorization: `Bearer ${token}`};
	if (body !== undefined) headers["Content-Type"] = "application/json";
	if (ifMatch != null) headers["If-Match"] = `"${ifMatch}"`;
	let answer;
	try {
		answer = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)});
	} catch {
		throw new Refusal(0);
	}
	const text = await answer.text();
	const data = text ? JSON.parse(text) : null;
	if (answer.status === 401) dispatchEvent(new Event("panel-ended"));
	if (!answer.ok) throw new Refusal(answer.status, data);
	return {data, text, revision: Number(answer.headers.get("Gameconf-Revision")) || null};
}

/** A query; the daemon takes a plus for a plus. */
const query = given => Object.entries(given).map(pair => pair.map(encodeURIComponent).join("=")).join("&");

export const ask = (path, asked) => call("GET", asked ? `${path}?${query(asked)}` : path);

export const get = async (path, asked) => (await ask(path, asked)).data;

/** A segment of a path. A browser would remove “.” and “..” with the segment before them, and make another call of it. */
export const segment = text => {
	if (text === "." || text === "..") throw new Refusal(400, {detail: `“${text}” cannot be named in a path. “gameconfctl player export” and “gameconfctl player forget” reach a player who is stored under it.`});
	return encodeURIComponent(text);
};

export const at = (...segments) => "/v1/games/" + segments.map(segment).join("/");

/** Follows a game until stopped; begins again after a while when the stream ends. */
export function follow(game, player, told) {
	let wait = 500, stopper, timer, over = false;
	const begin = async () => {
		if (over || document.hidden) return;
		stopper = new AbortController();
		try {
			const answer = await fetch("/panel/stream?" + query({game, ...player && {player}}), {headers: {Authorization: `Bearer ${token}`}, signal: stopper.signal});
			if (answer.status === 401) return dispatchEvent(new Event("panel-ended"));
			if (!answer.ok) throw new Refusal(answer.status);
			const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
			for (let rest = ""; ;) {
				const {value, done} = await reader.read();
				if (done) break;
				const lines = (rest + value).split("\n");
				rest = lines.pop();
				for (const line of lines) if (line) told(JSON.parse(line));
				wait = 500;
			}
		} catch { /* told below */ }
		if (over || document.hidden) return;
		told({event: "lost"});
		timer = setTimeout(begin, wait);
		wait = Math.min(wait * 2, 8000);
	};
	const look = () => {
		clearTimeout(timer);
		stopper?.abort();
		if (!document.hidden) begin();
	};
	document.addEventListener("visibilitychange", look);
	begin();
	return () => {
		over = true;
		clearTimeout(timer);
		stopper?.abort();
		document.removeEventListener("visibilitychange", look);
	};
}

// A tab that nobody looks at has no stream; the program ends ten minutes after the last sign of one.
setInterval(() => { if (token && document.hidden) call("POST", "/panel/present").catch(() => {}); }, 240_000);

// Control characters, and those that turn the direction of what follows or cannot be seen.
const unfit = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const plain = /^[\w@%+=:,./-]+$/;
const quoted = word => plain.test(word) ? word : "'" + word.replaceAll("'", "'\\''") + "'";

/** The line that does the same in a shell; null where one of its words cannot stand in a line. */
export function shellLine(command, words = [], options = {}) {
	const given = Object.entries(options).filter(([, value]) => value != null && value !== "" && value !== false);
	const all = [...words, ...given.map(([, value]) => value)].map(String);
	if (all.some(word => unfit.test(word))) return null;
	let line = "gameconfctl " + command;
	const isLate = words.some(word => String(word).startsWith("-"));
	const tail = words.length ? " " + words.map(word => quoted(String(word))).join(" ") : "";
	if (!isLate) line += tail;
	for (const [name, value] of given) {
		line += ` --${name}`;
		if (value !== true) line += (String(value).startsWith("-") ? "=" : " ") + quoted(String(value));
	}
	return isLate ? `${line} --${tail}` : line;
}
