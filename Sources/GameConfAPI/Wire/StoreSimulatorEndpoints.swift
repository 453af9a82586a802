// The calls about the simulated store: what is for sale, what a player bought and may use, gates, and simulated time.

extension Endpoints {
  static let storeSimulatorCalls =
    [
      products, offerings, entitlements, transactions, transaction, purchase, restorePurchases, finishTransaction, storeLog, checkGate,
    ] + transactionActs + [
      deleteTransaction, clearTransactions, grant, storeBehaviour, putStoreBehaviour, switchPremium, gameClock, putGameClock, playerClock,
      putPlayerClock,
    ]

  private static let gamePath = "/v1/games/{game}"
  private static let playerPath = "/v1/games/{game}/players/{player}"
  private static let transactionPath = playerPath + "/transactions/{transaction}"

  /// What is for sale.
  public static let products = Endpoint(
    "products", .get, gamePath + "/products", on: both,
    query: [
      Query.locale,
      .init("player", "For this player: the call fails, and is counted, where the player's simulator is set to let it fail."),
    ],
    answer: .json(ProductList.self), summary: "The products of a game with their prices.")
  /// How products are offered.
  public static let offerings = Endpoint(
    "offerings", .get, gamePath + "/offerings", on: both, answer: .json(OfferingList.self),
    summary: "The offerings of a game: products by package.")

  /// What a player may use.
  public static let entitlements = Endpoint(
    "entitlements", .get, playerPath + "/entitlements", on: both, answer: .json(EntitlementsAnswer.self),
    summary: "What a player may use now and until when, what counts as purchased, and whether ads are off.")
  /// What a player bought.
  public static let transactions = Endpoint(
    "transactions", .get, playerPath + "/transactions", on: both,
    query: [.init("unfinished", "true lists only what the game has still to deliver and finish.")],
    answer: .json(TransactionList.self), summary: "A player's simulated transactions, oldest first.")
  /// One of them.
  public static let transaction = Endpoint(
    "transaction", .get, transactionPath, on: both, answer: .json(TransactionRecord.self), summary: "One simulated transaction.")
  /// Buys.
  public static let purchase = Endpoint(
    "purchase", .post, playerPath + "/purchases", on: both, query: [Query.dryRun], request: .json(PurchaseRequest.self),
    answer: .json(StoreActAnswer.self), statuses: [200, 201],
    summary: "A simulated purchase, with the outcome the simulator is set to; 201 when it made a transaction.")
  /// Delivers again.
  public static let restorePurchases = Endpoint(
    "restorePurchases", .post, playerPath + "/restore", on: both, query: [Query.dryRun],
    request: .json(RestoreRequest.self, required: false), answer: .json(StoreActAnswer.self),
    summary: "Delivers again what a player owns, or brings along what another player of the game bought.")
  /// Says that what was bought is delivered.
  public static let finishTransaction = Endpoint(
    "finishTransaction", .post, transactionPath + "/finish", on: both, query: [Query.dryRun],
    request: .json(ReasonRequest.self, required: false), answer: .json(StoreActAnswer.self),
    summary: "Says that what was bought has been delivered.")
  /// What happened at the store.
  public static let storeLog = Endpoint(
    "storeLog", .get, playerPath + "/store/log", on: both, query: [Query.limit, Query.before], answer: .json(StoreLogAnswer.self),
    summary: "What happened to a player at the store, with the notifications Apple's server would send; newest first.")
  /// Whether a gate is open.
  public static let checkGate = Endpoint(
    "checkGate", .post, playerPath + "/gates/{gate}", on: both, request: .json(GateRequest.self, required: false),
    answer: .json(GateAnswer.self), summary: "Whether a gate is locked for a player, for one set of arguments or a list of them.")

  /// Gives an entitlement.
  public static let grant = Endpoint(
    "grant", .post, playerPath + "/grants", on: admin, query: [Query.dryRun], request: .json(GrantRequest.self),
    answer: .json(StoreActAnswer.self), statuses: [201, 200], summary: "Gives a player an entitlement, for a time or for good.")
  /// Forgets a transaction.
  public static let deleteTransaction = Endpoint(
    "deleteTransaction", .delete, transactionPath, on: admin, query: [Query.dryRun, Query.reason], answer: .json(StoreActAnswer.self),
    statuses: [204, 200], summary: "Forgets a transaction as though it never was; 204, and 200 for a dry run.")
  /// Forgets them all.
  public static let clearTransactions = Endpoint(
    "clearTransactions", .delete, playerPath + "/transactions", on: admin, query: [Query.dryRun, Query.reason],
    answer: .json(StoreActAnswer.self), statuses: [204, 200],
    summary: "Forgets every transaction of a player; how the store behaves stays. 204, and 200 for a dry run.")
  /// How the store behaves.
  public static let storeBehaviour = Endpoint(
    "storeBehaviour", .get, playerPath + "/store/behaviour", on: admin, answer: .json(BehaviourAnswer.self),
    summary: "How the store behaves for a player: which calls fail, Ask to Buy, interruptions, billing.")
  /// Sets how the store behaves.
  public static let putStoreBehaviour = Endpoint(
    "putStoreBehaviour", .put, playerPath + "/store/behaviour", on: admin, query: [Query.dryRun], request: .json(PutBehaviour.self),
    answer: .json(BehaviourAnswer.self), summary: "Sets how the store behaves for a player from now on; what is not said works as usual.")

