// Decodes the parts of ledgers from the database: transactions, subscriptions, log entries and the store's behaviour.

extension ShopTransaction {
  init(_ reader: LedgerReader) throws(Fault) {
    let product = try reader.optionalText("product")
    let grant = try reader.optionalText("grant")
    let subject: TransactionSubject
    switch (product, grant) {
    case (let product?, nil): subject = .product(product)
    case (nil, let entitlement?): subject = .grant(entitlement: entitlement)
    default: throw reader.fault("A transaction is for a product or is a grant.")
    }
    let at = try reader.instant("at")
    self.init(id: try reader.text("id"), subject: subject, reason: try reader.word("reason"), purchasedAt: at)
    originalID = try reader.optionalText("original") ?? id
    kind = try reader.optionalWord("kind")
    group = try reader.optionalText("group")
    state = try reader.word("state", unless: .purchased)
    expiresAt = try reader.optionalInstant("expires")
    graceUntil = try reader.optionalInstant("grace")
    upgradedAt = try reader.optionalInstant("upgraded")
    revokedAt = try reader.optionalInstant("revoked")
    revocation = try reader.optionalWord("revocation")
    finishedAt = try reader.optionalInstant("finished")
    offer = try reader.optionalWord("offer")
    price = try reader.price("price")
    unverified = try reader.optionalWord("unverified")
    verifiedAt = try reader.optionalInstant("verified")
    transferredFrom = try reader.optionalText("from")
    tokenDigest = try reader.optionalText("token")
  }
}

extension SubscriptionTerms {
  fileprivate init(_ reader: LedgerReader) throws(Fault) {
    self.init(
      product: try reader.text("product"), level: try reader.count("level", unless: 1), period: try reader.period("period"),
      gracePeriod: try reader.optionalPeriod("grace"), price: try reader.price("price"))
  }
}

extension Subscription.Intro {
  fileprivate init(_ reader: LedgerReader) throws(Fault) {
    var prices: [String: String] = [:]
    for member in reader.member("price")?.value.objectValue?.members ?? [] {
      guard let amount = member.value.stringValue else { throw reader.fault("An amount is expected here.", "price") }
      prices[member.name] = amount
    }
    self.init(
      mode: try reader.word("mode"), period: try reader.period("period"), periods: try reader.count("periods", unless: 1), price: prices)
  }
}

extension SubscriptionLine {
  init(_ reader: LedgerReader) throws(Fault) {
    guard let terms = reader.member("terms") else { throw reader.fault("A subscription has terms.", "terms") }
    var schedule = RenewalSchedule(anchor: try reader.instant("anchor"), period: try reader.period("period"))
    schedule.monthsBefore = try reader.count("months_before", unless: 0)
    schedule.number = try reader.count("number", unless: 1)
    self.init(
      group: try reader.text("group"), originalID: try reader.text("original"), transaction: try reader.text("transaction"),
      terms: try SubscriptionTerms(terms), schedule: schedule)
    if let next = reader.member("next") { nextTerms = try SubscriptionTerms(next) }
    if let found = reader.member("offer") { offer = try Subscription.Intro(found) }
    offerPeriodsLeft = try reader.count("offer_left", unless: 0)
    renews = try reader.flag("renews", unless: true)
    renewalOffAt = try reader.optionalInstant("renewal_off")
    state = try reader.word("state", unless: .subscribed)
    billingFailedAt = try reader.optionalInstant("billing_failed")
    retryUntil = try reader.optionalInstant("retry_until")
    if let price = try reader.price("price") {
      priceChange = PriceChange(price: price, isAccepted: try reader.flag("accepted", unless: true))
    }
    renewals = try reader.count("renewals", unless: 0)
  }
}

extension ShopLogEntry {
  init(_ reader: LedgerReader) throws(Fault) {
    self.init(
      number: try reader.count("n"), at: try reader.instant("at"), event: try reader.word("event"),
      notification: try reader.optionalWord("type"), subtype: try reader.optionalWord("subtype"),
      transaction: try reader.optionalText("transaction"), subject: try reader.optionalText("subject"),
      detail: try reader.optionalText("detail"))
  }
}

extension ShopBehaviour {
  init(_ reader: LedgerReader) throws(Fault) {
    self.init()
    if let fail = reader.member("fail") {
      for member in fail.value.objectValue?.members ?? [] {
        guard let call = SimulatedCall(rawValue: member.name), let failure = fail.member(member.name) else {
          throw fail.fault("“\(JSONPointer.clipped(member.name, bytesMax: 64))” is not a call that can fail.", member.name)
        }
        let times: Int? = failure.value["times"] == nil ? nil : try failure.count("times")
        failures[call] = Failure(try failure.word("error"), times: times)
      }
    }
    asksToBuy = try reader.flag("ask_to_buy", unless: false)
    interruptsPurchases = try reader.flag("interrupted", unless: false)
    failsBilling = try reader.flag("billing_fails", unless: false)
    grace = try reader.word("grace", unless: .asProduct)
  }
}
