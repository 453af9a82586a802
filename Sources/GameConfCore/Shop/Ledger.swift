// The ledger of one player: all data that the simulated store has about the player in one game.

/// A grant by an admin that has an end.
struct OpenGrant: Sendable, Hashable {
  /// The instant at which it ends.
  var at: Instant
  /// The id of its transaction.
  var transaction: String
}

/// The transactions of a player, their states, and the store's behaviour for the player, as an immutable value.
///
/// It contains the events up to its last write. Later renewals and expiries follow from it and the present: ``settled(at:)`` adds them, to
/// a copy for a read and permanently for a write. So the result does not depend on how often the ledger was read.
public struct Ledger: Sendable, Hashable {
  /// The number of transactions above which the store rejects purchases.
  public static let transactionsMax = 5_000
  /// The number of renewals after which a subscription expires, a hundred years of months. Apple's sandbox has a limit of twelve.
  public static let renewalsMax = 1_200
  /// The largest number of renewals and expiries that one move of the player's clock may cause.
  public static let dueMax = 2_500
  /// The number of most recent log entries that are stored.
  public static let logEntriesMax = 2_000
  /// The largest number of other players with whom transfers may exchange purchases.
  public static let partnersMax = 1_000
  /// The number of days for which a failed payment is retried.
  public static let billingRetryDays = 60
  /// The grace period in days for products without one, if the store's behaviour enables it.
  public static let graceDaysDefault = 16

  /// The id of the game.
  public let game: String
  /// The id of the player.
  public let player: String
  /// The instant up to which renewals and expiries have been added.
  public internal(set) var settledUntil: Instant
  /// All transactions, in the order in which they were made.
  public internal(set) var transactions: [ShopTransaction] = []
  /// The subscriptions, one for each group, in the order of the first purchase in each group.
  public internal(set) var subscriptions: [SubscriptionLine] = []
  /// The log entries, oldest first.
  public internal(set) var log: [ShopLogEntry] = []
  /// The behaviour of the store for the player's next actions.
  public internal(set) var behaviour = ShopBehaviour()
  /// The number of transactions so far, from which their ids are derived.
  public internal(set) var transactionCount = 0
  /// The number of log entries so far.
  public internal(set) var logCount = 0
  /// The grants that have not ended yet, the earliest end first.
  var openGrants: [OpenGrant] = []
  /// The last instant of each entitlement that deleted transactions granted.
  public internal(set) var heldBefore: [String: Instant] = [:]
  /// The players with whom transfers have exchanged purchases, at most ``partnersMax``. Only their ledgers may contain this player's id,
  /// and the relation is symmetric. It stays when transactions and log entries are removed, so that a player who is to be forgotten can be
  /// found in all ledgers.
  public internal(set) var partners: Set<ByteText> = []
  /// The anonymous id that is an alias of this player.
  public internal(set) var alias: String?
  /// The player of whom this anonymous id is an alias.
  public internal(set) var aliasOf: String?

  /// Creates the ledger of a player without purchases.
  public init(game: String, player: String) {
    self.game = game
    self.player = player
    self.settledUntil = .earliest
  }

  /// Returns the ledger of the same player without purchases. The list of players with whom transfers exchanged purchases stays.
  public func fresh(keepingBehaviour: Bool) -> Ledger {
    var fresh = Ledger(game: game, player: player)
    fresh.partners = partners
    (fresh.alias, fresh.aliasOf) = (alias, aliasOf)
    // The counter of ids continues, because a transfer may have given earlier ids to other players.
    fresh.transactionCount = transactionCount
    if keepingBehaviour { fresh.behaviour = behaviour }
    return fresh
  }

  /// True if the ledger has no data that needs to be stored.
  public var isFresh: Bool {
    transactions.isEmpty && logCount == 0 && behaviour == ShopBehaviour() && heldBefore.isEmpty
  }

  /// Returns the transaction with this id; nil if the player has no such transaction.
  public func transaction(_ id: String) -> ShopTransaction? { index(of: id).map { transactions[$0] } }

  /// The transactions that the game has not finished yet, oldest first.
  public var unfinished: [ShopTransaction] { transactions.filter(\.isUnfinished) }

  /// Returns the player's subscription of a group, even if it has expired; nil if the ledger has no subscription of that group.
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

  /// Creates the id of a new transaction: 12 digits of a hash of game and player, then the counter.
  mutating func makeID() -> String {
    transactionCount += 1
    return ownDigits + padded(transactionCount, 6)
  }

  /// Raises the counter above ids of this player that return from a transfer. A player who was forgotten counts from 1 again and could
  /// otherwise reuse them.
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

  /// Removes the oldest log entries above the limit.
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
