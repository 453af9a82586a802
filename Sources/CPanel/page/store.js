// The screen Store: a player's purchases, what they give, their history, and the clock.

import {get} from "/api.js";
import {deed, view} from "/acts.js";
import {field} from "/controls.js";
import {back, ofGame, ofPlayer, state} from "/state.js";
import {card, chip, dot, grow, h, rows, select, small, table, term, text, tool} from "/ui.js";
import {ago, count, day, name, plain, say, shown} from "/words.js";

const price = ({amount, currency}) => say`${amount} ${currency}`;
const subject = one => one.product ?? one.entitlement;

/** Acts on a transaction: name, opposite, and what is done. The daemon says which it would accept. */
export const acts = {
	approve: ["Approve", "refund", "is approved"],
	decline: ["Decline", null, "is declined", "A declined purchase stays so."],
	resolve: ["Resolve", "refund", "is resolved"],
	finish: ["Finish", null, "is finished", "What is finished stays so."],
	renew: ["Renew now", null, "is renewed", "A period that began stays."],
	cancel: ["Cancel renewal", "renewal_on", "will not renew"],
	renewal_on: ["Renew again", "cancel", "will renew"],
	billing_retry: ["Billing trouble", "recover", "is in billing trouble"],
	recover: ["Recover", null, "is paid for", "The renewal stays."],
	accept_price: ["Accept the new price", null, "has its new price", "An accepted price stays so."],
	expire: ["Expire", null, "has expired", "What has expired stays so."],
	refund: ["Refund", null, "is refunded", "A refund stays."],
	refund_decline: ["Decline a refund", null, "keeps what was bought", "The history keeps it."],
	revoke: ["Revoke", null, "is taken back", "What is revoked stays so."],
};
const path = (transaction, act) => ofPlayer("transactions", transaction.id, act);

function order(transaction, id) {
	const [, way, done, final] = acts[id], about = subject(transaction);
	return {
		path: path(transaction, id), body: id === "finish" ? undefined : {}, done: say`${about} ${done}.`, final,
		undo: way && back(acts[way][0], say`${about} ${acts[way][2]}.`, "POST", path(transaction, way)),
	};
}

const actOn = (transaction, id) => deed(acts[id][0], order(transaction, id), {class: "small", label: say`${acts[id][0]} ${subject(transaction)} ${transaction.id}`});

function premium(state_) {
	if (!state_) return null;
	const {product, on, by, until} = state_, put = {method: "PUT", path: ofPlayer("store", "premium")};
	const turn = isOn => ({
		...put, body: {on: isOn},
		done: ({status, ended = []}) => status === "kept" ? say`Premium is ${isOn ? "on" : "off"} already for ${state.player}.`
			: isOn ? say`Premium is on for ${state.player}.` : ended.map(one => say`${subject(one)} is ${one.product ? "refunded" : "revoked"}`).join(", ") + say`: premium is off for ${state.player}.`,
		undo: back(isOn ? "Turn off" : "Turn on", say`Premium is ${isOn ? "off" : "on"} again, by ${isOn ? "a refund" : "another purchase"}.`, put.method, put.path, {on: !isOn}),
	});
	const act = deed("", turn(!on), {class: "toggle", role: "switch", "aria-checked": String(on), label: "Premium"});
	act.firstChild.replaceChildren(h("i"));
	return h("section", {key: "premium", class: "card hero" + (on ? " lit" : "")}, grow(h("h2", "Premium"),
		h("p", on ? [text(product), " is given by ", text(by ?? "a grant"), until ? say` until ${day(until)} UTC` : ""] : ["off: turning it on buys ", text(product)])), act);
}

const errors = ["user_cancelled", "payment_declined", "network_error", "not_allowed", "product_unavailable"];

function outcome(behaviour) {
	const {fail: {purchase, ...fail}, ask_to_buy, interrupted, billing_fails, grace} = behaviour, path = ofPlayer("store", "behaviour");
	const asks = "waits for a parent (Ask to Buy)", breaks = "is interrupted", fails = error => `fails: ${plain(error)}`, all = {succeeds: {}, [asks]: {ask_to_buy: true}, [breaks]: {interrupted: true}};
	for (const error of purchase ? [...errors, purchase.error] : errors) all[fails(error)] = {fail: {...fail, purchase: {error}}};
	return h("div.outcome", h("span", "A purchase"), field("What the next purchase does", {enum: Object.keys(all)}, purchase ? fails(purchase.error) : ask_to_buy ? asks : interrupted ? breaks : "succeeds", ["PUT", path], wanted => ({
		body: {ask_to_buy: false, interrupted: false, fail, billing_fails, grace, ...all[wanted]}, done: say`The next purchase of ${state.player} ${wanted}.`,
		undo: back("Undo", "The store behaves as before.", "PUT", path, behaviour),
	})));
}

