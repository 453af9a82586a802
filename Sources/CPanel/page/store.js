// A player's simulated store: premium, products, entitlements, transactions, and the clock they live by.

import {get, shellLine} from "/api.js";
import {back, deed, mine, ofGame, ofPlayer, state, view} from "/app.js";
import {ago, card, chip, day, dot, grow, h, name, small, text, time} from "/ui.js";

const line = (command, words = [], options) => shellLine("iap " + command, [state.game, state.player, ...words], options);
const word = text => String(text).replaceAll("_", " ");

/** An act on a transaction: its name, its word on the command line, and the act that is its opposite. */
const acts = {
	refund: ["Refund", "refund", null, "is refunded", "A refund stays; buying again is another purchase."],
	revoke: ["Revoke", "revoke", null, "is taken back", "What is revoked stays so."],
	cancel: ["Cancel renewal", "cancel", "renewal_on", "will not renew"],
	renewal_on: ["Renew again", "cancel", "cancel", "will renew"],
	renew: ["Renew now", "renew", null, "is renewed", "A period that began stays."],
	billing_retry: ["Billing trouble", "retry", "recover", "is in billing trouble"],
	recover: ["Recover", "recover", null, "is paid for", "The renewal stays."],
	expire: ["Expire", "expire", null, "has expired", "What has expired stays so; buying again is another purchase."],
	approve: ["Approve", "approve", "refund", "is approved"],
	decline: ["Decline", "decline", null, "is declined", "A declined purchase stays so."],
	resolve: ["Resolve", "resolve", "refund", "is resolved"],
	finish: ["Finish", "finish", null, "is finished", "What is finished stays so."],
};

function order(transaction, id) {
	const [, command, way, done, final] = acts[id], {product, entitlement} = transaction;
	const path = act => ofPlayer("transactions", transaction.id, act);
	return {
		path: path(id), body: id === "finish" ? undefined : {}, done: `${product ?? entitlement} ${done}.`, final,
		line: line(command, [transaction.id], {undo: id === "renewal_on"}),
		undo: way && back(acts[way][0], `${product ?? entitlement} ${acts[way][3]}.`, "POST", path(way)),
	};
}

function possible(transaction, subscription) {
	const {state, type, is_active, revoked_at, finished_at} = transaction;
	if (state === "pending") return ["approve", "decline"];
	if (state === "interrupted") return ["resolve"];
	if (state !== "purchased" || revoked_at) return [];
	const own = subscription?.transaction === transaction.id;
	const ended = type === "auto_renewable" && !is_active && !own;
	const renewing = own ? subscription.state.includes("retry") || subscription.state.includes("grace") ? ["recover", "expire"]
		: [subscription.will_renew ? "cancel" : "renewal_on", "renew", "billing_retry", "expire"] : [];
	return [...finished_at || !transaction.product ? [] : ["finish"], ...renewing, ...ended ? [] : transaction.product ? ["refund", "revoke"] : ["revoke"]];
}

function premium({premium}, entitlements, transactions) {
	if (!premium) return null;
	const held = entitlements.entitlements.find(one => one.is_active && one.product === premium);
	const by = held && transactions.find(one => one.id === held.transaction);
	const turn = isOn => ({
		method: "PUT", path: ofPlayer("store", "premium"), body: {on: isOn}, done: `Premium is ${isOn ? "on" : "off"} for ${state.player}.`,
		line: line("premium", [isOn ? "on" : "off"]),
		undo: back(isOn ? "Turn off" : "Turn on", `Premium is ${isOn ? "off" : "on"} again, by ${isOn ? "a refund" : "another purchase"}.`, "PUT", ofPlayer("store", "premium"), {on: !isOn}),
	});
	const act = deed("", () => turn(!held), {class: "toggle", role: "switch", "aria-checked": String(!!held), label: "Premium"});
	act.firstChild.replaceChildren(h("i"));
	return h("section", {class: "card hero" + (held ? " lit" : "")}, grow(h("h2", "Premium"),
		h("p", held ? ["by the purchase of ", text(held.product), " ", time(by?.purchased_at ?? held.purchased_at)]
			: entitlements.purchased[premium] ? "bought, and not in force" : ["off: turning it on buys ", text(premium)])), act);
}

function outcome(behaviour) {
	const fails = behaviour.fail.purchase;
	const now = fails ? "fail:" + fails.error : behaviour.ask_to_buy ? "ask" : behaviour.interrupted ? "interrupt" : "ok";
	const words = [["ok", "succeeds"], ["ask", "waits for a parent (Ask to Buy)"], ["interrupt", "is interrupted"],
		...["user_cancelled", "payment_declined", "network_error", "not_allowed", "product_unavailable"].map(error => ["fail:" + error, "fails: " + word(error)])];
	if (!words.some(([value]) => value === now)) words.push([now, word(now)]);
	const {fail, ask_to_buy, interrupted, billing_fails, grace} = behaviour;
	const field = h("select", {label: "What the next purchase does"}, words.map(([value, label]) => h("option", {value, selected: value === now}, label)));
	const change = deed("", () => {
		const wanted = field.value, {purchase, ...others} = fail;
		return {
			method: "PUT", path: ofPlayer("store", "behaviour"),
			body: {fail: wanted.startsWith("fail:") ? {...others, purchase: {error: wanted.slice(5)}} : others, ask_to_buy: wanted === "ask", interrupted: wanted === "interrupt", billing_fails, grace},
			done: `The next purchase of ${state.player} ${words.find(([value]) => value === wanted)[1]}.`,
			line: wanted === "ok" ? line("behaviour", ["clear"]) : wanted === "ask" ? line("behaviour", ["ask-to-buy", "on"]) : wanted === "interrupt" ? line("behaviour", ["interrupt", "on"])
				: line("behaviour", ["fail", "purchase"], {error: wanted.slice(5)}),
			undo: back("Undo", "The store behaves as before.", "PUT", ofPlayer("store", "behaviour"), {fail, ask_to_buy, interrupted, billing_fails, grace}),
		};
	}, {hidden: true});
	field.addEventListener("change", () => change.firstChild.click());
	return h("label.outcome", h("span", "A purchase"), field, change);
}

