// The events of a player at the simulated store.

package import GameConfCore

/// One row of a player's log at the simulated store.
public struct ShopLogLine: WireObject {
  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "StoreLogLine" }

  package var number: Int64 = 0
  package var at = Instant.unread
  package var event = ""
  package var notificationType: String?
  package var subtype: String?
  package var transaction: String?
  package var subject: String?
  package var detail: String?

  package init() {}

  package init(
    number: Int64, at: Instant, event: String, notificationType: String? = nil, subtype: String? = nil, transaction: String? = nil,
    subject: String? = nil, detail: String? = nil
  ) {
    self.number = number
    self.at = at
    self.event = event
    self.notificationType = notificationType
    self.subtype = subtype
    self.transaction = transaction
    self.subject = subject
    self.detail = detail
  }

  package static var about: String { "One line of a player's store log." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("number", &number, "The number of the line, from 1 for each player; it never repeats.")
    fields.environment()
    fields.required("at", &at, "The time by the player's simulated clock.")
    fields.required("event", &event, "The event: purchased, renewed, expired, …", .words(ShopEvent.self))
    fields.optional(
      "notification_type", &notificationType,
      "The notification that Apple's server would send, as in App Store Server Notifications, version 2.", .words(ShopNotification.self))
    fields.optional("subtype", &subtype, "Its subtype.", .words(ShopNotificationSubtype.self))
    fields.optional("transaction", &transaction, "The transaction.")
    fields.optional("subject", &subject, "The product, or the entitlement of a grant.")
    fields.optional("detail", &detail, "Details: the call's error, another player, a price.", .playersText)
  }
}

/// Answer of `GET …/players/{player}/store/log`: rows of the player's store log, newest first.
public struct ShopLogAnswer: WireObject {
  /// The name of the schema component in the OpenAPI document, which differs from the Swift type's name.
  public static var schemaName: String { "StoreLogAnswer" }

  package var game = ""
  package var player = ""
  package var entries: [ShopLogLine] = []
  package var nextBefore: Int64?

  package init() {}

  package init(game: String, player: String, entries: [ShopLogLine], nextBefore: Int64? = nil) {
    self.game = game
    self.player = player
    self.entries = entries
    self.nextBefore = nextBefore
  }

  package static var about: String { "A page of a player's store log, newest first." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.environment()
    fields.required("entries", &entries, "The lines, newest first.")
    fields.optional("next_before", &nextBefore, "The value of “before” for the next page; absent on the last page.")
  }
}