function products(catalog, owned, behaviour, showHistory) {
	const tile = ({id, name: names, price: prices, grants, ...product}) => {
		const title = name(names, id), buy = deed("Buy", {
			path: ofPlayer("purchases"), body: {product: id}, done: ({status, error}) => say`${title}: ${status === "success" ? "bought" : plain(error ?? status)} for ${state.player}.`,
			undo: ({data}) => data.transaction && data.status === "success" ? back("Refund", say`${title} is refunded.`, "POST", path(data.transaction, "refund")) : null,
		}, {label: say`Buy ${title}`});
		return h("article", {key: id, class: owned[id] ? "tile lit" : "tile"},
			h("h3", text(title), tool("audit", say`History of ${title}`, () => showHistory(id), {title: "History"})), h("code", text(id)),
			h("p", kind(product), grants?.length ? small("; gives ", text(grants.join(", "))) : ""),
			h("div.foot", h("b", prices ? Object.entries(prices).map(([currency, amount]) => price({amount, currency}))[0] : ""), owned[id] ? chip("good", "owned") : "", buy));
	};
	return h("section.card", {key: "products"}, h("header", h("h2", "Products"), outcome(behaviour)), h("div.tiles", catalog.map(tile)));
}

const periods = {D: "day", W: "week", M: "month", Y: "year"};
const period = text => shown(text).replace(/^P(\d+)([DWMY])$/, (all, number, unit) => number === "1" ? `every ${periods[unit]}` : `every ${number} ${periods[unit]}s`);
const kind = ({type, period: length}) => ({
	auto_renewable: say`subscription, renews ${period(length)}`, non_renewing: "lasts a while, does not renew", non_consumable: "bought once, for good", consumable: "used up, can be bought again",
})[type] ?? plain(type);

function span(from, until, now) {
	const [begin, end, at] = [from, until, now].map(instant => Date.parse(instant));
	return h("div.bar", {"aria-hidden": true, "--part": Math.min(1, Math.max(0, (at - begin) / (end - begin || 1)))});
}

function ended(entitlement, transactions) {
	const all = transactions.toReversed(), revoked = all.find(one => one.revoked_at && one.revoked_at === entitlement.expires_at);
	if (revoked) return revoked.revocation ?? "revoked";
	return all.some(one => (one.grace_until ?? one.expires_at) === entitlement.expires_at) ? "expired" : "ended";
}

/** What RevenueCat's libraries read, by the device's clock. */
const revenueCat = (entitlements, {now}, {host, rate}) => small("RevenueCat: ", text(entitlements.filter(one => one.is_active).map(one => one.id + (one.expires_at
	? ` until ${day(Date.parse(host) + (Date.parse(one.expires_at) - Date.parse(now)) / (rate || 1))}${one.will_renew && !one.billing_issues_detected_at ? "" : ", will not renew"}` : "")).join("; ") || "nothing"));

const held = ({entitlements, at: now}, transactions, ...read) => card(["Entitlements ", revenueCat(entitlements, ...read)], rows(entitlements, one => {
	const word = one.in_grace_period ? "in grace" : one.is_active ? "active" : ended(one, transactions);
	return h("li", {key: one.id, "data-entitlement": one.id}, dot(one.is_active ? "" : "off"),
		grow(text(one.id, "b"), one.is_active ? small(" by ", text(one.product ?? "a grant")) : "", one.expires_at && one.is_active && one.purchased_at ? span(one.purchased_at, one.expires_at, now) : ""),
		h("span", one.expires_at ? [!one.is_active ? "ended " : one.in_grace_period ? "grace ends " : one.will_renew ? "renews " : "ends ", h("time", {datetime: one.expires_at, title: say`${day(one.expires_at)} UTC`}, ago(one.expires_at, Date.parse(now)))] : one.is_active ? "for good" : ""),
		one.period_type && one.period_type !== "normal" ? chip("remote", plain(one.period_type)) : "", chip(one.is_active ? "good" : "bad", word));
}, "Nothing yet."));

/** The state of a transaction, as “iap history --transactions” has it. */
const stateOf = one => one.revocation ?? (one.upgraded_at ? "upgraded" : one.unverified ? "unverified" : one.state === "purchased" ? one.is_active ? "active" : one.expires_at ? "ended" : "bought" : one.state);

