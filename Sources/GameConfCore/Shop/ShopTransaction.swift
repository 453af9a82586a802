// One thing bought, renewed or granted: what the store would show of it.

/// A price as it was paid.
public struct ShopPrice: Sendable, Hashable {
  /// ISO 4217 code, three capitals.
  public var currency: String
  /// Decimal text, such as `"1.99"`.
  public var amount: String

  /// A price, taken as it is.
  public init(currency: String, amount: String) {
    self.currency = currency
    self.amount = amount
  }

  /// A price from outside.
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

  /// True if this is more than the other, in the same currency; nil when the currencies differ.
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

/// A transaction of the simulated store; nothing of it ever was money.
public struct ShopTransaction: Sendable, Hashable {
  /// The environment of everything the simulator makes.
  public static let environment = "simulated"

  /// The states of a purchase.
  public enum State: String, Sendable, Hashable, CaseIterable { case purchased, pending, interrupted, declined }
  /// The subject of the transaction.
  public enum Subject: Sendable, Hashable {
    case product(String)
    /// An entitlement that an admin gave, as RevenueCat's promotional ones.
    case grant(entitlement: String)
  }
  /// Apple's transaction reason, and ours for grants.
  public enum Reason: String, Sendable, Hashable, CaseIterable { case purchase, renewal, grant }
  /// The ways in which access was taken back.
  public enum Revocation: String, Sendable, Hashable, CaseIterable { case refunded, revoked }

  /// Digits, derived from game, player and count.
  public var id: String
  /// The id of the first transaction of the same subscription group; its own for everything else.
  public var originalID: String
  /// The subject of the transaction.
  public var subject: Subject
  /// The kind of product; nil for a grant.
  public var kind: Product.Kind?
  /// The subscription group, for what renews.
  public var group: String?
  /// The reason why there is a transaction.
  public var reason: Reason
  /// The state of the purchase.
  public var state: State
  /// The instant when it was bought, renewed or granted; when it was asked for while pending or interrupted.
  public var purchasedAt: Instant
  /// The instant when access ends, as it stands; nil for what stays.
  public var expiresAt: Instant?
  /// The instant up to which access goes on while billing is retried.
  public var graceUntil: Instant?
  /// The instant when a better product of the group took its place.
  public var upgradedAt: Instant?
  /// The instant when access was taken back.
  public var revokedAt: Instant?
  /// The way in which access was taken back.
  public var revocation: Revocation?
  /// The instant when the game said that it has delivered what was bought.
  public var finishedAt: Instant?
  /// The introductory offer it was made under.
  public var offer: Subscription.IntroMode?
  /// The price that it would have had.
  public var price: ShopPrice?
  /// The reason why it does not verify; it grants nothing until a restore verifies it.
  public var unverified: SimulatedError?
  /// The instant when it was verified after all.
  public var verifiedAt: Instant?
  /// The player it came from by a restore; nil for what was bought here, and once that player was forgotten.
  public var transferredFrom: String?
  /// A digest of the token of the receipt that it was bought with; nil for what no receipt was sent for.
  public var tokenDigest: String?

  init(id: String, subject: Subject, reason: Reason, purchasedAt: Instant) {
    self.id = id
    self.originalID = id
    self.subject = subject
    self.reason = reason
    self.state = .purchased
    self.purchasedAt = purchasedAt
  }

  /// The product, when it is for one.
  public var product: String? { if case .product(let id) = subject { id } else { nil } }

  /// True if the game has still to be notified of it: bought, and not finished.
  public var isUnfinished: Bool { state == .purchased && finishedAt == nil }

  /// The instant when it gives what it is for; nil when it never does.
  ///
  /// Half open: at the instant an interval ends, nothing is held any more.
  public var held: AccessInterval? {
    guard state == .purchased, unverified == nil else { return nil }
    let from = verifiedAt ?? purchasedAt
    let until = accessEnd
    if let until, until <= from { return nil }
    return AccessInterval(from: from, until: until)
  }

  /// The end of what was bought as it stands, with grace, an upgrade and a refund; nil for what stays.
  public var accessEnd: Instant? {
    var until = expiresAt
    if let paid = until, let grace = graceUntil { until = max(paid, grace) }
    for end in [upgradedAt, revokedAt] { if let end { until = until.map { min($0, end) } ?? end } }
    return until
  }
}

/// A stretch of time in which something was held: from its first instant up to, and without, its end.
public struct AccessInterval: Sendable, Hashable {
  /// The first instant.
  public var from: Instant
  /// The first instant no longer in it; nil when it has no end.
  public var until: Instant?

  /// A stretch of time.
  public init(from: Instant, until: Instant?) {
    self.from = from
    self.until = until
  }

  /// True if the instant lies in it.
  public func contains(_ instant: Instant) -> Bool { instant >= from && until.map { instant < $0 } ?? true }
}
