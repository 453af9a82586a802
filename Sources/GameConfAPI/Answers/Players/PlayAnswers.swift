// The answers about plays: opening and closing a play, one play with its pinned values, and lists of plays.

public import GameConfCore

/// The id, the times, and the size of the pinned values of a play.
public struct WirePlay: WireObject {
  package var play = ""
  package var isOpen = false
  package var openedAt = Instant.unread
  package var closedAt: Instant?
  package var revision: Int64 = 0
  package var keys: Int64 = 0
  package var bytes: Int64 = 0

  package init() {}

  package init(
    play: String, isOpen: Bool, openedAt: Instant, closedAt: Instant? = nil, revision: Int64, keys: Int64, bytes: Int64
  ) {
    self.play = play
    self.isOpen = isOpen
    self.openedAt = openedAt
    self.closedAt = closedAt
    self.revision = revision
    self.keys = keys
    self.bytes = bytes
  }

  package static var about: String { "A summary of a play." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("play", &play, "The play's id.")
    fields.required("open", &isOpen, "True if it is open.")
    fields.required("opened_at", &openedAt, "The time at which it was opened, by the player's simulated clock.")
    fields.optional("closed_at", &closedAt, "The time at which it was closed; absent while it is open.")
    fields.required("revision", &revision, "The game's revision of the pinned values.")
    fields.required("keys", &keys, "The number of pinned keys.")
    fields.required("bytes", &bytes, "The stored size of its values, in bytes.")
  }
}

/// Answer of `POST …/players/{player}/plays` and `…/plays/{play}/close`: the play, without its pinned values.
public struct PlayAnswer: WireObject {
  package var playerRevision: Int64 = 0
  package var play = WirePlay()
  package var wasClosed = false
  package var isDryRun = false

  package init() {}

  package init(playerRevision: Int64, play: WirePlay, wasClosed: Bool = false, isDryRun: Bool = false) {
    self.playerRevision = playerRevision
    self.play = play
    self.wasClosed = wasClosed
    self.isDryRun = isDryRun
  }

  package static var about: String { "The play after it was opened or closed." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("player_revision", &playerRevision, "The player's revision after the change.")
    fields.members(of: &play)
    fields.whenSet("was_closed", &wasClosed, "True if it was closed before, so that nothing changed.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// A value that is pinned for a play, and the value in force if it differs.
public struct PinnedAnswer: WireObject {
  package var type = ""
  package var value = Value.null
  package var source = ""
  package var variant: String?
  package var differs = false
  package var now: Value?
  package var nowSource: String?
  package var isMasked = false

  package init() {}

  package init(
    type: String, value: Value, source: String, variant: String? = nil, differs: Bool = false, now: Value? = nil,
    nowSource: String? = nil, isMasked: Bool = false
  ) {
    self.type = type
    self.value = value
    self.source = source
    self.variant = variant
    self.differs = differs
    self.now = now
    self.nowSource = nowSource
    self.isMasked = isMasked
  }

  package static var about: String { "The pinned value of a key, and the current one if it differs." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("type", &type, "The declared type.", .words(ParameterType.self))
    fields.required("value", &value, "The pinned value; null if it is masked.", .parameterValue)
    fields.required(
      "source", &source, "The layer that gave the pinned value.", .oneOf(Layer.ofTable.map(\.rawValue)))
    fields.optional("variant", &variant, "The variant's name; absent without a variant.")
    fields.whenSet("differs", &differs, "True if the current value differs.")
    fields.optionalOrNull(
      "now", &now, "The current value, if it differs; absent if the game no longer has the key.", .parameterValue)
    fields.optional("now_source", &nowSource, "The layer that gives the current value.")
    fields.whenSet("masked", &isMasked, "True if the value is secret and masked.")
  }
}

/// Answer of `GET …/players/{player}/plays/{play}`: a play with its pinned values and the state that the game stored.
public struct PlayShown: WireObject {
  package var game = ""
  package var player = ""
  package var play = WirePlay()
  package var context = ObjectValue()
  package var differs: [String] = []
  package var values: [String: PinnedAnswer] = [:]
  package var state: Value?
  package var stateTag: String?

  package init() {}

  package init(
    game: String, player: String, play: WirePlay, context: ObjectValue = ObjectValue(), differs: [String], values: [String: PinnedAnswer],
    state: Value? = .none, stateTag: String? = nil
  ) {
    self.game = game
    self.player = player
    self.play = play
    self.context = context
    self.differs = differs
    self.values = values
    self.state = state
    self.stateTag = stateTag
  }

  package static var about: String { "A play with its pinned values and those that differ from the current ones." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.members(of: &play)
    fields.whenSet("context", &context, "The attributes it was opened with.", .playersText)
    fields.required(
      "differs", &differs,
      "The keys whose current values differ for the same attributes, in the order in which they were pinned.")
    fields.required("values", &values, "The pinned values by key.")
    fields.optionalOrNull("state", &state, "The state that the game stored last; absent if it stored no state.", .playersText)
    fields.optional("state_tag", &stateTag, "The state's tag, for If-Match of the next write.")
  }
}

/// Body of `PUT …/players/{player}/plays/{play}/state`: any JSON that the game wants to store with the play. It replaces the stored state.
public struct PutPlayState: WireRequest {
  package var state = Value.null

  package init() {}

  package init(state: Value) { self.state = state }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["state": ["attempt": 3, "score": 120]] }

  package static var about: String { "The game's own state of a play." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("state", &state, "Any JSON, at most 4 KiB.")
  }
}

/// Answer of `PUT …/players/{player}/plays/{play}/state`: the tag of the stored state, for the `If-Match` header of the next change.
public struct PlayStateAnswer: WireObject {
  package var play = ""
  package var stateTag = ""
  package var isDryRun = false

  package init() {}

  package init(play: String, stateTag: String, isDryRun: Bool = false) {
    self.play = play
    self.stateTag = stateTag
    self.isDryRun = isDryRun
  }

  package static var about: String { "The stored state of a play." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("play", &play, "The play's id.")
    fields.required("state_tag", &stateTag, "The state's tag, for If-Match of the next write.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of `GET …/players/{player}/plays`: the player's plays, newest first.
public struct PlayList: WireObject {
  package var game = ""
  package var player = ""
  package var plays: [WirePlay] = []
  package var nextBefore: String?

  package init() {}

  package init(game: String, player: String, plays: [WirePlay], nextBefore: String? = nil) {
    self.game = game
    self.player = player
    self.plays = plays
    self.nextBefore = nextBefore
  }

  package static var about: String { "A player's plays, the newest first." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.required("player", &player, "The player's id.", .playersText)
    fields.required("plays", &plays, "The plays, the newest first.")
    fields.optional("next_before", &nextBefore, "The value of “before” for the next page; absent on the last page.")
  }
}
