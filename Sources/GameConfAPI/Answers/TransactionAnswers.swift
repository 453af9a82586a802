// Simulated transactions, and the outcomes of purchases and other acts at the simulated store.

public import GameConfCore

extension ShopPrice: WireObject {
  package init() { self.init(currency: "", amount: "") }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Price" }

  package static var about: String { "A simulated price." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("currency", &currency, "The currency's ISO 4217 code.")
    fields.required("amount", &amount, "Decimal text, such as \"1.99\".")
  }
}

/// One transaction of the simulated store. No money is involved.
public struct WireTransaction: WireObject {
  package var id = ""
  package var originalID = ""
  package var product: String?
  package var entitlement: String?
  package var type: String?
  package var group: String?
  package var reason = ""
  package var state = ""
  package var isActive = false
  package var purchasedAt = Instant.unread
  package var expiresAt: Instant?
  package var graceUntil: Instant?
  package var upgradedAt: Instant?
  package var revokedAt: Instant?
  package var revocation: String?
  package var finishedAt: Instant?
  package var offer: String?
  package var price: ShopPrice?
  package var unverified: String?
  package var verifiedAt: Instant?
  package var transferredFrom: String?
  package var acts: [String]?

  package init() {}

  package init(id: String, originalID: String, reason: String, state: String, isActive: Bool, purchasedAt: Instant) {
    self.id = id
    self.originalID = originalID
    self.reason = reason
    self.state = state
    self.isActive = isActive
    self.purchasedAt = purchasedAt
  }

  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "Transaction" }

  package static var about: String { "A transaction of the simulated store; no money is involved." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("id", &id, "The transaction's id: digits, the same for the same game, player and count.")
    fields.required("original_id", &originalID, "The id of the first transaction of the same subscription; its own for everything else.")
    fields.environment()
    fields.optional("product", &product, "The product; absent for a grant.")
    fields.optional("entitlement", &entitlement, "The entitlement of a grant, which has no product.")
    fields.optional("type", &type, "The product's type; absent for a grant.", .words(Product.Kind.self))
    fields.optional("group", &group, "The subscription group.")
    fields.required("reason", &reason, "The origin: purchase, renewal or grant.", .words(ShopTransaction.Reason.self))
    fields.required("state", &state, "The state: purchased, pending, interrupted or declined.", .words(ShopTransaction.State.self))
    fields.required("is_active", &isActive, "True if it gives access now.")
    fields.required("purchased_at", &purchasedAt, "The time of the purchase, renewal, grant or request.")
    fields.optional("expires_at", &expiresAt, "The end of access; absent if it is permanent.")
    fields.optional("grace_until", &graceUntil, "The end of access while billing is retried.")
    fields.optional("upgraded_at", &upgradedAt, "The time at which a better product of the group replaced it.")
    fields.optional("revoked_at", &revokedAt, "The time at which access was revoked.")
    fields.optional(
      "revocation", &revocation, "The way in which access was revoked: refunded or revoked.", .words(ShopTransaction.Revocation.self))
    fields.optional("finished_at", &finishedAt, "The time at which the game reported the delivery.")
    fields.optional("offer", &offer, "The introductory offer.", .words(Subscription.IntroMode.self))
    fields.optional("price", &price, "The simulated price.")
    fields.optional("unverified", &unverified, "The reason that it does not verify.")
    fields.optional("verified_at", &verifiedAt, "The time at which it was verified after all.")
    fields.optional(
      "transferred_from", &transferredFrom,
      "The player from whom a restore moved it; absent for the player's own purchase, or if that player was forgotten.",
      .playersText)
    fields.optional(
      "acts", &acts, "The acts that would be accepted now and change something, as the last word of their paths; only with acts=true.")
  }
}

/// Answer of `GET …/players/{player}/transactions`: the player's transactions at the simulated store, oldest first.
public struct TransactionList: WireObject {
  package var game = ""
  package var player = ""
  package var at = Instant.unread
  package var transactions: [WireTransaction] = []

  package init() {}

  package init(game: String, player: String, at: Instant, transactions: [WireTransaction]) {
    self.game = game
    self.player = player
    self.at = at
    self.transactions = transactions
  }

  package static var about: String { "A player's simulated transactions, oldest first." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.environment()
    fields.required("at", &at, "The player's simulated time.")
    fields.required("transactions", &transactions, "The transactions, oldest first.")
  }
}

/// Answer of a purchase, a restore, and every other act at the simulated store: its outcome, and the player's entitlements after it.
public struct ShopActAnswer: WireObject {
  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "StoreActAnswer" }

  package var game = ""
  package var player = ""
  package var playerRevision: Int64 = 0
  package var at = Instant.unread
  package var status = ""
  package var error: String?
  package var transaction: WireTransaction?
  package var delivered: [WireTransaction] = []
  package var ended: [WireTransaction] = []
  package var entitlements: EntitlementsAnswer?
  package var unlocked = WireUnlocked()
  package var lockedThemes: [String] = []
  package var isDryRun = false

  package init() {}

  package init(
    game: String, player: String, playerRevision: Int64, at: Instant, status: String, error: String? = nil,
    transaction: WireTransaction? = nil, delivered: [WireTransaction] = [], isDryRun: Bool = false
  ) {
    self.game = game
    self.player = player
    self.playerRevision = playerRevision
    self.at = at
    self.status = status
    self.error = error
    self.transaction = transaction
    self.delivered = delivered
    self.isDryRun = isDryRun
  }

  package static var about: String { "The result of an act at the simulated store." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.environment()
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("at", &at, "The player's simulated time.")
    fields.required(
      "status", &status, "The outcome: success, cancelled, pending, interrupted, failed, deferred, or “kept” if nothing changes.",
      .words(ShopOutcome.Status.self))
    fields.optional("error", &error, "The error; with success, the reason that the transaction does not verify.")
    fields.optional("transaction", &transaction, "The transaction that was made or changed.")
    fields.whenSet("delivered", &delivered, "The transactions that a restore delivers again, oldest first.")
    fields.whenSet("ended", &ended, "The transactions refunded or revoked when premium was switched off.")
    fields.optional("entitlements", &entitlements, "The player's entitlements afterwards, as GET p/entitlements answers them.")
    fields.required("unlocked", &unlocked, "The themes that it unlocked.")
    fields.whenSet("locked_themes", &lockedThemes, "The themes that it locked, as after a refund, in the catalog's order.")
  }
}
