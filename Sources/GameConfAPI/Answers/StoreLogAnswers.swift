// What happened to a player at the simulated store.

public import GameConfCore

/// One line of a player's store log.
public struct StoreLogLine: WireShape {
  /// Counts from 1 for each player and never repeats.
  public var number: Int64
  /// When, in the player's simulated time.
  public var at: Instant
  /// What happened: `purchased`, `renewed`, `expired`, …
  public var event: String
  /// The type of the notification Apple's server would send; nil where it sends none.
  public var notificationType: String?
  /// Its subtype.
  public var subtype: String?
  /// The transaction it is about.
  public var transaction: String?
  /// The product it is about, or the entitlement of a grant.
  public var subject: String?
  /// The call's error, another player, a price.
  public var detail: String?

  /// A line.
  public init(
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

  /// Its JSON.
  public var wire: Value {
    var object = ObjectValue([("number", .integer(number))]).withEnvironment().with("at", .some(at))
    object["event"] = .string(event)
    object = object.with("notification_type", notificationType).with("subtype", subtype)
    return .object(object.with("transaction", transaction).with("subject", subject).with("detail", detail))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    number = try members.integer("number")
    at = try members.instant("at")
    event = try members.string("event")
    notificationType = try members.optionalString("notification_type")
    subtype = try members.optionalString("subtype")
    transaction = try members.optionalString("transaction")
    subject = try members.optionalString("subject")
    detail = try members.optionalString("detail")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "One line of a player's store log.",
      required: [
        "number": SchemaText.integer, "environment": SchemaText.environment, "at": SchemaText.instant,
        "event": SchemaText.words(StoreEvent.self),
      ],
      optional: [
        "notification_type": SchemaText.described(
          SchemaText.words(StoreNotification.self), "As in App Store Server Notifications, version 2."),
        "subtype": SchemaText.words(StoreNotificationSubtype.self), "transaction": SchemaText.string, "subject": SchemaText.string,
        "detail": SchemaText.string,
      ])
  }
}

/// Answer of `GET p/store/log`: newest first.
public struct StoreLogAnswer: WireShape {
  /// The game.
  public var game: String
  /// The player.
  public var player: String
  /// The lines, newest first.
  public var entries: [StoreLogLine]
  /// What `?before=` must be for the next page; nil when this was the last.
  public var nextBefore: Int64?

  /// A page.
  public init(game: String, player: String, entries: [StoreLogLine], nextBefore: Int64? = nil) {
    self.game = game
    self.player = player
    self.entries = entries
    self.nextBefore = nextBefore
  }

  /// Its JSON.
  public var wire: Value {
    .object(
      ObjectValue([("game", .string(game)), ("player", .string(player))]).withEnvironment().with("entries", entries)
        .with("next_before", nextBefore))
  }

  /// Reads it from JSON at that pointer.
  public init(wire: Value, at pointer: String) throws(WireFault) {
    let members = try WireMembers(wire, at: pointer)
    game = try members.string("game")
    player = try members.string("player")
    entries = try members.shapes("entries")
    nextBefore = try members.optionalInteger("next_before")
  }

  /// Its JSON Schema.
  public static var schema: Value {
    SchemaText.object(
      "A page of a player's store log, newest first.",
      required: [
        "game": SchemaText.string, "player": SchemaText.string, "environment": SchemaText.environment,
        "entries": SchemaText.list(StoreLogLine.self),
      ],
      optional: ["next_before": SchemaText.described(SchemaText.integer, "Give it as before for the next page.")])
  }
}
