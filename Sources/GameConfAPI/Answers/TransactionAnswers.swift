// Simulated transactions, and what came of an act at the store.

public import GameConfCore

/// A price.
public struct WirePrice: WireShape {
  /// ISO 4217 code.
  public var currency: String
  /// Decimal text, such as `"1.99"`.
  public var amount: String

  /// A price.
  public init(currency: String, amount: String) {
    self.currency = currency
    self.amount = amount
  }

  /// Its JSON.
  public var wire: Value { .object(ObjectValue([("currency", .string(currency)), ("amount", .string(amount))])) }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    currency = try members.string("currency")
    amount = try members.string("amount")
  }

  /// `Price`.
  public static var schemaName: String { "Price" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object("A price that nobody pays.", required: ["currency": SchemaText.string, "amount": SchemaText.string])
  }
}

/// One simulated transaction.
public struct TransactionRecord: WireShape {
  /// The transaction's id: digits, the same for the same game, player and count.
  public var id: String
  /// The id of the first transaction of the same subscription; its own for everything else.
  public var originalID: String
  /// The product; nil for a grant.
  public var product: String?
  /// The entitlement of a grant.
  public var entitlement: String?
  /// The product's type; nil for a grant.
  public var type: String?
  /// The subscription group.
  public var group: String?
  /// `purchase`, `renewal` or `grant`.
  public var reason: String
  /// `purchased`, `pending`, `interrupted` or `declined`.
  public var state: String
  /// Whether it gives now what it is for.
  public var isActive: Bool
  /// When it was bought, renewed, granted or asked for.
  public var purchasedAt: Instant
  /// When access ends as things stand; nil for what stays.
  public var expiresAt: Instant?
  /// Until when access goes on while billing is retried.
  public var graceUntil: Instant?
  /// When a better product of the group took its place.
  public var upgradedAt: Instant?
  /// When access was taken back.
  public var revokedAt: Instant?
  /// `refunded` or `revoked`.
  public var revocation: String?
  /// When the game said that it has delivered what was bought.
  public var finishedAt: Instant?
  /// The introductory offer it was made under.
  public var offer: String?
  /// What it would have cost.
  public var price: WirePrice?
  /// Why it does not verify.
  public var unverified: String?
  /// When it was verified after all.
  public var verifiedAt: Instant?
  /// The player it came from by a restore; nil once that one was forgotten.
  public var transferredFrom: String?

  /// A transaction with what every one has.
  public init(id: String, originalID: String, reason: String, state: String, isActive: Bool, purchasedAt: Instant) {
    self.id = id
    self.originalID = originalID
    self.reason = reason
    self.state = state
    self.isActive = isActive
    self.purchasedAt = purchasedAt
  }

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("id", .string(id)), ("original_id", .string(originalID))]).withEnvironment()
    object = object.with("product", product).with("entitlement", entitlement).with("type", type).with("group", group)
    object["reason"] = .string(reason)
    object["state"] = .string(state)
    object["is_active"] = .bool(isActive)
    object = object.with("purchased_at", .some(purchasedAt)).with("expires_at", expiresAt).with("grace_until", graceUntil)
    object = object.with("upgraded_at", upgradedAt).with("revoked_at", revokedAt).with("revocation", revocation)
    object = object.with("finished_at", finishedAt).with("offer", offer).with("price", price)
    return .object(object.with("unverified", unverified).with("verified_at", verifiedAt).with("transferred_from", transferredFrom))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    id = try members.string("id")
    originalID = try members.string("original_id")
    product = try members.optionalString("product")
    entitlement = try members.optionalString("entitlement")
    type = try members.optionalString("type")
    group = try members.optionalString("group")
    reason = try members.string("reason")
    state = try members.string("state")
    isActive = try members.flag("is_active")
    purchasedAt = try members.instant("purchased_at")
    expiresAt = try members.optionalInstant("expires_at")
    graceUntil = try members.optionalInstant("grace_until")
    upgradedAt = try members.optionalInstant("upgraded_at")
    revokedAt = try members.optionalInstant("revoked_at")
    revocation = try members.optionalString("revocation")
    finishedAt = try members.optionalInstant("finished_at")
    offer = try members.optionalString("offer")
    price = try members.optionalShape("price")
    unverified = try members.optionalString("unverified")
    verifiedAt = try members.optionalInstant("verified_at")
    transferredFrom = try members.optionalString("transferred_from")
  }

  /// `Transaction`.
  public static var schemaName: String { "Transaction" }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A transaction of the simulated store; nothing of it ever was money.",
      required: [
        "id": SchemaText.string, "original_id": SchemaText.string, "environment": SchemaText.environment,
        "reason": SchemaText.words(StoreTransaction.Reason.self), "state": SchemaText.words(StoreTransaction.State.self),
        "is_active": SchemaText.described(SchemaText.boolean, "Whether it gives now what it is for."), "purchased_at": SchemaText.instant,
      ],
      optional: [
        "product": SchemaText.string, "entitlement": SchemaText.described(SchemaText.string, "What a grant gives; it has no product."),
        "type": SchemaText.words(Product.Kind.self), "group": SchemaText.string, "expires_at": SchemaText.instant,
        "grace_until": SchemaText.instant, "upgraded_at": SchemaText.instant, "revoked_at": SchemaText.instant,
        "revocation": SchemaText.words(StoreTransaction.Revocation.self), "finished_at": SchemaText.instant,
        "offer": SchemaText.words(Subscription.IntroMode.self), "price": SchemaText.ref(WirePrice.self), "unverified": SchemaText.string,
        "verified_at": SchemaText.instant,
        "transferred_from": SchemaText.described(
          SchemaText.string, "The player it came from by a restore; absent for what was bought here, and once that player was forgotten."),
      ])
  }
}

