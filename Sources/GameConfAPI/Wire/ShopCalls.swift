// The calls about the simulated store: what is for sale, what a player bought and may use, gates, and simulated time.

extension Calls {
  private static let gamePath = "/v1/games/{game}"
  private static let playerPath = "/v1/games/{game}/players/{player}"
  private static let transactionPath = playerPath + "/transactions/{transaction}"

  package static let products = Call<NoBody, ProductList>(
    "products", .get, gamePath + "/products", on: both, needs: .testerWith(query: "player"),
    query: [
      .anyLocale,
      QueryParameter(
        "player", .player, "For this player: the call fails, and is counted, where the player's simulator is set to let it fail."),
    ], "The products of a game with their prices.")
  package static let offerings = Call<NoBody, OfferingList>(
    "offerings", .get, gamePath + "/offerings", on: both, example: CallExample(["game": "kidsdoku2"]),
    "The offerings of a game: products by package.")

  package static let entitlements = Call<NoBody, EntitlementsAnswer>(
    "entitlements", .get, playerPath + "/entitlements", on: both,
    "What a player may use now and until when, what counts as purchased, and whether ads are off.")
  package static let transactions = Call<NoBody, TransactionList>(
    "transactions", .get, playerPath + "/transactions", on: both, query: [.unfinished], "A player's simulated transactions, oldest first.")
  package static let transaction = Call<NoBody, WireTransaction>(
    "transaction", .get, transactionPath, on: both, "One simulated transaction.")
  package static let purchase = Call<PurchaseRequest, ShopActAnswer>(
    "purchase", .post, playerPath + "/purchases", on: both, needs: .tester, changes: .player, statuses: [200, 201],
    "A simulated purchase, with the outcome the simulator is set to; 201 when it made a transaction.")
  package static let restorePurchases = Call<RestoreRequest?, ShopActAnswer>(
    "restorePurchases", .post, playerPath + "/restore", on: both, needs: .tester, changes: .player,
    "Delivers again what a player owns, or brings along what another player of the game bought.")
  package static let finishTransaction = Call<ReasonRequest?, ShopActAnswer>(
    "finishTransaction", .post, transactionPath + "/finish", on: both, needs: .tester, changes: .player,
    "Says that what was bought has been delivered.")
  package static let storeLog = Call<NoBody, ShopLogAnswer>(
    "storeLog", .get, playerPath + "/store/log", on: both, query: [.limit, .before],
    "What happened to a player at the store, with the notifications Apple's server would send; newest first.")
  package static let checkGate = Call<GateRequest?, GateAnswer>(
    "checkGate", .post, playerPath + "/gates/{gate}", on: both,
    example: CallExample(["game": "kidsdoku2", "gate": "premium_puzzles"]),
    "Whether a gate is locked for a player, for one set of arguments or a list of them.")

  package static let grant = Call<GrantRequest, ShopActAnswer>(
    "grant", .post, playerPath + "/grants", on: admin, needs: .tester, changes: .player, statuses: [201, 200],
    "Gives a player an entitlement, for a time or for good.")
  package static let deleteTransaction = Call<NoBody, ShopActAnswer>(
    "deleteTransaction", .delete, transactionPath, on: admin, needs: .tester, changes: .player, query: [.reason], statuses: [204, 200],
    "Forgets a transaction as though it never was; 204, and 200 for a dry run.")
  package static let clearTransactions = Call<NoBody, ShopActAnswer>(
    "clearTransactions", .delete, playerPath + "/transactions", on: admin, needs: .tester, changes: .player, query: [.reason],
    statuses: [204, 200], "Forgets every transaction of a player; how the store behaves stays. 204, and 200 for a dry run.")
  package static let storeBehaviour = Call<NoBody, BehaviourAnswer>(
    "storeBehaviour", .get, playerPath + "/store/behaviour", on: admin,
    "How the store behaves for a player: which calls fail, Ask to Buy, interruptions, billing.")
  package static let putStoreBehaviour = Call<PutBehaviour, BehaviourAnswer>(
    "putStoreBehaviour", .put, playerPath + "/store/behaviour", on: admin, needs: .tester, changes: .player,
    "Sets how the store behaves for a player from now on; what is not said works as usual.")

