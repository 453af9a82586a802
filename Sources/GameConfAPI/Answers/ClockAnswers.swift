// Simulated time: the clocks of a game and of a player.

package import GameConfCore

/// Answer of `GET` and `PUT …/clock`: a game's simulated time beside the host's, and its rate.
public struct ClockAnswer: WireObject {
  package var game = ""
  package var now = Instant.unread
  package var host = Instant.unread
  package var rate: Double = 0
  package var isFrozen = false
  package var isDryRun = false

  package init() {}

  package init(game: String, now: Instant, host: Instant, rate: Double, isFrozen: Bool = false, isDryRun: Bool = false) {
    self.game = game
    self.now = now
    self.host = host
    self.rate = rate
    self.isFrozen = isFrozen
    self.isDryRun = isDryRun
  }

  package static var about: String { "A game's simulated time; it moves forward only." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("now", &now, "The game's simulated time.")
    fields.required("host", &host, "The host's time.")
    fields.required("rate", &rate, "Simulated seconds for each second of the host; 0 stops the clock.")
    fields.whenSet("frozen", &isFrozen, "True if the daemon was started with a frozen clock.")
  }
}

/// Answer of `DELETE …/clock`, which resets a game's simulated clock to the host's time: the number of affected players, of
/// transactions and of plays.
public struct ClockResetAnswer: WireObject {
  package var game = ""
  package var nowBefore = Instant.unread
  package var now = Instant.unread
  package var players: Int64 = 0
  package var transactions: Int64 = 0
  package var plays: Int64 = 0
  package var backup: String?
  package var isDryRun = false

  package init() {}

  package init(
    game: String, nowBefore: Instant, now: Instant, players: Int64, transactions: Int64, plays: Int64, backup: String? = nil,
    isDryRun: Bool = false
  ) {
    self.game = game
    self.nowBefore = nowBefore
    self.now = now
    self.players = players
    self.transactions = transactions
    self.plays = plays
    self.backup = backup
    self.isDryRun = isDryRun
  }

  package static var about: String { "The changes made by resetting a game's clock to the host's." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("now_before", &nowBefore, "The clock's time before.")
    fields.required("now", &now, "The clock's time: the host's.")
    fields.required("players", &players, "The number of players changed: purchases cleared, or future times set to now.")
    fields.required("transactions", &transactions, "The number of simulated transactions cleared.")
    fields.required("plays", &plays, "The number of plays whose future times were set to now.")
    fields.optional("backup", &backup, "The copy of the database made before, as GET /v1/store/copies names it.")
  }
}

/// Answer of `GET` and `PUT …/players/{player}/clock`: the player's simulated time, its offset from the game's clock, and the renewals and
/// other store events that become due when the clock moves.
public struct PlayerClockAnswer: WireObject {
  package var game = ""
  package var player = ""
  package var playerRevision: Int64 = 0
  package var now = Instant.unread
  package var gameNow = Instant.unread
  package var offsetMilliseconds: Int64 = 0
  package var due: [ShopLogLine] = []
  package var isDryRun = false

  package init() {}

  package init(
    game: String, player: String, playerRevision: Int64, now: Instant, gameNow: Instant, offsetMilliseconds: Int64,
    due: [ShopLogLine] = [], isDryRun: Bool = false
  ) {
    self.game = game
    self.player = player
    self.playerRevision = playerRevision
    self.now = now
    self.gameNow = gameNow
    self.offsetMilliseconds = offsetMilliseconds
    self.due = due
    self.isDryRun = isDryRun
  }

  package static var about: String { "A player's simulated time; it moves forward only." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("player_revision", &playerRevision, "The player's revision.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
    fields.required("now", &now, "The player's simulated time.")
    fields.required("game_now", &gameNow, "The game's simulated time.")
    fields.required("offset_milliseconds", &offsetMilliseconds, "Milliseconds by which the player's time is ahead of the game's.")
    fields.whenSet("due", &due, "The store events that the move made due, oldest first.")
  }
}
