// A transaction of the simulated store, with the data that a real store would show.

/// An amount as decimal text, and its currency.
public struct ShopPrice: Sendable, Hashable {
  /// The currency code (ISO 4217), three capital letters.
  public var currency: String
  /// The amount as decimal text, such as `"1.99"`.
  public var amount: String

  /// Creates a price without validation, for values from the catalog or the store.
  public init(currency: String, amount: String) {
    self.currency = currency
    self.amount = amount
  }

  /// Validates a price from a client.
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

  /// Returns true if this price is higher than another in the same currency; nil if the currencies differ.
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

/// A transaction of the simulated store. No real money is ever involved.
public struct ShopTransaction: Sendable, Hashable {
  /// The environment that responses show for all simulated transactions.
  public static let environment = "simulated"

  /// The states of a purchase. Only `purchased` can grant access.
  public enum State: String, Sendable, Hashable, CaseIterable { case purchased, pending, interrupted, declined }
  /// The product or entitlement that a transaction is about.
  public enum TransactionSubject: Sendable, Hashable {
    case product(String)
    /// An entitlement that an admin granted, like RevenueCat's promotional grants.
    case grant(entitlement: String)
  }
  /// The reasons for a transaction: Apple's two, and grants.
  public enum Reason: String, Sendable, Hashable, CaseIterable { case purchase, renewal, grant }
  /// The ways in which access is taken away.
  public enum Revocation: String, Sendable, Hashable, CaseIterable { case refunded, revoked }

  /// The transaction's id: digits derived from the game, the player and a counter.
  public var id: String
  /// The id of the first transaction of the same subscription group. For all other products it is the transaction's own id.
  public var originalID: String
  /// The product that was purchased, or the entitlement that was granted.
  public var subject: TransactionSubject
  /// The type of the product; nil for a grant.
  public var kind: Product.Kind?
  /// The subscription group; nil for products that do not renew.
  public var group: String?
  /// The reason as Apple names it; `grant` for a transaction of an admin.
  public var reason: Reason
  /// The state; `purchased` for renewals and grants too.
  public var state: State
  /// The instant of the purchase, renewal or grant. While it is pending or interrupted, it is that of the request.
  public var purchasedAt: Instant
  /// The instant at which access ends; nil if it never ends.
  public var expiresAt: Instant?
  /// The end of the grace period, until which access continues while payment is retried.
  public var graceUntil: Instant?
  /// The instant at which an upgrade replaced it.
  public var upgradedAt: Instant?
  /// The instant at which access was taken away.
  public var revokedAt: Instant?
  /// The way in which access was taken away; nil if ``revokedAt`` is nil.
  public var revocation: Revocation?
  /// The instant at which the game marked it as delivered.
  public var finishedAt: Instant?
  /// The introductory offer that applied; nil if none did.
  public var offer: Subscription.IntroMode?
  /// The price that a real purchase would have had.
  public var price: ShopPrice?
  /// The reason why verification fails. The transaction grants nothing until a restore verifies it.
  public var unverified: SimulatedError?
  /// The instant at which a restore verified it.
  public var verifiedAt: Instant?
  /// The player from whom a transfer moved it here; nil if it was purchased here or that player was forgotten.
  public var transferredFrom: String?
  /// The digest of the receipt token that a client sent for it; nil if none did.
  public var tokenDigest: String?

  init(id: String, subject: TransactionSubject, reason: Reason, purchasedAt: Instant) {
    self.id = id
    self.originalID = id
    self.subject = subject
    self.reason = reason
    self.state = .purchased
    self.purchasedAt = purchasedAt
  }

  /// The id of the product; nil for a grant.
  public var product: String? { if case .product(let id) = subject { id } else { nil } }

  /// True if it is purchased but the game has not marked it as delivered.
  public var isUnfinished: Bool { state == .purchased && finishedAt == nil }

  /// The interval in which it grants access; nil if it never does.
  ///
  /// The interval is half-open: at its end, access is over.
  public var held: AccessInterval? {
    guard state == .purchased, unverified == nil else { return nil }
    let from = verifiedAt ?? purchasedAt
    let until = accessEnd
    if let until, until <= from { return nil }
    return AccessInterval(from: from, until: until)
  }

  /// The end of access, considering grace period, upgrade and refund; nil if it never ends.
  public var accessEnd: Instant? {
    var until = expiresAt
    if let paid = until, let grace = graceUntil { until = max(paid, grace) }
    for end in [upgradedAt, revokedAt] { if let end { until = until.map { min($0, end) } ?? end } }
    return until
  }
}

/// A half-open interval of time in which a player had access.
public struct AccessInterval: Sendable, Hashable {
  /// The first instant of the interval.
  public var from: Instant
  /// The first instant after the interval; nil if it has no end.
  public var until: Instant?

  /// Creates an interval; `until` is excluded.
  public init(from: Instant, until: Instant?) {
    self.from = from
    self.until = until
  }

  /// True if the instant is at or after ``from`` and before ``until``.
  public func contains(_ instant: Instant) -> Bool { instant >= from && until.map { instant < $0 } ?? true }
}
