// The template that a game's snapshot serves.
public import GameConfCore

/// An active version of a template, compiled for the catalog in force.
public struct ActiveTemplate: Sendable, Hashable {
  /// The version's number within the game, from 1.
  public var number: Int64
  /// The bytes of the template's document.
  public var document: [UInt8]
  /// The instant of the activation by the host's clock.
  public var since: Instant
  /// The template compiled for the catalog in force.
  public var template: Template

  /// Creates an active version from its document and the template compiled from it.
  public init(number: Int64, document: [UInt8], since: Instant, template: Template) {
    self.number = number
    self.document = document
    self.since = since
    self.template = template
  }

  /// The activation of this version, without a scheduled version.
  public var activation: TemplateActivation { TemplateActivation(active: number, since: since) }

  /// The template as a member of `last-good.json`.
  public var saved: Value { Self.saved(number, document, since) }

  fileprivate static func saved(_ number: Int64, _ document: [UInt8], _ since: Instant) -> Value {
    ["number": .integer(number), "since_ms": .integer(since.milliseconds), "document": .string(String(decoding: document, as: UTF8.self))]
  }
}

extension StoredTemplate {
  /// Returns the version as a member of `last-good.json`, active since an instant.
  public func saved(since: Instant) -> Value { ActiveTemplate.saved(number, document, since) }

  /// Decodes a version from `last-good.json` for a rebuilt store; nil if the value has another form.
  public static func version(saved: Value, of game: String) -> (version: StoredTemplate, since: Instant)? {
    guard let number = saved["number"]?.countValue, let since = saved["since_ms"]?.instantValue,
      let text = saved["document"]?.stringValue
    else { return nil }
    let version = StoredTemplate(game: game, number: number, document: Array(text.utf8), origin: .pushed, author: .daemon, at: since)
    return (version, since)
  }
}
