// Chooses a player: those that are known first, and a new one only by its own row.

import {get, unfitName} from "/api.js";
import {ofGame, state} from "/state.js";
import {h, icon, refusal, settle, small, text} from "/ui.js";
import {say} from "/words.js";

const PAUSE = 150, SHOWN = 40;
const recentKey = () => "gameconf-recent-" + state.game;

export function recent() {
	try { return JSON.parse(localStorage.getItem(recentKey()) ?? "[]").filter(one => typeof one === "string"); } catch { return []; }
}

export const remember = player => {
	try { localStorage.setItem(recentKey(), JSON.stringify([player, ...recent().filter(one => one !== player)].slice(0, 6))); } catch { /* Not kept. */ }
};

/** Fills the list. `choose` gets an id, the empty one for everybody. */
export function fillPicker(list, choose) {
	let timer, asked = 0;
	const found = h("div.found", {role: "listbox", id: "players", label: "Players"}), refused = refusal();
	const pick = player => {
		const wrong = player && unfitName(player);
		if (wrong) return refused.say(wrong);
		list.hidePopover();
		choose(player);
	};
	const row = (player, kind, words) => h("button", {
		key: `${kind}-${player}`, role: "option", tabindex: -1, "aria-selected": "false", "aria-current": kind !== "new" && player === state.player ? "true" : null,
		onclick: () => pick(player), "data-kind": kind,
	}, kind === "new" ? [icon("plus"), h("span", words)] : player ? text(player) : "Everybody", kind === "recent" && small("recent"));
	const options = () => [...found.querySelectorAll("button")];
	const marked = () => found.querySelector("[aria-selected=true]");
	const mark = option => {
		for (const one of options()) one.ariaSelected = String(one === option);
		options().forEach((one, at) => { one.id = `player-${at}`; });
		if (option) field.setAttribute("aria-activedescendant", option.id);
		else field.removeAttribute("aria-activedescendant");
		option?.scrollIntoView({block: "nearest"});
	};
	const draw = known => {
		const typed = field.value.trim(), was = marked()?.$key;
		const names = [...new Set([...recent(), ...known])].filter(id => id.toLowerCase().includes(typed.toLowerCase()));
		names.sort((one, other) => Number(other === typed) - Number(one === typed));
		const wrong = typed && unfitName(typed);
		settle(found, [
			!typed && row("", "all"),
			...names.slice(0, SHOWN).map(id => row(id, recent().includes(id) ? "recent" : "known")),
			typed && !names.includes(typed) && !wrong ? row(typed, "new", say`New player “${typed}”`) : null,
			!typed ? row("test-" + Math.random().toString(36).slice(2, 8), "new", "New test player") : null,
		]);
		refused.say(wrong ?? "");
		// Enter takes a known player; a new one is chosen by its row.
		mark(options().find(one => one.$key === was && was !== undefined) ?? options().find(one => typed && one.dataset.kind !== "new") ?? null);
	};
	const look = async () => {
		const mine = ++asked, typed = field.value.trim();
		draw([]);
		try {
			const {players} = await get(ofGame("players"), {limit: SHOWN, ...typed && {after: before(typed)}});
			if (mine !== asked) return;
			draw(players.map(one => one.player ?? one));
		} catch (error) {
			if (mine === asked) refused.say(error.message);
		}
	};
	const field = h("input", {
		type: "search", placeholder: "Find a player", label: "Find a player", role: "combobox", "aria-expanded": "true", "aria-controls": "players",
		"aria-autocomplete": "list", autocomplete: "off", oninput: () => {
			clearTimeout(timer);
			draw([]);
			timer = setTimeout(look, PAUSE);
		}, onkeydown: event => {
			const all = options(), at = all.indexOf(marked());
			if (event.key === "ArrowDown" || event.key === "ArrowUp") {
				event.preventDefault();
				mark(all[(at + (event.key === "ArrowDown" ? 1 : at < 0 ? 0 : -1) + all.length) % all.length]);
			} else if (event.key === "Enter") {
				event.preventDefault();
				const exact = all.find(one => one.dataset.kind !== "new" && one.$key.slice(one.dataset.kind.length + 1) === field.value.trim());
				(exact ?? marked())?.click();
			}
		},
	});
	list.replaceChildren(field, found, refused);
	look();
	setTimeout(() => field.focus());
}

/** The name just before those with a prefix. */
function before(prefix) {
	const letters = [...prefix], code = letters.pop().codePointAt(0) - 1;
	const nearest = code >= 0xd800 && code <= 0xdfff ? 0xd7ff : code;
	return letters.join("") + (nearest > 32 ? String.fromCodePoint(nearest) + "\u{10ffff}" : "");
}