/// Answer of `GET p/transactions`.
public struct TransactionList: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The player's simulated time.
  public var at: Instant
  /// The transactions, oldest first.
  public var transactions: [TransactionRecord]

  /// A list.
  public init(game: String, player: String, at: Instant, transactions: [TransactionRecord]) {
    self.game = game
    self.player = player
    self.at = at
    self.transactions = transactions
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("player", .string(player))]).withEnvironment().with("at", .some(at))
        .with("transactions", transactions))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    at = try members.instant("at")
    transactions = try members.shapes("transactions")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A player's simulated transactions, oldest first.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "environment": SchemaText.environment, "at": SchemaText.instant,
        "transactions": SchemaText.list(TransactionRecord.self),
      ])
  }
}

/// Answer of a purchase, a restore, and every other act at the store.
public struct StoreActAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The player's revision after it.
  public var playerRevision: Int64
  /// The player's simulated time.
  public var at: Instant
  /// What came of it: `success`, `cancelled`, `pending`, `interrupted`, `failed`, `deferred` or `kept`.
  public var status: String
  /// With what the call failed; beside `success` why the transaction does not verify.
  public var error: String?
  /// The transaction that was made or changed.
  public var transaction: TransactionRecord?
  /// What a restore delivers again, oldest first.
  public var delivered: [TransactionRecord]
  /// Whether nothing was changed.
  public var isDryRun: Bool

  /// An answer.
  public init(
    game: String, player: String, playerRevision: Int64, at: Instant, status: String, error: String? = nil,
    transaction: TransactionRecord? = nil, delivered: [TransactionRecord] = [], isDryRun: Bool = false
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

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("game", .string(game)), ("player", .string(player))]).withEnvironment()
    object["player_revision"] = .integer(playerRevision)
    object = object.with("dry_run", ifTrue: isDryRun).with("at", .some(at)).with("status", .some(.string(status)))
    object = object.with("error", error).with("transaction", transaction)
    return .object(delivered.isEmpty ? object : object.with("delivered", delivered))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    playerRevision = try members.integer("player_revision")
    at = try members.instant("at")
    status = try members.string("status")
    error = try members.optionalString("error")
    transaction = try members.optionalShape("transaction")
    delivered = try members.shapes("delivered")
    isDryRun = try members.flag("dry_run")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "What came of an act at the simulated store.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "environment": SchemaText.environment,
        "player_revision": SchemaText.integer, "at": SchemaText.described(SchemaText.instant, "The player's simulated time."),
        "status": SchemaText.words(StoreOutcome.Status.self),
      ],
      optional: [
        "error": SchemaText.string, "transaction": SchemaText.ref(TransactionRecord.self),
        "delivered": SchemaText.described(SchemaText.list(TransactionRecord.self), "What a restore delivers again, oldest first."),
        "dry_run": SchemaText.boolean,
      ])
  }
}
