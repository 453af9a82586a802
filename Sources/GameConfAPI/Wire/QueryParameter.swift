// The declaration of a query parameter: its name, form and meaning.

/// A query parameter. The daemon checks its text before the handler of the call runs.
public struct QueryParameter: Sendable, Hashable {
  /// The form that the parameter's text must have. Any other text is refused with status 400.
  public enum Kind: Sendable, Hashable {
    /// `true` or `false`; the name without `=` means `true`.
    case flag
    /// A whole number within bounds; `usual` is the default.
    case integer(ClosedRange<Int64>, usual: Int64? = nil)
    /// One word of this closed list. Any other text is refused.
    case word([String])
    /// Any text; `bytesMax` limits its size in UTF-8, and nil means that there is no limit.
    case text(bytesMax: Int? = nil)
    /// An instant in the format of RFC 3339.
    case instant
    /// The id of a player, of whom the daemon may know nothing yet.
    case player
    /// The id of a player whom the daemon has stored, even if the rules for new ids no longer admit it.
    case storedPlayer
    /// A language tag of BCP 47. If `everyLocale` is true, `*` means all languages.
    case locale(everyLocale: Bool)
    /// Texts separated by commas.
    case list
  }

  /// The parameter's name before the `=`.
  public let name: String
  /// The accepted values, such as an integer in a range; determines the parameter's schema.
  public let kind: Kind
  /// The parameter's meaning, in a sentence for the OpenAPI document.
  public let summary: String

  /// Declares a query parameter. Without `kind` it takes text of any length.
  public init(_ name: String, _ kind: Kind = .text(), _ summary: String) {
    self.name = name
    self.kind = kind
    self.summary = summary
  }
}

extension QueryParameter {
  package static let player = Self(
    "player", .player, "The player's id, 1 to 256 bytes of UTF-8 without control characters, neither . nor ...")
  package static let storedPlayer = Self(
    "player", .storedPlayer, "The id under which the player is stored; also . and .., which older versions admitted. Required.")
  package static let locale = Self("locale", .locale(everyLocale: false), "The language of texts, as a BCP 47 tag.")
  package static let anyLocale = Self(
    "locale", .locale(everyLocale: true), "The language of texts, as a BCP 47 tag; * answers every language.")
  package static let play = Self("play", "The play whose pinned values are read.")
  package static let keys = Self(
    "keys", .list, "Only these keys, separated by commas, each named once; unknown keys are listed as unknown.")
  package static let detail = Self(
    "detail", .word(["full"]), "full adds type, source, reason, variant and the declaration of each key.")
  package static let strict = Self("strict", .flag, "true to answer 503 if anything is degraded.")
  package static let dryRun = Self("dry_run", .flag, "true to check everything and change nothing.")
  package static let force = Self("force", .flag, "true to do it although the value has changed since.")
  package static let rebuild = Self(
    "rebuild", .flag, "true to rebuild a lost database from last-good.json; without a body.")
  package static let unfinished = Self("unfinished", .flag, "true to list only transactions that the game has still to deliver and finish.")
  package static let reason = Self("reason", .text(bytesMax: 1_024), "The reason, for the audit log.")
  package static let window = Self("window", "Only the window with this id.")
  package static let acts = Self(
    "acts", .flag, "true to name the acts that would be accepted for each transaction, of the newest 500.")
  package static let replace = Self(
    "replace", .flag,
    "true to end the caller's own window that holds now; the new one must begin now. “window” names another user's.")
  package static let replacedWindow = Self(
    "window", .text(bytesMax: 64), "The id of a window, also another user's: with replace the one to end, else the one that gets the value."
  )
  package static let limit = Self("limit", .integer(1...1_000, usual: 50), "The maximum number.")
  package static let before = Self("before", .integer(1...Int64.max), "Only entries older than this id.")
  package static let after = Self("after", "Only players whose ids come after this one.")
  package static let playersLimit = Self("limit", .integer(1...500, usual: 50), "The maximum number.")
  package static let history = Self("history", .integer(0...200, usual: 20), "The number of the newest lines of the player's history.")
  package static let allPlayers = Self("players", .word(["all"]), "“all” lists the overrides of players too.")
  package static let key = Self("key", "Only changes of this key, also by a catalog or a template.")
  package static let author = Self("author", "Only changes by this user: a name or a uid.")
  package static let changedPlayer = Self("player", .player, "Only changes for this player.")
  package static let session = Self("session", .text(bytesMax: 64), "Only changes of this session, as the author's client named it.")
  package static let since = Self("since", .instant, "Only changes since this instant, by the host's clock.")
  package static let until = Self("until", .instant, "Only changes before this instant.")

  package static let wait = Self(
    "wait", .integer(1...60), "With after: the number of seconds to wait for a change; 304 if nothing changes.")
  package static let known = Self("after", "The Gameconf-Id of the answer that the client has.")
  package static let file = Self("file", .text(bytesMax: 1_024), "The backup's name, for the audit log.")
  package static let copy = Self(
    "copy", .text(bytesMax: 1_024), "The name of a copy beside the database, to restore it; without a body.")
  package static let logBytes = Self(
    "log_bytes", .integer(0...Int64.max), "The number of bytes at the end of the body that are the database's write-ahead log.")

  init(_ name: String, _ summary: String) { self.init(name, .text(), summary) }
}