function products(catalog, owned, behaviour) {
	return h("section.card", h("header", h("h2", "Products"), outcome(behaviour)), h("div.tiles", catalog.map(product => h("article", {class: owned[product.id] ? "tile lit" : "tile"},
		h("h3", text(name(product.name, product.id))), h("code", text(product.id)),
		h("p", word(product.type) + (product.period ? ` · ${product.period}` : ""), product.grants?.length ? small(" gives ", text(product.grants.join(", "))) : ""),
		h("div.foot", h("b", product.price ? Object.entries(product.price).map(([code, amount]) => `${amount} ${code}`)[0] : ""),
			owned[product.id] ? chip("good", "owned") : "",
			deed("Buy", () => ({
				path: ofPlayer("purchases"), body: {product: product.id}, line: line("buy", [product.id]),
				done: ({status, error}) => `${name(product.name, product.id)}: ${status === "success" ? "bought" : word(error ?? status)} for ${state.player}.`,
				undo: ({data}) => data.transaction && data.status === "success" ? back("Refund", `${name(product.name, product.id)} is refunded.`, "POST", ofPlayer("transactions", data.transaction.id, "refund")) : null,
			}), {label: `Buy ${name(product.name, product.id)}`}))))));
}

function span(from, until, now) {
	const [begin, end, at] = [from, until, now].map(instant => Date.parse(instant));
	return h("div.bar", {"aria-hidden": true, "--part": Math.min(1, Math.max(0, (at - begin) / (end - begin || 1)))});
}

const held = ({entitlements, subscriptions, at: now}) => card("Entitlements", entitlements.length ? h("ul.rows", entitlements.map(one => h("li",
	dot(one.is_active), grow(text(one.id, "b"), small(" by ", text(one.product ?? "a grant")), one.expires_at ? span(one.purchased_at, one.expires_at, now) : ""),
	h("span", one.expires_at ? [!one.is_active ? "ended " : subscriptions.some(each => each.transaction === one.transaction && /grace/.test(each.state)) ? "grace ends " : one.will_renew ? "renews " : "ends ", ago(one.expires_at, Date.parse(now))] : "for good"),
	one.period_type && one.period_type !== "normal" ? chip("remote", word(one.period_type)) : "",
	chip(one.is_active ? "good" : "bad", one.is_active ? "active" : "not active")))) : h("p.none", "Nothing yet."));

const log = (transactions, subscriptions) => card(["Transactions", small(transactions.length)], transactions.length ? h("ol.steps", transactions.toReversed().map(one => {
	const subscription = subscriptions.find(each => each.original_transaction === one.original_id);
	const said = one.revocation ?? (subscription?.transaction === one.id ? subscription.state : one.state === "purchased" ? one.is_active ? "active" : "over" : one.state);
	const kind = one.revocation || ["declined", "expired"].includes(said) ? "bad" : one.is_active ? "good" : "remote";
	return h("li", {class: kind}, grow(text(one.product ?? one.entitlement, "b"), " ", chip("" + kind, word(said)),
		h("p", small(`${one.reason} on ${day(one.purchased_at)}`, one.price ? ` · ${one.price.amount} ${one.price.currency}` : "", one.expires_at ? ` · until ${day(one.expires_at)}` : "", " · ", h("code", one.id)))),
	h("div.acts", possible(one, subscription).map(id => deed(acts[id][0], () => order(one, id), {class: "small", label: `${acts[id][0]} ${one.product ?? one.entitlement} ${one.id}`}))));
})) : h("p.none", "No transaction yet."));

const ahead = hours => hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`;

function clock(clock, next) {
	const move = (label, body, words) => deed(label, () => ({
		method: "PUT", path: ofPlayer("clock"), body, done: ({now}) => `The clock of ${state.player} shows ${day(now)} UTC.`, final: "The clock never goes back.",
		line: mine("player clock", [...words]),
	}));
	return h("section.card.hero.clock", grow(h("h2", "Clock"), h("p", h("b", day(clock.now) + " UTC"),
		clock.offset_milliseconds ? small(` ${ahead(clock.offset_milliseconds / 36e5)} ahead of the game`) : ""),
	h("p", small("It only goes forward: nothing takes a move back."))),
	h("div.acts", move("+1 hour", {advance: "1h"}, ["advance", "1h"]), move("+1 day", {advance: "P1D"}, ["advance", "P1D"]), move("+1 month", {advance: "P1M"}, ["advance", "P1M"]),
		next && Date.parse(next) > Date.parse(clock.now) ? move(`To the next change, ${ago(next, Date.parse(clock.now))}`, {now: next}, ["set", next]) : ""));
}

export const store = {
	id: "store", title: "Store", icon: "store", needsPlayer: "The store belongs to a player", fits: catalog => catalog?.products?.length || catalog?.simulation?.purchases === "games",
	show: place => view(place,
		() => Promise.all([get(ofGame("products")), get(ofPlayer("entitlements")), get(ofPlayer("transactions")), get(ofPlayer("store", "behaviour")), get(ofPlayer("clock"))]),
		([sold, owns, made, behaviour, now]) => [
			premium(state.catalog, owns, made.transactions), products(sold.products, owns.purchased, behaviour),
			held(owns), log(made.transactions, owns.subscriptions), clock(now, owns.next_change_at),
		]),
};
