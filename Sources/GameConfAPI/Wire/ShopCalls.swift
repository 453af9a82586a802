// The calls about the simulated store, with its products, purchases, entitlements and gates, and about simulated time.

package import GameConfCore

extension Calls {
  private static let gamePath = "/v1/games/{game}"
  private static let playerPath = "/v1/games/{game}/players/{player}"
  private static let transactionPath = playerPath + "/transactions/{transaction}"

  package static let products = Call<NoBody, ProductList>(
    "products", .get, gamePath + "/products", on: both, needs: .testerWith(query: "player"),
    query: [
      .anyLocale,
      QueryParameter(
        "player", .player, "The player: the call fails, and counts, if the player's simulator is set to fail it."),
    ], offers: [.panel, .tool(19)], "The products of a game with their prices.")
  package static let offerings = Call<NoBody, OfferingList>(
    "offerings", .get, gamePath + "/offerings", on: both, example: CallExample(["game": "kidsdoku2"]), offers: [.furtherTool],
    "The offerings of a game: products by package.")

  package static let entitlements = Call<NoBody, EntitlementsAnswer>(
    "entitlements", .get, playerPath + "/entitlements", on: both, offers: [.panel, .tool(17)],
    "A player's entitlements with their ends, the products that count as purchased, and the freedom from ads.")
  package static let transactions = Call<NoBody, TransactionList>(
    "transactions", .get, playerPath + "/transactions", on: both, query: [.unfinished, .acts], offers: [.panel, .tool(18)],
    "A player's simulated transactions, oldest first.")
  package static let transaction = Call<NoBody, WireTransaction>(
    "transaction", .get, transactionPath, on: both, offers: [.furtherTool], "One simulated transaction.")
  package static let purchase = Call<PurchaseRequest, ShopActAnswer>(
    "purchase", .post, playerPath + "/purchases", on: both, needs: .tester, changes: .player, statuses: [200, 201],
    offers: [.panel, .furtherTool],
    "A simulated purchase, with the outcome set in the simulator. Answers 201 if it made a transaction.")
  package static let restorePurchases = Call<RestoreRequest?, ShopActAnswer>(
    "restorePurchases", .post, playerPath + "/restore", on: both, needs: .tester, changes: .player, offers: [.panel],
    "Delivers a player's purchases again, or moves another player's purchases to this one.")
  package static let finishTransaction = Call<ReasonRequest?, ShopActAnswer>(
    "finishTransaction", .post, transactionPath + "/finish", on: both, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Reports that a purchase was delivered.")
  package static let storeLog = Call<NoBody, ShopLogAnswer>(
    "storeLog", .get, playerPath + "/store/log", on: both, query: [.limit, .before], offers: [.panel, .furtherTool],
    "The history of a player at the store, newest first, with the notifications of Apple's server.")
  package static let checkGate = Call<GateRequest?, GateAnswer>(
    "checkGate", .post, playerPath + "/gates/{gate}", on: both,
    example: CallExample(["game": "kidsdoku2", "gate": "premium_puzzles"]), offers: [.furtherTool],
    "The state of a gate for a player, for one set of arguments or a list of them.")

  package static let grant = Call<GrantRequest, ShopActAnswer>(
    "grant", .post, playerPath + "/grants", on: admin, needs: .tester, changes: .player, statuses: [201, 200], offers: [.panel, .tool(24)],
    "Grants a player an entitlement, for a time or permanently.")
  package static let deleteTransaction = Call<NoBody, ShopActAnswer>(
    "deleteTransaction", .delete, transactionPath, on: admin, needs: .tester, changes: .player, query: [.reason], statuses: [204, 200],
    offers: [.panel],
    "Removes a transaction as though it never happened. Answers 204, or 200 for a dry run.")
  package static let clearTransactions = Call<NoBody, ShopActAnswer>(
    "clearTransactions", .delete, playerPath + "/transactions", on: admin, needs: .tester, changes: .player, query: [.reason],
    statuses: [204, 200], offers: [.panel],
    "Removes every transaction of a player; the store's behaviour stays. Answers 204, or 200 for a dry run.")
  package static let storeBehaviour = Call<NoBody, BehaviourAnswer>(
    "storeBehaviour", .get, playerPath + "/store/behaviour", on: admin, offers: [.panel, .furtherTool],
    "The behaviour of the store for a player: failing calls, Ask to Buy, interruptions, billing.")
  package static let putStoreBehaviour = Call<PutBehaviour, BehaviourAnswer>(
    "putStoreBehaviour", .put, playerPath + "/store/behaviour", on: admin, needs: .tester, changes: .player,
    offers: [.panel, .furtherTool],
    "Sets the behaviour of the store for a player; a member left out is as usual.")

  package static let switchPremium = Call<PremiumRequest, ShopActAnswer>(
    "switchPremium", .put, playerPath + "/store/premium", on: admin, needs: .tester, changes: .player, offers: [.panel, .furtherTool],
    "Buys the catalog's premium product, or refunds and revokes every purchase and grant of its entitlements.")

  package static let gameClock = Call<NoBody, ClockAnswer>(
    "gameClock", .get, gamePath + "/clock", on: admin, offers: [.panel, .furtherTool], "A game's simulated time.")
  package static let putGameClock = Call<PutClock, ClockAnswer>(
    "putGameClock", .put, gamePath + "/clock", on: admin, needs: .admin, changes: .game, offers: [.panel],
    "Moves a game's simulated time forward, or changes its rate.")
  package static let resetGameClock = Call<NoBody, ClockResetAnswer>(
    "resetGameClock", .delete, gamePath + "/clock", on: admin, needs: .admin, changes: .game, query: [.reason],
    example: CallExample(["game": "remembersquare"]),
    "Resets a game's clock to the host's time, after a copy of the database. In one transaction its players' simulated purchases are cleared, and future times are set to now."
  )
  package static let playerClock = Call<NoBody, PlayerClockAnswer>(
    "playerClock", .get, playerPath + "/clock", on: admin, offers: [.panel, .furtherTool], "A player's simulated time.")
  package static let putPlayerClock = Call<PutPlayerClock, PlayerClockAnswer>(
    "putPlayerClock", .put, playerPath + "/clock", on: admin, needs: .tester, changes: .player, offers: [.panel],
    "Moves a player's simulated time forward, ahead of the game's.")
}

extension Calls {
  private static let subscription = CallExample(["game": "kidsdoku2"])

