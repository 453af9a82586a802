// A transaction of the simulated store, with the data that a real store would show about it.

/// An amount of money as decimal text, with its currency.
public struct ShopPrice: Sendable, Hashable {
  /// The currency code (ISO 4217), three capital letters.
  public var currency: String
  /// The amount as decimal text, such as `"1.99"`.
  public var amount: String

  /// Creates a price without validation, for values from the catalog or the database.
  public init(currency: String, amount: String) {
    self.currency = currency
    self.amount = amount
  }

  /// Creates a price from a client's values.
  /// - Throws: `INVALID_CURRENCY`, `INVALID_PRICE`.
  public init(checking currency: String, amount: String) throws(Refusal) {
    guard currency.utf8.count == 3, currency.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
      let shown = JSONPointer.clipped(currency, bytesMax: 64)
      throw Refusal(.invalidCurrency, "“\(shown)” is not a currency; it is written in three capitals, like USD (ISO 4217).")
    }
    let parts = amount.split(separator: ".", omittingEmptySubsequences: false)
    let areDigits = parts.allSatisfy { !$0.isEmpty && $0.utf8.count <= 12 && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    guard (1...2).contains(parts.count), areDigits, parts.count == 1 || parts[1].utf8.count <= 4 else {
      let shown = JSONPointer.clipped(amount, bytesMax: 64)
      throw Refusal(.invalidPrice, "“\(shown)” is not a price; it is decimal text with a point, like \"1.99\".")
    }
    self.init(currency: currency, amount: amount)
  }

  /// True if this price is higher than another in the same currency; nil if the currencies differ.
  func isMore(than other: ShopPrice) -> Bool? {
    guard currency == other.currency, let mine = Self.tenThousandths(amount), let others = Self.tenThousandths(other.amount) else {
      return nil
    }
    return mine > others
  }

  private static func tenThousandths(_ amount: String) -> Int64? {
    let parts = amount.split(separator: ".")
    guard let whole = parts.first.flatMap({ Int64($0) }) else { return nil }
    let fraction = parts.count > 1 ? String(parts[1].prefix(4)) : ""
    let digits = fraction + String(repeating: "0", count: 4 - fraction.utf8.count)
    return Int64(digits).map { whole * 10_000 + $0 }
  }
}

/// A transaction of the simulated store: a purchase, a renewal or a grant. No real money is ever involved.
public struct ShopTransaction: Sendable, Hashable {
  /// The environment that responses show for all simulated transactions.
  public static let environment = "simulated"

  /// The state of a purchase. Only `purchased` can grant access.
  public enum State: String, Sendable, Hashable, CaseIterable { case purchased, pending, interrupted, declined }
  /// The product or entitlement that a transaction is about.
  public enum TransactionSubject: Sendable, Hashable {
    case product(String)
    /// An entitlement that an admin granted, like RevenueCat's promotional grants.
    case grant(entitlement: String)
  }
  /// The reason for a transaction. The first two are Apple's, and `grant` is an act of an admin.
  public enum Reason: String, Sendable, Hashable, CaseIterable { case purchase, renewal, grant }
  /// The way in which the player's access was taken away.
  public enum Revocation: String, Sendable, Hashable, CaseIterable { case refunded, revoked }

  /// The id of the transaction: digits that are derived from the game, the player and a counter.
  public var id: String
  /// The id of the player's first transaction in the same subscription group. For all other products it is the transaction's own id.
  public var originalID: String
  /// The product that was purchased, or the entitlement that an admin granted.
  public var subject: TransactionSubject
  /// The type of the product; nil for a grant.
  public var kind: Product.Kind?
  /// The subscription group of the product; nil for a product that does not renew and for a grant.
  public var group: String?
  /// The reason for the transaction as Apple names it; `grant` for a grant by an admin.
  public var reason: Reason
  /// The state of the purchase. Renewals and grants are always `purchased`.
  public var state: State
  /// The instant of the purchase, renewal or grant. While a purchase is pending or interrupted, it is the instant of the request.
  public var purchasedAt: Instant
  /// The instant at which the paid or granted time ends; nil if it never ends.
  public var expiresAt: Instant?
  /// The end of the grace period, until which access continues while a failed payment is retried; nil if there was no grace period.
  public var graceUntil: Instant?
  /// The instant at which an upgrade replaced the transaction; nil if no upgrade did.
  public var upgradedAt: Instant?
  /// The instant at which the player's access was taken away, by a refund or a revocation; nil if it was not.
  public var revokedAt: Instant?
  /// The way in which the player's access was taken away; nil if ``revokedAt`` is nil.
  public var revocation: Revocation?
  /// The instant at which the game marked the transaction as delivered; nil before that.
  public var finishedAt: Instant?
  /// The kind of the introductory offer that applied; nil if no offer applied.
  public var offer: Subscription.IntroMode?
  /// The price that a real purchase would have had; nil if the catalog declares no price.
  public var price: ShopPrice?
  /// The reason why the verification fails; nil if it succeeds. With a reason, the transaction grants nothing until a restore verifies it.
  public var unverified: SimulatedError?
  /// The instant at which a restore verified the transaction, or a transfer moved it to this player. Access begins then; nil means at
  /// ``purchasedAt``.
  public var verifiedAt: Instant?
  /// The player from whom a transfer moved the transaction to this player; nil if there was no transfer or that player was forgotten.
  public var transferredFrom: String?
  /// The digest of the receipt token that a client sent for the transaction; nil if no client did.
  public var tokenDigest: String?

  init(id: String, subject: TransactionSubject, reason: Reason, purchasedAt: Instant) {
    self.id = id
    self.originalID = id
    self.subject = subject
    self.reason = reason
    self.state = .purchased
    self.purchasedAt = purchasedAt
  }

  /// The id of the product that was purchased; nil for a grant.
  public var product: String? { if case .product(let id) = subject { id } else { nil } }

  /// True if the transaction is purchased but the game has not marked it as delivered.
  public var isUnfinished: Bool { state == .purchased && finishedAt == nil }

  /// The interval in which the transaction grants access; nil if it never does.
  ///
  /// The interval is half-open: access is over at its end.
  public var held: AccessInterval? {
    guard state == .purchased, unverified == nil else { return nil }
    let from = verifiedAt ?? purchasedAt
    let until = accessEnd
    if let until, until <= from { return nil }
    return AccessInterval(from: from, until: until)
  }

  /// The instant at which access ends, considering grace period, upgrade and refund or revocation; nil if it never ends.
  public var accessEnd: Instant? {
    var until = expiresAt
    if let paid = until, let grace = graceUntil { until = max(paid, grace) }
    for end in [upgradedAt, revokedAt] { if let end { until = until.map { min($0, end) } ?? end } }
    return until
  }
}

/// A half-open interval of time in which a player had access.
public struct AccessInterval: Sendable, Hashable {
  /// The first instant with access.
  public var from: Instant
  /// The first instant after the access; nil if the interval has no end.
  public var until: Instant?

  /// Creates a half-open interval.
  /// - Parameter until: The first instant after the interval; nil for no end.
  public init(from: Instant, until: Instant?) {
    self.from = from
    self.until = until
  }

  /// True if the instant is at or after ``from`` and before ``until``.
  public func contains(_ instant: Instant) -> Bool { instant >= from && until.map { instant < $0 } ?? true }
}
