// Encodes ledgers for the database, with short names, instants in milliseconds, and defaults omitted.

extension Ledger {
  /// The version of the stored form that ``encoded`` writes. No other version is decoded.
  public static let formatVersion: Int64 = 1

  /// The ledger as JSON for the database, which ``init(decoding:)`` reads.
  public var encoded: Value {
    var form = LedgerObject()
    form["format"] = .integer(Self.formatVersion)
    form["game"] = .string(game)
    form["player"] = .string(player)
    form["until"] = .integer(settledUntil.milliseconds)
    form["count"] = .integer(Int64(transactionCount))
    form["logged"] = .integer(Int64(logCount))
    form["transactions"] = .list(transactions.map(\.encoded))
    form["subscriptions"] = .list(subscriptions.map(\.encoded))
    form["log"] = .list(log.map(\.encoded))
    if behaviour != ShopBehaviour() { form["behaviour"] = behaviour.encoded }
    if !openGrants.isEmpty {
      form["grants"] = .list(openGrants.map { .list([.integer($0.at.milliseconds), .string($0.transaction)]) })
    }
    if !heldBefore.isEmpty {
      let held = heldBefore.sorted { $0.key < $1.key }
      form["held"] = .object(ObjectValue(held.map { ($0.key, Value.integer($0.value.milliseconds)) }))
    }
    form.set("alias", alias)
    form.set("alias_of", aliasOf)
    if !partners.isEmpty { form["partners"] = .list(partners.sorted().map { .string($0.text) }) }
    return form.value
  }
}

/// A JSON object under construction for the database. It omits members that are nil or have their default.
struct LedgerObject {
  private var members = ObjectValue()

  var value: Value { .object(members) }

  subscript(name: String) -> Value? {
    get { members[name] }
    set { members[name] = newValue }
  }

  mutating func set(_ name: String, _ text: String?) { members[name] = text.map(Value.string) }
  mutating func set(_ name: String, _ instant: Instant?) { members[name] = instant.map { .integer($0.milliseconds) } }
  mutating func set(_ name: String, _ count: Int, unless usual: Int) { members[name] = count == usual ? nil : .integer(Int64(count)) }
  mutating func set(_ name: String, _ flag: Bool, unless usual: Bool) { members[name] = flag == usual ? nil : .bool(flag) }
  mutating func set<Word: RawRepresentable>(_ name: String, _ word: Word?) where Word.RawValue == String { set(name, word?.rawValue) }
}

extension ShopPrice {
  fileprivate var encoded: Value { .list([.string(currency), .string(amount)]) }
}

extension ShopTransaction {
  fileprivate var encoded: Value {
    var form = LedgerObject()
    form["id"] = .string(id)
    if originalID != id { form.set("original", originalID) }
    switch subject {
    case .product(let product): form.set("product", product)
    case .grant(let entitlement): form.set("grant", entitlement)
    }
    form.set("kind", kind)
    form.set("group", group)
    form.set("reason", reason)
    if state != .purchased { form.set("state", state) }
    form.set("at", purchasedAt)
    form.set("expires", expiresAt)
    form.set("grace", graceUntil)
    form.set("upgraded", upgradedAt)
    form.set("revoked", revokedAt)
    form.set("revocation", revocation)
    form.set("finished", finishedAt)
    form.set("offer", offer)
    form["price"] = price?.encoded
    form.set("unverified", unverified)
    form.set("verified", verifiedAt)
    form.set("from", transferredFrom)
    form.set("token", tokenDigest)
    return form.value
  }
}

extension SubscriptionTerms {
  fileprivate var encoded: Value {
    var form = LedgerObject()
    form.set("product", product)
    form.set("level", level, unless: 1)
    form.set("period", period.text)
    form.set("grace", gracePeriod?.text)
    form["price"] = price?.encoded
    return form.value
  }
}

extension Subscription.Intro {
  fileprivate var encoded: Value {
    var form = LedgerObject()
    form.set("mode", mode)
    form.set("period", period.text)
    form.set("periods", periods, unless: 1)
    if !price.isEmpty { form["price"] = .object(ObjectValue(price.sorted { $0.key < $1.key }.map { ($0.key, Value.string($0.value)) })) }
    return form.value
  }
}

extension SubscriptionLine {
  fileprivate var encoded: Value {
    var form = LedgerObject()
    form.set("group", group)
    form.set("original", originalID)
    form.set("transaction", transaction)
    form["terms"] = terms.encoded
    form["next"] = nextTerms?.encoded
    form.set("anchor", schedule.anchor)
    form.set("period", schedule.period.text)
    form.set("months_before", schedule.monthsBefore, unless: 0)
    form.set("number", schedule.number, unless: 1)
    form["offer"] = offer?.encoded
    form.set("offer_left", offerPeriodsLeft, unless: 0)
    form.set("renews", renews, unless: true)
    form.set("renewal_off", renewalOffAt)
    if state != .subscribed { form.set("state", state) }
    form.set("billing_failed", billingFailedAt)
    form.set("retry_until", retryUntil)
    form["price"] = priceChange?.price.encoded
    if let priceChange { form["accepted"] = .bool(priceChange.isAccepted) }
    form.set("renewals", renewals, unless: 0)
    return form.value
  }
}

extension ShopLogEntry {
  fileprivate var encoded: Value {
    var form = LedgerObject()
    form["n"] = .integer(Int64(number))
    form.set("at", at)
    form.set("event", event)
    form.set("type", notification)
    form.set("subtype", subtype)
    form.set("transaction", transaction)
    form.set("subject", subject)
    form.set("detail", detail)
    return form.value
  }
}

extension ShopBehaviour {
  /// The simulated behaviour as JSON for the database.
  public var encoded: Value {
    var form = LedgerObject()
    if !failures.isEmpty {
      let failures = failures.sorted { $0.key.rawValue < $1.key.rawValue }.map { call, failure in
        var form = LedgerObject()
        form.set("error", failure.error)
        form["times"] = failure.timesLeft.map { .integer(Int64($0)) }
        return (call.rawValue, form.value)
      }
      form["fail"] = .object(ObjectValue(failures))
    }
    form.set("ask_to_buy", asksToBuy, unless: false)
    form.set("interrupted", interruptsPurchases, unless: false)
    form.set("billing_fails", failsBilling, unless: false)
    if grace != .asProduct { form.set("grace", grace) }
    return form.value
  }
}