const subscriptions = (list, transactions) => list.length ? card("Subscriptions", rows(list, one => {
	const revoked = transactions.find(each => each.id === one.transaction && each.revoked_at), word = revoked?.revocation ?? one.state;
	const isGood = ["subscribed", "in_grace_period"].includes(word);
	const next = one.renews_at ? [say`renews ${day(one.renews_at)}`, one.next_product ? say` as ${one.next_product}` : "", one.next_price ? say` for ${price(one.next_price)}` : ""]
		: one.retry_until ? say`billing is retried until ${day(one.retry_until)}` : one.needs_consent && one.next_price ? say`ends unless ${price(one.next_price)} is accepted` : word === "subscribed" ? say`ends ${day(one.expires_at)}` : "";
	return h("li", {key: one.group, "data-group": one.group}, dot(isGood ? "" : "off"), grow(text(one.product, "b"), small(say` in the group ${one.group}, `, count(one.renewals, "renewal")), h("p", small(next))), chip(isGood ? "good" : "bad", plain(word)));
})) : null;

const log = transactions => card(["Transactions", small(transactions.length)], transactions.length ? h("ol.steps", transactions.toReversed().map(one => {
	const word = stateOf(one), kind = one.revocation || word === "declined" ? "bad" : one.is_active ? "good" : "remote";
	return h("li", {key: one.id, class: kind, "data-transaction": one.id}, grow(text(subject(one), "b"), " ", chip(kind, plain(word)),
		h("p", small(say`${plain(one.reason)} on ${day(one.purchased_at)}`, one.price ? say` · ${price(one.price)}` : "", one.expires_at ? say` · until ${day(one.expires_at)}` : "", one.finished_at ? "" : " · not finished", " · ", h("code", text(one.id))))),
	h("div.acts", (one.acts ?? []).filter(id => acts[id]).map(id => actOn(one, id))));
})) : h("p.none", "No transaction yet."));

const ahead = hours => hours < 48 ? count(Math.round(hours), "hour") : count(Math.round(hours / 24), "day");

function clock(clock, next) {
	const move = (label, body) => deed(label, {
		method: "PUT", path: ofPlayer("clock"), body, done: ({now}) => say`The clock of ${state.player} shows ${day(now)} UTC.`, final: "The clock never goes back.",
	});
	return h("section.card.hero.clock", {key: "clock"}, grow(h("h2", "Clock"), h("p", h("b", say`${day(clock.now)} UTC`),
		clock.offset_milliseconds ? small(say` ${ahead(clock.offset_milliseconds / 36e5)} ahead of the game`) : ""),
	h("p", small("It only goes forward: nothing takes a move back."))),
	h("div.acts", move("+1 hour", {advance: "1h"}), move("+1 day", {advance: "P1D"}), move("+1 month", {advance: "P1M"}),
		next && Date.parse(next) > Date.parse(clock.now) ? h("span", {key: "next"}, move("To the next change", {now: next}), small(" ", ago(next, Date.parse(clock.now)))) : ""));
}

function history(entries, product, show) {
	const subjects = [...new Set(entries.map(one => one.subject).filter(Boolean))];
	const list = entries.filter(one => !product || one.subject === product);
	return h("section.card", {key: "history", id: "history"}, h("header", h("h2", "History ", small(list.length)), h("label.outcome", h("span", "of"),
		select("History of", [["", "everything"], ...subjects.map(one => [one, one])], product, event => show(event.target.value)))),
	list.length ? h("div.pad", table("What happened at the store, newest first", ["No", "At", "Event", "About", "Notification", "Detail"], list.map(one => h("tr", {key: one.number}, text(one.number, "td"), h("td", say`${day(one.at)}`), text(plain(one.event), "td"), text(one.subject, "td"),
			h("td", one.notification_type ? term(plain(one.notification_type), say`Apple’s server would send ${one.notification_type}${one.subtype ? ` · ${one.subtype}` : ""}.`) : "–"), text(one.detail, "td"))))) : h("p.none", product ? "Nothing of this product yet." : "Nothing has happened yet."));
}

export const store = {
	id: "store", title: "Store", icon: "store", needsPlayer: "The store belongs to a player", fits: catalog => catalog?.products?.length || catalog?.simulation?.purchases === "games",
	show: place => {
		let product = "";
		const showHistory = (wanted, isFar) => {
			product = wanted;
			shown.again().then(() => isFar && document.getElementById("history")?.scrollIntoView({block: "start"}));
		};
		const shown = view(place,
			() => Promise.all([get(ofGame("products")), get(ofPlayer("entitlements")), get(ofPlayer("transactions"), {acts: true}), get(ofPlayer("store", "behaviour")), get(ofPlayer("clock")), get(ofPlayer("store", "log"), {limit: 200}), get(ofGame("clock"))]),
			([sold, owns, made, behaviour, now, {entries}, game]) => [
				premium(owns.premium), products(sold.products, owns.purchased, behaviour, id => showHistory(id, true)),
				held(owns, made.transactions, now, game), subscriptions(owns.subscriptions, made.transactions), log(made.transactions), clock(now, owns.next_change_at), history(entries, product, showHistory),
			]);
		return shown;
	},
};
