// The ledger of one player: all data that the simulated store has about the player in one game.

/// A grant by an admin that will end at a known instant.
struct ExpiringGrant: Sendable, Hashable {
  /// The instant at which the grant ends.
  var at: Instant
  /// The id of the grant's transaction.
  var transaction: String
}

/// A player's purchases and subscriptions in the simulated store, with the store's behaviour for the player. It is a value; an action
/// returns a new one.
///
/// The stored ledger contains the events up to its last write. Later renewals and expiries are computed by ``settled(at:)``. A read
/// computes them on a copy, and a write also stores them. So the result does not depend on how often the ledger was read.
public struct Ledger: Sendable, Hashable {
  /// The number of transactions at which the simulated store rejects further purchases of a player.
  public static let transactionsMax = 5_000
  /// The number of renewals after which a subscription expires: monthly renewals for a hundred years. Apple's sandbox has a limit of
  /// twelve.
  public static let renewalsMax = 1_200
  /// The largest number of renewals and expiries that one move of the player's simulated clock may cause.
  public static let dueMax = 2_500
  /// The number of newest entries of the store's log that are stored for a player.
  public static let logEntriesMax = 2_000
  /// The largest number of other players with whom a player may exchange purchases by transfers.
  public static let partnersMax = 1_000
  /// The number of days for which the simulated store retries a failed payment.
  public static let billingRetryDays = 60
  /// The grace period in days for a product without one, if the simulated behaviour always allows a grace period.
  public static let graceDaysDefault = 16

  /// The id of the game to whose simulated store the ledger belongs.
  public let game: String
  /// The id of the player whose purchases the ledger has.
  public let player: String
  /// The instant up to which renewals and expiries have been added to the ledger.
  public internal(set) var settledUntil: Instant
  /// The player's transactions (purchases, renewals and grants), in the order in which they were made.
  public internal(set) var transactions: [ShopTransaction] = []
  /// The player's subscriptions, one for each subscription group, in the order of the first purchase in each group.
  public internal(set) var subscriptions: [SubscriptionLine] = []
  /// The stored entries of the store's log, oldest first.
  public internal(set) var log: [ShopLogEntry] = []
  /// The simulated behaviour of the store for the player's next actions.
  public internal(set) var behaviour = ShopBehaviour()
  /// The number of transactions so far, from which the ids of new ones are derived.
  public internal(set) var transactionCount = 0
  /// The number of entries in the store's log so far, removed ones included.
  public internal(set) var logCount = 0
  /// The grants by an admin that have not ended yet, the earliest end first.
  var openGrants: [ExpiringGrant] = []
  /// By an entitlement's name, the last instant at which a transaction that is now deleted granted it to the player.
  public internal(set) var heldBefore: [String: Instant] = [:]
  /// The players with whom transfers have exchanged purchases, at most ``partnersMax``. Only their ledgers may contain this player's id,
  /// and this player is listed in theirs. Ids stay in the list when transactions and log entries are removed, so that a player who is to be
  /// forgotten can be found in all ledgers.
  public internal(set) var partners: Set<ByteText> = []
  /// The anonymous id that is an alias of this player; nil if there is no alias.
  public internal(set) var alias: String?
  /// The player of whom this anonymous id is an alias; nil if this id is no alias.
  public internal(set) var aliasOf: String?

  /// Creates the ledger of a player without purchases.
  public init(game: String, player: String) {
    self.game = game
    self.player = player
    self.settledUntil = .earliest
  }

  /// Returns the ledger of the same player without purchases. The player's alias and the list of players with whom transfers exchanged
  /// purchases are retained.
  public func fresh(keepingBehaviour: Bool) -> Ledger {
    var fresh = Ledger(game: game, player: player)
    fresh.partners = partners
    (fresh.alias, fresh.aliasOf) = (alias, aliasOf)
    // The counter of ids continues, because transfers may have moved transactions with earlier ids to other players.
    fresh.transactionCount = transactionCount
    if keepingBehaviour { fresh.behaviour = behaviour }
    return fresh
  }

  /// True if the ledger has no transactions, no log entries, no entitlements of deleted transactions, and the default behaviour of the
  /// store.
  public var isFresh: Bool {
    transactions.isEmpty && logCount == 0 && behaviour == ShopBehaviour() && heldBefore.isEmpty
  }

  /// Returns the transaction with this id; nil if the player has no such transaction.
  public func transaction(_ id: String) -> ShopTransaction? { index(of: id).map { transactions[$0] } }

  /// The purchased transactions that the game has not marked as delivered yet, oldest first.
  public var unfinished: [ShopTransaction] { transactions.filter(\.isUnfinished) }

  /// Returns the player's subscription in a subscription group, even if it has expired; nil if the player never subscribed in that group.
  public func subscription(group: String) -> SubscriptionLine? { subscriptions.first { $0.group == group } }

  func index(of id: String) -> Int? { transactions.lastIndex { $0.id == id } }

  func requireIndex(of id: String) throws(Refusal) -> Int {
    guard let at = index(of: id) else {
      let shown = JSONPointer.clipped(id, bytesMax: 64)
      throw Refusal(.unknownTransaction, "The player has no transaction “\(shown)”.")
    }
    return at
  }

  mutating func makeTransaction(_ subject: ShopTransaction.TransactionSubject, _ reason: ShopTransaction.Reason, at instant: Instant)
    -> ShopTransaction
  {
    ShopTransaction(id: makeID(), subject: subject, reason: reason, purchasedAt: instant)
  }

  /// Returns the id of a new transaction: 12 digits from a hash of game and player, and then the counter of transactions.
  mutating func makeID() -> String {
    transactionCount += 1
    return ownDigits + padded(transactionCount, 6)
  }

  /// Raises the counter of transactions above the earlier ids of this player that a transfer brings back. A player who was forgotten counts
  /// from 1 again, and could otherwise reuse such ids.
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

  /// Removes the oldest entries of the store's log beyond ``logEntriesMax``.
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
