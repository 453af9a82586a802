// The template that a game's snapshot serves.
public import GameConfCore

/// A version of a template as it is served.
public struct ActiveTemplate: Sendable {
  /// The number of the version.
  public var number: Int64
  /// Its document.
  public var document: [UInt8]
  /// The instant since when it is in force, by the host's clock.
  public var since: Instant
  /// The template as it applies to the catalog in force.
  public var template: Template

  /// A template in force.
  public init(number: Int64, document: [UInt8], since: Instant, template: Template) {
    self.number = number
    self.document = document
    self.since = since
    self.template = template
  }

  /// The activation that brought it into force, with nothing to follow.
  public var activation: TemplateActivation { TemplateActivation(active: number, since: since) }

  /// As it is kept beside the store.
  public var kept: Value { Self.kept(number, document, since) }

  fileprivate static func kept(_ number: Int64, _ document: [UInt8], _ since: Instant) -> Value {
    ["number": .integer(number), "since_ms": .integer(since.milliseconds), "document": .string(String(decoding: document, as: UTF8.self))]
  }
}

extension StoredTemplate {
  /// The version as it is kept beside the store while it is in force.
  public func kept(since: Instant) -> Value { ActiveTemplate.kept(number, document, since) }

  /// The version that was kept beside the store, for a store that is made anew; nil when it is something else.
  public static func version(kept: Value, of game: String) -> (version: StoredTemplate, since: Instant)? {
    guard let number = kept["number"]?.countValue, let since = kept["since_ms"]?.instantValue,
      let text = kept["document"]?.stringValue
    else { return nil }
    let version = StoredTemplate(game: game, number: number, document: Array(text.utf8), origin: .pushed, author: .daemon, at: since)
    return (version, since)
  }
}
