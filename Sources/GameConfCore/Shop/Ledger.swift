// Everything the simulated store knows of one player in one game.

/// A grant that ends.
struct OpenGrant: Sendable, Hashable {
  /// The instant when it ends.
  var at: Instant
  /// Its transaction.
  var transaction: String
}

/// The transactions of a player, what became of them, and how the store behaves for that player: a value that is never changed in place.
///
/// It holds what happened until its last write. What has come due since, renewals and expiries, follows from it and the instant alone:
/// ``settled(at:)`` adds it, for a read to a copy, for a write for good. So it makes no difference how often anyone looked.
public struct Ledger: Sendable, Hashable {
  /// The most transactions that a player may have before a purchase is refused.
  public static let transactionsMax = 5_000
  /// The number of times that one purchase renews; then it expires, as Apple's sandbox lets it after twelve times. A hundred years of months.
  public static let renewalsMax = 1_200
  /// The most that may come due for a player in one move of that player's clock.
  public static let dueMax = 2_500
  /// The number of entries of the log that are kept, the newest.
  public static let logEntriesMax = 2_000
  /// With how many other players purchases may be exchanged by transfers.
  public static let partnersMax = 1_000
  /// The number of days for which a store retries billing.
  public static let billingRetryDays = 60
  /// The grace period of products that have none, where the behaviour asks for one.
  public static let graceDaysDefault = 16

  /// The game.
  public let game: String
  /// The player.
  public let player: String
  /// The instant up to which everything that came due has been added.
  public internal(set) var settledUntil: Instant
  /// Every transaction, in the order they were made.
  public internal(set) var transactions: [ShopTransaction] = []
  /// The subscriptions, one a group, in the order the groups were first bought from.
  public internal(set) var subscriptions: [SubscriptionLine] = []
  /// The log, oldest first.
  public internal(set) var log: [ShopLogEntry] = []
  /// The behaviour of the store from now on.
  public internal(set) var behaviour = ShopBehaviour()
  /// The number of transactions that were ever made; their ids are counted by it.
  public internal(set) var transactionCount = 0
  /// The number of entries that were ever logged.
  public internal(set) var logCount = 0
  /// The grants whose end is still to come, the earliest first.
  var openGrants: [OpenGrant] = []
  /// The instant when the entitlements of transactions that were deleted were last held.
  public internal(set) var heldBefore: [String: Instant] = [:]
  /// The players with whom purchases were exchanged by transfers, at most ``partnersMax``: only their ledgers may name this player, and each of
  /// theirs has this player among its own. Kept whatever becomes of transactions and log, so that a player who is forgotten is found in all of them.
  public internal(set) var partners: Set<ByteText> = []
  /// The anonymous id that is another name of this player.
  public internal(set) var alias: String?
  /// The player that this id is another name of.
  public internal(set) var aliasOf: String?

  /// The ledger of a player who has done nothing yet.
  public init(game: String, player: String) {
    self.game = game
    self.player = player
    self.settledUntil = .earliest
  }

  /// The ledger of the same player as though nothing had been bought; with whom purchases were exchanged stays known.
  public func fresh(keepingBehaviour: Bool) -> Ledger {
    var fresh = Ledger(game: game, player: player)
    fresh.partners = partners
    (fresh.alias, fresh.aliasOf) = (alias, aliasOf)
    // Ids go on: those that others have by a transfer are not given again.
    fresh.transactionCount = transactionCount
    if keepingBehaviour { fresh.behaviour = behaviour }
    return fresh
  }

  /// True if nothing in it needs to be kept.
  public var isFresh: Bool {
    transactions.isEmpty && logCount == 0 && behaviour == ShopBehaviour() && heldBefore.isEmpty
  }

  /// The transaction of that id.
  public func transaction(_ id: String) -> ShopTransaction? { index(of: id).map { transactions[$0] } }

  /// The transactions a game has still to finish, oldest first.
  public var unfinished: [ShopTransaction] { transactions.filter(\.isUnfinished) }

  /// The subscription of that group.
  public func subscription(group: String) -> SubscriptionLine? { subscriptions.first { $0.group == group } }

  func index(of id: String) -> Int? { transactions.lastIndex { $0.id == id } }

  func requireIndex(of id: String) throws(Refusal) -> Int {
    guard let at = index(of: id) else {
      let shown = JSONPointer.clipped(id, bytesMax: 64)
      throw Refusal(.unknownTransaction, "The player has no transaction “\(shown)”.")
    }
    return at
  }

  mutating func makeTransaction(_ subject: ShopTransaction.Subject, _ reason: ShopTransaction.Reason, at instant: Instant)
    -> ShopTransaction
  {
    ShopTransaction(id: makeID(), subject: subject, reason: reason, purchasedAt: instant)
  }

  /// An id that names the game, the player and the count: 12 digits of a hash, then the count.
  mutating func makeID() -> String {
    transactionCount += 1
    return ownDigits + padded(transactionCount, 6)
  }

  /// Counts on from ids of this player's that were given to another and come back: one who was forgotten counts from 1 again.
  mutating func countOn(from ids: some Sequence<String>) {
    let own = ownDigits
    let numbers = ids.compactMap { id in id.hasPrefix(own) ? Int(id.dropFirst(own.count)) : nil }
    transactionCount = numbers.reduce(transactionCount, max)
  }

  private var ownDigits: String {
    var hash = SHA256()
    hash.update(game.utf8)
    hash.update([0])
    hash.update(player.utf8)
    let number = hash.digest().prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    return String(100_000_000_000 + number % 900_000_000_000)
  }

  /// Lets the oldest entries of the log go that are too many.
  mutating func trimLog() {
    if log.count > Self.logEntriesMax { log.removeFirst(log.count - Self.logEntriesMax) }
  }

  mutating func record(
    _ event: ShopEvent, at instant: Instant, _ notification: ShopNotification? = nil, _ subtype: ShopNotificationSubtype? = nil,
    about transaction: ShopTransaction? = nil, subject: String? = nil, detail: String? = nil
  ) {
    logCount += 1
    let subject =
      switch transaction?.subject {
      case .product(let id): subject ?? id
      case .grant(let entitlement): subject ?? entitlement
      case nil: subject
      }
    log.append(
      ShopLogEntry(
        number: logCount, at: instant, event: event, notification: notification, subtype: subtype, transaction: transaction?.id,
        subject: subject, detail: detail))
  }
}
