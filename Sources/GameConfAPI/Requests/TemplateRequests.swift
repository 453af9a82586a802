// The requests that activate a version of a game's template, or report on the source that templates are fetched from.

public import GameConfCore

/// Body of `…/template/activate` and `…/template/rollback`: the version to activate, and the instant if that is not now.
public struct TemplateActivationRequest: WireRequest {
  package var version: Int64?
  package var at: Instant?
  package var reason: String?

  package init() {}

  package init(version: Int64?, at: Instant? = nil, reason: String? = nil) {
    self.version = version
    self.at = at
    self.reason = reason
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["reason": "as it was before"] }

  package static var about: String { "The version of a template to activate, and the time." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.optional("version", &version, "The version; if absent the newest, or in a rollback the previous one.")
    fields.optional("at", &at, "The time at which it comes into force; now if absent. A rollback is always now.")
    fields.optional("reason", &reason, "The reason, for the audit log.")
  }
}

/// Body of `PUT …/template/source`, with which `gameconf-fetch` reports a source's faults and the time of its next fetch.
public struct TemplateSourceRequest: WireRequest {
  /// The maximum number of faults in one report.
  package static let faultsMax = 20
  /// The maximum size of a fault's text, and of the source's name, in bytes.
  package static let textBytesMax = 1_024
  /// The maximum of seconds until the next fetch. The longest interval is a week, and jitter adds at most a tenth. The sum is rounded up to
  /// whole days.
  package static let nextSecondsMax: Int64 = 8 * 86_400

  package var source = ""
  package var faults: [String] = []
  package var nextSeconds: Int64 = 0

  package init() {}

  package init(source: String, faults: [String], nextSeconds: Int64) {
    self.source = source
    self.faults = faults
    self.nextSeconds = nextSeconds
  }

  /// The request body that the OpenAPI document shows, unless a call declares another example.
  public static var example: Value? { ["source": "https://config.example.org/game.json", "faults": [], "next_seconds": 900] }

  package static var about: String { "A report about the source of a game's template." }

  package mutating func walk(_ fields: inout some FieldWalker) {
    fields.required("source", &source, "The source: an address without user and query, or a Firebase project.")
    fields.refuse("source", "source has 1 to \(Self.textBytesMax) bytes", if: source.isEmpty || source.utf8.count > Self.textBytesMax)
    fields.usual("faults", &faults, "The reasons that it was refused, a line each; empty if it was accepted.")
    fields.refuse(
      "faults", "faults are at most \(Self.faultsMax), each of at most \(Self.textBytesMax) bytes",
      if: faults.count > Self.faultsMax || faults.contains { $0.utf8.count > Self.textBytesMax })
    fields.usual("next_seconds", &nextSeconds, "The number of seconds until the next fetch.", .atLeast(0))
    fields.refuse("next_seconds", "next_seconds is from 0 to \(Self.nextSecondsMax)", if: !(0...Self.nextSecondsMax).contains(nextSeconds))
  }
}
