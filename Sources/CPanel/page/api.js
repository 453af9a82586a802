// Talks to the panel's program: the token, calls and the stream.

import {say} from "/words.js";

const KEY = "gameconf-panel-token";
let token = null;

export const reopen = "Start “gameconfctl panel”, or press Enter where it runs, and open the address it prints.";

export class Refusal extends Error {
	constructor(status, problem) {
		super(problem?.detail ?? `The panel’s program does not answer. ${reopen}`);
		this.status = status;
		this.code = problem?.code ?? "";
		this.problem = problem ?? {};
	}
}

/** Exchanges the address's code for the token; returns the rest, or null without either. */
export async function enter() {
	const given = new URLSearchParams(location.hash.slice(1));
	// A worker that another program left under this port would read the code: it goes first.
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

const open = new Set();
export const slowest = () => Math.max(0, ...[...open].map(since => performance.now() - since));

const noted = state => dispatchEvent(new CustomEvent("panel-answer", {detail: state}));

export async function call(method, path, body, {ifMatch, isLong} = {}) {
	const headers = {Authorization: `Bearer ${token}`};
	if (body !== undefined) headers["Content-Type"] = "application/json";
	if (ifMatch != null) headers["If-Match"] = `"${ifMatch}"`;
	const since = performance.now();
	if (!isLong) open.add(since);
	let answer, text;
	try {
		answer = await fetch(path, {method, headers, body: body === undefined ? undefined : JSON.stringify(body)});
		text = await answer.text();
	} catch {
		noted("gone");
		throw new Refusal(0);
	} finally {
		open.delete(since);
	}
	let data;
	try { data = text ? JSON.parse(text) : null; } catch { throw new Refusal(502, {detail: "The answer of gameconfd is not JSON."}); }
	if (answer.status === 401) dispatchEvent(new Event("panel-ended"));
	noted(answer.status === 502 || answer.status === 504 ? "away" : "good");
	if (!answer.ok) throw new Refusal(answer.status, data);
	return {data, text, revision: Number(answer.headers.get("Gameconf-Revision")) || null, ...Object.fromEntries(["line", "sentence"].map(one => [one, decodeURIComponent(answer.headers.get("Gameconf-" + one) ?? "")]))};
}

const query = given => Object.entries(given).map(pair => pair.map(encodeURIComponent).join("=")).join("&");
export const asked = (path, given) => given && Object.keys(given).length ? `${path}?${query(given)}` : path;

export const ask = (path, given) => call("GET", asked(path, given));

export const get = async (path, given) => (await ask(path, given)).data;

/** Why a name cannot stand in a path, or null: a browser folds “..” away. */
export const unfitName = name => /^\.\.?$/.test(name) ? say`Nobody can be called “${name}”: a browser takes it for a step in a path.`
	: !name.isWellFormed() ? "This name is not well-formed text." : new TextEncoder().encode(name).length > 256 ? "A name has at most 256 bytes." : /\p{Cc}/u.test(name) ? "A name has no control characters." : null;

export function segment(name) {
	const wrong = unfitName(String(name));
	if (wrong) throw new Refusal(400, {detail: wrong});
	return encodeURIComponent(name);
}

export const at = (...segments) => "/v1/games/" + segments.map(segment).join("/");

/** Follows a game until stopped; a stream that ends begins again. */
export function follow(game, player, told, path = "/panel/stream") {
	let wait = 500, stopper, timer, over = false;
	const begin = async () => {
		if (over || document.hidden) return;
		stopper = new AbortController();
		try {
			const answer = await fetch(path + "?" + query({game, ...player && {player}}), {headers: {Authorization: `Bearer ${token}`}, signal: stopper.signal});
			if (answer.status === 401) return dispatchEvent(new Event("panel-ended"));
			noted(answer.ok ? "good" : "away");
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
		} catch (error) {
			if (!over && !document.hidden && !(error instanceof Refusal) && error.name !== "AbortError") await call("POST", "/panel/present").catch(() => {});
		}
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

// A hidden tab has no stream; the program ends ten minutes after the last sign of a page.
setInterval(() => { if (token && document.hidden) call("POST", "/panel/present").catch(() => {}); }, 240_000);
