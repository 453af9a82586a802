// Purchases that a client reports with a receipt: a token names one purchase, however often it is sent.
public import GameConfCore
public import GameConfStorage

/// A receipt as a client sends it.
public struct ShopReceipt: Sendable, Hashable {
  /// The token that the client has made for this purchase.
  public var token: String
  /// The product.
  public var product: String
  /// The storefront's currency; nil for the usual one.
  public var currency: String?

  /// A receipt.
  public init(token: String, product: String, currency: String? = nil) {
    self.token = token
    self.product = product
    self.currency = currency
  }

  /// The token's digest. The token itself proves a purchase, so that no copy of the database has it.
  public var tokenDigest: String { String(SHA256.hex(of: token).prefix(32)) }
}

extension PlayerService {
  /// Buys what a receipt is for, once for each token: a repeat changes nothing, and another player with the same token is refused.
  /// - Returns: The outcome; nil if the token has bought something before.
  /// - Throws: `.repeatedWithOtherContent` if the token is another player's, and what a purchase throws.
  public func buy(
    _ receipt: ShopReceipt, for id: PlayerID, _ change: Change
  ) async throws(ChangeRefusal) -> PlayerChangeOutcome<ShopOutcome>? {
    let name = RepeatID(game: id.game, route: "receipt", id: receipt.tokenDigest)
    let owner = SHA256.hex(of: id.player)
    let remembering = RepeatableChange<PlayerChangeOutcome<ShopOutcome>, ChangeRefusal>(
      id: name, by: change.author.uid, contentDigest: owner
    ) { result in
      // What made no purchase may be tried again with the same token.
      guard case .success(let changed) = result, changed.outcome.transaction != nil else { return nil }
      return StoredAnswer(contentDigest: owner, status: 200, body: "", at: change.now)
    }
    return try await self.change(id, .buy(receipt), change, remembering: remembering).fresh
  }
}

extension PlayerAct<ShopOutcome> {
  /// Buys what a receipt is for; what the player has bought with the same token before is the outcome again.
  static func buy(_ receipt: ShopReceipt) -> Self {
    // A token is the game's: two players who send the same one are decided one after the other.
    Self(reach: .game, trustsMemory: false) { edit in
      var shop = LedgerEdit(edit)
      let digest = receipt.tokenDigest
      if let known = shop.ledger.transaction(withToken: digest) { return try edit.nothing(ShopOutcome(.success, transaction: known)) }
      try shop.requireSale()
      let act = ShopAct.purchase(product: receipt.product, currency: receipt.currency)
      let outcome = try shop.act(act)
      let makes: Set<ShopOutcome.Status> = [.success, .pending, .interrupted]
      if let made = outcome.transaction, makes.contains(outcome.status) { shop.replace(shop.ledger.naming(made, byToken: digest)) }
      return try shop.commit(outcome, AuditAction(act), outcome.adding(to: act.details))
    }
  }
}

/// The result of a login.
public struct PlayerLoginOutcome: Sendable, Hashable {
  /// True if nothing was known of the player before.
  public var isNew: Bool
  /// True if the anonymous id is another name of the player from now on.
  public var isAliased: Bool
}

extension PlayerAct<PlayerLoginOutcome> {
  /// Logs a player in who was known by an anonymous id so far: the id becomes another name of the player, and what lasts of its purchases moves.
  ///
  /// If the two cannot become one, nothing changes: the client goes on as the player all the same.
  public static func login(from anonymous: String) -> Self {
    // Two players are written: neither may be decided again once the other is.
    Self(reach: .players(and: anonymous), trustsMemory: false) { edit in
      let isNew = edit.view.stored.isUnknown
      guard ScenarioNames.scenario(ofPlayer: edit.id.player) == ScenarioNames.scenario(ofPlayer: anonymous) else {
        return try edit.nothing(PlayerLoginOutcome(isNew: isNew, isAliased: false))
      }
      var here = LedgerEdit(edit)
      var there = LedgerEdit(try edit.beside(anonymous))
      let adopted = try here.ledger.adopting(there.ledger, now: edit.view.now, othersNow: there.edit.view.now)
      guard let adopted else { return try edit.nothing(PlayerLoginOutcome(isNew: isNew, isAliased: false)) }
      here.replace(adopted.ledger)
      there.replace(adopted.anonymous)
      let moved = Value.list(adopted.outcome.delivered.map(Value.string))
      _ = try there.commit(isNew, .playerAliased, ["to_player": .string(edit.id.player), "transactions": moved])
      return try here.commit(
        PlayerLoginOutcome(isNew: isNew, isAliased: true), .playerAliased, ["from_player": .string(anonymous), "transactions": moved])
    }
  }
}

extension AuditAction {
  /// An anonymous id became another name of a player.
  public static let playerAliased = AuditAction(.playerAliased)
}
