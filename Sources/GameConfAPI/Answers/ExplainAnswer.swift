// The answer that explains why a key has its value.

package import GameConfCore

/// Answer of `…/config/{key}/explain`: a key's value and every layer, with the reason why it applies or not.
public struct ExplainAnswer: WireObject {
  package var game = ""
  package var answer = ValueAnswer()
  package var player: String?
  package var context = ObjectValue()
  package var layers: [ExplainedLayer] = []

  package init() {}

  package init(game: String, answer: ValueAnswer, player: String? = nil, context: ObjectValue = ObjectValue(), layers: [ExplainedLayer]) {
    self.game = game
    self.answer = answer
    self.player = player
    self.context = context
    self.layers = layers
  }

  package static var about: String { "A key's value and every layer that was considered." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game's id.")
    fields.members(of: &answer)
    fields.optional("player", &player, "The player.", .playersText)
    fields.usual("context", &context, "The attributes of the caller.", .playersText)
    fields.required("layers", &layers, "Every layer, highest first, windows before the permanent override.")
  }
}

/// One layer in the explanation of a key's value. It has its own value even if a higher layer wins.
public struct ExplainedLayer: WireObject {
  package var layer = ""
  package var value: Value?
  package var isApplied = false
  package var why = ""
  package var author: WireAuthor?
  package var at: Instant?
  package var reason: String?
  package var window: WireWindow?
  package var rules: Value?
  package var targeting: Value?
  package var dropIns: [String] = []
  package var read: OverrideRead?

  package init() {}

  package init(
    layer: String, value: Value? = nil, isApplied: Bool, why: String, author: WireAuthor? = nil, at: Instant? = nil,
    reason: String? = nil, window: WireWindow? = nil, rules: Value? = nil, targeting: Value? = nil
  ) {
    self.layer = layer
    self.value = value
    self.isApplied = isApplied
    self.why = why
    self.author = author
    self.at = at
    self.reason = reason
    self.window = window
    self.rules = rules
    self.targeting = targeting
  }

  package static var about: String { "A layer that was considered." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("layer", &layer, "The layer: play, override.player, override.game, setting, remote or default.")
    fields.optionalOrNull("value", &value, "The layer's value; absent if it has no value.", .parameterValue)
    fields.required("applied", &isApplied, "True if this layer gave the answer.")
    fields.required("why", &why, "The reason that it was applied or not.", .parameterValue)
    fields.optional("author", &author, "The author of the override.")
    fields.optional("at", &at, "The time at which it was set.")
    fields.optional("reason", &reason, "The author's reason.")
    fields.optional("window", &window, "The window; absent if it is permanent.")
    fields.optional("rules", &rules, "The rules, each with its outcome.", .playersText)
    fields.whenSet(
      "drop_ins", &dropIns, "Of the default: the drop-ins that change the key, each with its fields.")
    fields.optional("targeting", &targeting, "The targeting of a flag in flagd's spelling, with its outcome.", .playersText)
    fields.optional("read", &read, "Of an override in force: whether a game has requested it; in no ETag.")
  }
}