  package static let billingRetry = act(
    .billingRetry, "billingRetry", body: BillingRetryRequest?.self,
    "Ends a subscription's period now with a renewal that fails; billing is retried.")
  package static let changePrice = Call<PriceChangeRequest, ShopActAnswer>(
    "changePrice", .post, transactionPath + "/change_price", on: admin, needs: .tester, changes: .player, example: subscription,
    offers: [.panel],
    "Changes a subscription's price from its next renewal; a rise that needs consent ends it unless it is accepted before.")

  /// The calls that perform acts on a transaction, by act. The body of these calls has no member but a reason.
  fileprivate static let plainActs = Dictionary(
    uniqueKeysWithValues: TransactionAct.allCases.compactMap { act in plain(act).map { (act, $0) } })

  private static func plain(_ act: TransactionAct) -> Call<ReasonRequest?, ShopActAnswer>? {
    switch act {
    case .approve: self.act(act, "approve", example: CallExample(), "Approves a purchase that waits for a parent.")
    case .decline: self.act(act, "decline", example: CallExample(), "Declines a purchase that waits for a parent.")
    case .resolve: self.act(act, "resolve", example: CallExample(), "Resolves the interruption of a purchase, which then succeeds.")
    case .finish: finishTransaction
    case .renew: self.act(act, "renew", "Ends a subscription's period now and begins the next.")
    case .cancel: self.act(act, "cancelRenewal", "Switches renewal off; the paid period lasts to its end.")
    case .renewalOn: self.act(act, "renewalOn", "Switches renewal on again.")
    case .billingRetry: nil
    case .recover: self.act(act, "recover", "Recovers billing: the retried payment succeeds.")
    case .acceptPrice: self.act(act, "acceptPrice", "Accepts a subscription's new price.")
    case .expire: self.act(act, "expire", "Ends a subscription now.")
    case .refund: self.act(act, "refund", example: CallExample(), "Refunds a purchase; the player loses what it gave.")
    case .refundDecline: self.act(act, "refundDecline", example: CallExample(), "Declines a requested refund; only the log changes.")
    case .revoke: self.act(act, "revoke", example: CallExample(), "Revokes a purchase or a grant without a refund.")
    }
  }

  private static func act<Ask: CallBody>(
    _ act: TransactionAct, _ id: String, body: Ask.Type = ReasonRequest?.self, example: CallExample = subscription, _ summary: String
  ) -> Call<Ask, ShopActAnswer> {
    Call(
      id, .post, transactionPath + "/" + act.rawValue, on: admin, needs: .tester, changes: .player, example: example, offers: [.panel],
      summary)
  }
}

extension TransactionAct {
  /// The call that performs the act; nil for `billing_retry`, whose body has more members than a reason.
  package var call: Call<ReasonRequest?, ShopActAnswer>? { Calls.plainActs[self] }

  /// The description of the call that performs the act.
  package var endpoint: Endpoint { call?.endpoint ?? Calls.billingRetry.endpoint }
}