  /// Switches premium.
  public static let switchPremium = Endpoint(
    "switchPremium", .put, playerPath + "/store/premium", on: admin, query: [Query.dryRun], request: .json(PremiumRequest.self),
    answer: .json(StoreActAnswer.self), summary: "Buys the product that the catalog calls premium, or refunds it.")

  /// A game's simulated time.
  public static let gameClock = Endpoint(
    "gameClock", .get, gamePath + "/clock", on: admin, answer: .json(ClockAnswer.self), summary: "A game's simulated time.")
  /// Moves a game's simulated time.
  public static let putGameClock = Endpoint(
    "putGameClock", .put, gamePath + "/clock", on: admin, query: [Query.dryRun], request: .json(PutClock.self),
    answer: .json(ClockAnswer.self), summary: "Moves a game's simulated time forward, or lets it run at another rate.")
  /// A player's simulated time.
  public static let playerClock = Endpoint(
    "playerClock", .get, playerPath + "/clock", on: admin, answer: .json(PlayerClockAnswer.self), summary: "A player's simulated time.")
  /// Moves a player's simulated time.
  public static let putPlayerClock = Endpoint(
    "putPlayerClock", .put, playerPath + "/clock", on: admin, query: [Query.dryRun], request: .json(PutPlayerClock.self),
    answer: .json(PlayerClockAnswer.self), summary: "Moves a player's simulated time forward, ahead of the game's.")
}

/// What an admin does to a transaction.
extension Endpoints {
  static let transactionActs = [
    refund, refundDecline, revoke, expire, renew, cancelRenewal, renewalOn, billingRetry, recover, approve, decline, resolve, changePrice,
    acceptPrice,
  ]

  private static func act(
    _ id: String, _ word: String, request: Endpoint.Content = .json(ReasonRequest.self, required: false), _ summary: String
  ) -> Endpoint {
    Endpoint(
      id, .post, transactionPath + "/" + word, on: admin, query: [Query.dryRun], request: request, answer: .json(StoreActAnswer.self),
      summary: summary)
  }

  /// Takes a purchase back and gives the money back.
  public static let refund = act("refund", "refund", "Refunds a purchase: what it gave is taken back.")
  /// Declines a refund that was asked for.
  public static let refundDecline = act(
    "refundDecline", "refund_decline", "Declines a refund that was asked for; nothing but the log changes.")
  /// Takes a purchase or grant back without a refund.
  public static let revoke = act("revoke", "revoke", "Takes a purchase or a grant back without a refund.")
  /// Ends a subscription.
  public static let expire = act("expire", "expire", "Ends a subscription now.")
  /// Renews a subscription.
  public static let renew = act("renew", "renew", "Ends a subscription's period now and begins the next.")
  /// Switches renewal off.
  public static let cancelRenewal = act("cancelRenewal", "cancel", "Switches renewal off; what is paid for lasts to its end.")
  /// Switches renewal on.
  public static let renewalOn = act("renewalOn", "renewal_on", "Switches renewal on again.")
  /// Lets a renewal fail.
  public static let billingRetry = act(
    "billingRetry", "billing_retry", request: .json(BillingRetryRequest.self, required: false),
    "Ends a subscription's period now with a renewal that fails; billing is retried.")
  /// Lets billing succeed.
  public static let recover = act("recover", "recover", "Lets the billing that is retried succeed.")
  /// Approves a purchase.
  public static let approve = act("approve", "approve", "Approves a purchase that waits for a parent's word.")
  /// Declines a purchase.
  public static let decline = act("decline", "decline", "Declines a purchase that waits for a parent's word.")
  /// Resolves what interrupts a purchase.
  public static let resolve = act("resolve", "resolve", "Resolves what interrupts a purchase, which then succeeds.")
  /// Changes a subscription's price.
  public static let changePrice = act(
    "changePrice", "change_price", request: .json(PriceChangeRequest.self),
    "Changes a subscription's price from its next renewal; a rise that needs consent ends it unless it is accepted before.")
  /// Accepts a new price.
  public static let acceptPrice = act("acceptPrice", "accept_price", "Accepts a subscription's new price.")
}