  package static let switchPremium = Call<PremiumRequest, ShopActAnswer>(
    "switchPremium", .put, playerPath + "/store/premium", on: admin, needs: .tester, changes: .player,
    "Buys the product that the catalog calls premium, or refunds and revokes whatever gives what it gives.")

  package static let gameClock = Call<NoBody, ClockAnswer>(
    "gameClock", .get, gamePath + "/clock", on: admin, "A game's simulated time.")
  package static let putGameClock = Call<PutClock, ClockAnswer>(
    "putGameClock", .put, gamePath + "/clock", on: admin, needs: .admin, changes: .game,
    "Moves a game's simulated time forward, or lets it run at another rate.")
  package static let resetGameClock = Call<NoBody, ClockResetAnswer>(
    "resetGameClock", .delete, gamePath + "/clock", on: admin, needs: .admin, changes: .game, query: [.reason],
    example: CallExample(["game": "remembersquare"]),
    "Lets a game's clock show the host's time again: its players' simulated purchases are cleared and what is dated ahead is dated now, in one transaction and after a copy of the database was made."
  )
  package static let playerClock = Call<NoBody, PlayerClockAnswer>(
    "playerClock", .get, playerPath + "/clock", on: admin, "A player's simulated time.")
  package static let putPlayerClock = Call<PutPlayerClock, PlayerClockAnswer>(
    "putPlayerClock", .put, playerPath + "/clock", on: admin, needs: .tester, changes: .player,
    "Moves a player's simulated time forward, ahead of the game's.")
}

/// What an admin does to a transaction.
extension Calls {
  private static let subscription = CallExample(["game": "kidsdoku2"])

  private static func act(
    _ id: String, _ word: String, example: CallExample = CallExample(), _ summary: String
  ) -> Call<ReasonRequest?, ShopActAnswer> {
    act(id, word, asking: ReasonRequest?.self, example: example, summary)
  }

  private static func act<Ask: CallBody>(
    _ id: String, _ word: String, asking: Ask.Type, example: CallExample = subscription, _ summary: String
  ) -> Call<Ask, ShopActAnswer> {
    Call(id, .post, transactionPath + "/" + word, on: admin, needs: .tester, changes: .player, example: example, summary)
  }

  package static let refund = act("refund", "refund", "Refunds a purchase: what it gave is taken back.")
  package static let refundDecline = act(
    "refundDecline", "refund_decline", "Declines a refund that was asked for; nothing but the log changes.")
  package static let revoke = act("revoke", "revoke", "Takes a purchase or a grant back without a refund.")
  package static let expire = act("expire", "expire", example: subscription, "Ends a subscription now.")
  package static let renew = act("renew", "renew", example: subscription, "Ends a subscription's period now and begins the next.")
  package static let cancelRenewal = act(
    "cancelRenewal", "cancel", example: subscription, "Switches renewal off; what is paid for lasts to its end.")
  package static let renewalOn = act("renewalOn", "renewal_on", example: subscription, "Switches renewal on again.")
  package static let billingRetry = act(
    "billingRetry", "billing_retry", asking: BillingRetryRequest?.self,
    "Ends a subscription's period now with a renewal that fails; billing is retried.")
  package static let recover = act("recover", "recover", example: subscription, "Lets the billing that is retried succeed.")
  package static let approve = act("approve", "approve", "Approves a purchase that waits for a parent's word.")
  package static let decline = act("decline", "decline", "Declines a purchase that waits for a parent's word.")
  package static let resolve = act("resolve", "resolve", "Resolves what interrupts a purchase, which then succeeds.")
  package static let changePrice = act(
    "changePrice", "change_price", asking: PriceChangeRequest.self,
    "Changes a subscription's price from its next renewal; a rise that needs consent ends it unless it is accepted before.")
  package static let acceptPrice = act("acceptPrice", "accept_price", example: subscription, "Accepts a subscription's new price.")
}
