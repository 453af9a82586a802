// Renders a subscriber in RevenueCat's JSON.

internal import GameConfCore
internal import GameConfEngine
internal import GameConfServer

extension Subscriber {
  /// Returns the HTTP response with the subscriber's JSON, and with the game's and the player's revision.
  func answer(status: Int = 200) -> Answer {
    var answer = Answer.json(body, status: status)
    answer.revision = UInt64(clamping: view.game.revision)
    answer.playerRevision = UInt64(clamping: view.stored.revision)
    answer.fields.append(Answer.Field("X-RevenueCat-Request-Time", String(time.host.milliseconds)))
    answer.fields.append(Answer.Field("Cache-Control", "no-store"))
    return answer
  }

  /// The subscriber in RevenueCat's JSON. The members are exactly these, because old client libraries refuse unknown ones.
  var body: Value {
    [
      "request_date": .string(time.request.text), "request_date_ms": .integer(time.host.milliseconds),
      "subscriber": [
        "original_app_user_id": .string(view.id.player), "original_application_version": nil, "original_purchase_date": nil,
        "first_seen": .string(firstSeen.text), "last_seen": .string(lastSeen.text), "management_url": nil,
        "entitlements": .object(ObjectValue(entitlements.map { ($0.id, entitlement($0.purchase)) })),
        "subscriptions": .object(ObjectValue(subscriptions.map { ($0.product, subscription($0.purchase)) })),
        "non_subscriptions": .object(ObjectValue(others.map { ($0.product, .list($0.purchases.map(single))) })),
        "other_purchases": .object(ObjectValue()), "subscriber_attributes": .object(ObjectValue()),
      ],
    ]
  }

  private func entitlement(_ purchase: SubscriberPurchase) -> Value {
    [
      "expires_date": date(end(of: purchase)), "grace_period_expires_date": date(graceEnd(of: purchase)),
      "product_identifier": .string(purchase.product), "purchase_date": date(time.past(purchase.transaction.purchasedAt)),
    ]
  }

  private func subscription(_ purchase: SubscriberPurchase) -> Value {
    let transaction = purchase.transaction
    let refundedAt = transaction.revocation == .refunded ? transaction.revokedAt.map { time.past($0) } : nil
    return [
      "expires_date": date(end(of: purchase)), "purchase_date": date(time.past(transaction.purchasedAt)),
      "original_purchase_date": date(originalPurchase(of: purchase)), "period_type": .string(periodType(of: transaction)),
      "store": .string(store(of: transaction)), "is_sandbox": true, "ownership_type": "PURCHASED",
      "unsubscribe_detected_at": date(unsubscribedAt(purchase)), "billing_issues_detected_at": date(billingFailedAt(purchase)),
      "grace_period_expires_date": date(graceEnd(of: purchase)), "refunded_at": date(refundedAt), "auto_resume_date": nil,
      "store_transaction_id": .string(transaction.id), "price": price(of: transaction),
    ]
  }

  private func single(_ purchase: SubscriberPurchase) -> Value {
    let transaction = purchase.transaction
    let bought = date(time.past(transaction.purchasedAt))
    return [
      "id": .string(transaction.id), "purchase_date": bought, "original_purchase_date": bought, "is_sandbox": true,
      "store": .string(store(of: transaction)), "store_transaction_id": .string(transaction.id), "price": price(of: transaction),
    ]
  }

  /// Returns RevenueCat's type of a transaction's period. A grant is `normal`, because the libraries have no type for grants; the store
  /// `promotional` identifies it.
  private func periodType(of transaction: ShopTransaction) -> String {
    switch transaction.offer {
    case .freeTrial: "trial"
    case .payAsYouGo, .payUpFront: "intro"
    case nil: "normal"
    }
  }

  private func store(of transaction: ShopTransaction) -> String { transaction.product == nil ? "promotional" : "test_store" }

  /// Returns the transaction's price if it is in US dollars, else null, because the libraries ignore the currency and assume dollars.
  private func price(of transaction: ShopTransaction) -> Value {
    guard let price = transaction.price, price.currency == "USD", let amount = Double(price.amount) else { return .null }
    return ["currency": "USD", "amount": .double(amount)]
  }

  private func date(_ instant: Instant?) -> Value { instant.map { .string($0.text) } ?? .null }
}
