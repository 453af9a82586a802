// The answers about the source that a game's template is fetched from.

package import GameConfCore

/// The last state that `gameconf-fetch` reported about the source of a game's template.
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
    fields.required("source", &source, "The source: an address, or a Firebase project.")
    fields.required("at", &at, "The time of the report.")
    fields.required("next_seconds", &nextSeconds, "The number of seconds from then until the next fetch.")
    fields.optional("failing_since", &failingSince, "The time since which fetching fails; absent if the last fetch was good.")
    fields.usual("faults", &faults, "The reasons that the fetch failed.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}

/// Answer of `POST …/template/fetch`: the seconds until `gameconf-fetch` fetches the template.
public struct TemplateFetchAnswer: WireObject {
  package var game = ""
  package var source = ""
  package var waitSeconds: Int64 = 0
  package var isDryRun = false

  package init() {}

  package static var about: String { "A requested fetch; status, watch and the log report its result." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("game", &game, "The game.")
    fields.required("source", &source, "The source.")
    fields.required(
      "wait_seconds", &waitSeconds, "The number of seconds until the fetch: the rest of the game's remote_min_fetch_interval.")
    fields.whenSet("dry_run", &isDryRun, "True for a dry run: nothing was changed.")
  }
}
