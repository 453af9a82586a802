// Purchases that a client reports with a receipt. The receipt's token makes them idempotent.
public import GameConfCore
public import GameConfStorage

/// A client's receipt for a purchase at the simulated store. Its token makes the purchase idempotent.
public struct ShopReceipt: Sendable, Hashable {
  /// The token that the client created for this purchase.
  public var token: String
  /// The id of the purchased product.
  public var product: String
  /// The storefront's currency; nil for the default one.
  public var currency: String?

  /// Creates a receipt, by default in the storefront's default currency.
  public init(token: String, product: String, currency: String? = nil) {
    self.token = token
    self.product = product
    self.currency = currency
  }

  /// The token's digest. Only the digest is stored, because the token itself proves a purchase.
  public var tokenDigest: String { String(SHA256.hex(of: token).prefix(32)) }
}

extension PlayerService {
  /// Makes the purchase of a receipt, once for each token: a repeat changes nothing, and another player's token is refused.
  /// - Returns: The outcome; nil if the token was used before. Nothing is bought if the outcome's player is an alias.
  /// - Throws: `.repeatedWithOtherContent` if another player used the token, and the errors of a purchase.
  public func buy(
    _ receipt: ShopReceipt, for id: PlayerID, _ change: ChangeContext
  ) async throws(ChangeRefusal) -> PlayerChangeOutcome<ShopOutcome>? {
    let name = RepeatID(game: id.game, route: "receipt", id: receipt.tokenDigest)
    let owner = SHA256.hex(of: id.player)
    let remembering = RepeatableChange<PlayerChangeOutcome<ShopOutcome>, ChangeRefusal>(
      id: name, by: change.author.uid, contentDigest: owner
    ) { result in
      // A token without a successful purchase may be used again.
      guard case .success(let changed) = result, changed.outcome.transaction != nil else { return nil }
      return StoredAnswer(contentDigest: owner, status: 200, body: "", at: change.now)
    }
    return try await self.change(id, .buy(receipt), change, remembering: remembering).fresh
  }
}

extension PlayerAct<ShopOutcome> {
  /// Makes the purchase of a receipt. If the player has used the token before, the outcome is the earlier store transaction. An id that is
  /// an alias buys nothing, because its purchases belong to the player of whom it is an alias.
  static func buy(_ receipt: ShopReceipt) -> Self {
    // Tokens are unique within the game, so requests of two players with the same token must be serialized.
    Self(reach: .game, trustsMemory: false) { edit in
      var shop = LedgerEdit(edit)
      let digest = receipt.tokenDigest
      if shop.ledger.aliasOf != nil { return try edit.nothing(ShopOutcome(.retained)) }
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

/// The outcome of a login, which may create the player and make the anonymous id an alias.
public struct PlayerLoginOutcome: Sendable, Hashable {
  /// True if the player was unknown before.
  public var isNew: Bool
  /// True if the anonymous id is an alias of the player now.
  public var isAliased: Bool
}

extension PlayerAct<PlayerLoginOutcome> {
  /// Logs in a player who had an anonymous id: the id becomes an alias of the player, and its permanent purchases move to the player.
  ///
  /// If the purchases of the two ids cannot be merged, nothing changes, and the client continues as the player.
  public static func login(from anonymous: String) -> Self {
    // The change reads the stored rows instead of the cache: a change on stale rows is decided again, which must not happen after the
    // second player is written.
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
  /// An anonymous id became an alias of a player.
  public static let playerAliased = AuditAction(.playerAliased)
}
