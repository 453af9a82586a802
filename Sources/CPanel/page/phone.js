// Connects a phone: the bridge that the panel's program starts, its code, and the phones that are paired.

import {call} from "/api.js";
import {state} from "/state.js";
import {button, grow, h, refusal, rows, s, select, settle, small, text} from "/ui.js";
import {say} from "/words.js";

const code = ({side, path}) => s("svg", {viewBox: `0 0 ${side} ${side}`, class: "code", role: "img", "aria-label": "The code for the phone’s camera", "shape-rendering": "crispEdges"},
	s("path", {d: `M0 0h${side}v${side}H0z`, fill: "#fff"}), s("path", {d: path}));

let isFollowed = false;

/** Fills the sheet and follows the bridge while the sheet is open: one request at a time, however often it is opened. */
export async function connectPhone(place) {
	if (isFollowed) return;
	const refused = refusal();
	const tell = (words, body, given) => button(words, async () => {
		refused.say("");
		try { await call("POST", "/panel/phone", body()); } catch (error) { refused.say(error.message); }
	}, given);
	const device = one => h("li", {key: one.device}, grow(text(one.name, "b"), h("p", small(text(one.addresses.join(", ")), say`, last request ${one.idle_seconds} s ago`))),
		tell("End", () => ({end: one.device}), {class: "small", label: say`End ${one.name}`}));
	const running = ({bridge, link, picture}) => [
		picture && code(picture), link ? h("p", "Scan it with the phone’s camera, or type ", text(bridge.address, "code"), " and ", text(link.split("code=")[1], "code"), small(" · good for two minutes and one phone")) : h("p", small("No code is open.")),
		h("div.acts", tell("Another code", () => ({code: true})), tell("Stop", () => ({stop: true}), {class: "danger"})),
		rows(bridge.devices, device, "No phone is paired.")];
	const offer = addresses => {
		const chosen = select("Address", addresses.map(({address, interface: name}) => [address, `${address} (${name})`]));
		return addresses.length ? h("div.acts", chosen, tell("Start", () => ({start: state.game, address: place.querySelector("select").value, ...state.player && {player: state.player}}), {class: "primary"}))
			: h("p.none", "This host has no private address. Connect it to the phone’s network first.");
	};
	settle(place, []);
	isFollowed = true;
	for (let number = -1; place.matches(":popover-open");) {
		try {
			const {data} = await call("GET", `/panel/phone?after=${number}`, undefined, {isLong: true});
			number = data.number;
			settle(place, [
				h("h2", "Connect a phone"), h("p", small("Plain HTTP: everybody who can read this network can read what passes, and use it. A code keeps neighbours out, not listeners.")),
				data.bridge ? running(data) : offer(data.addresses), h("div.said", {role: "log"}, data.said.slice(-5).map(line => h("p", small(text(line))))), refused]);
		} catch (error) {
			refused.say(error.message);
			settle(place, [refused]);
			break;
		}
	}
	isFollowed = false;
}
