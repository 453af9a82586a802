// What is told of the source that a game's template is fetched from.

package import GameConfCore

/// What is known of the source of a game's template.
public struct TemplateSourceAnswer: WireObject {
  package var game = ""
  package var source = ""
  package var at = Instant.unread
  package var nextSeconds: Int64 = 0
  package var failingSince: Instant?
  package var faults: [String] = []
  package var isDryRun = false

  package init() {}

  package static var about: String { "The source that gameconf-fetch reads a game's template from." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("source", &source, "What is read: an address, or a Firebase project.")
    fields.required("at", &at, "When gameconf-fetch told so.")
    fields.required("next_seconds", &nextSeconds, "In how many seconds from then it is read again.")
    fields.optional("failing_since", &failingSince, "Since when it cannot be taken; absent when it is good.")
    fields.usual("faults", &faults, "Why it cannot be taken.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}

/// Answer of `POST …/template/fetch`.
public struct TemplateFetchAnswer: WireObject {
  package var game = ""
  package var source = ""
  package var waitSeconds: Int64 = 0
  package var isDryRun = false

  package init() {}

  package static var about: String { "A fetch that was asked for; what comes of it is told by status, watch and the log." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("source", &source, "What is to be fetched.")
    fields.required("wait_seconds", &waitSeconds, "In how many seconds: those left of the game's remote_min_fetch_interval.")
    fields.whenSet("dry_run", &isDryRun, "Whether nothing was changed.")
  }
}
