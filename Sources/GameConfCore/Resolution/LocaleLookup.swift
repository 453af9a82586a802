// Selects the locale of a game's texts for a caller's language, by the lookup of RFC 4647.

/// Selects the locale of a game's texts for a caller's language, by the lookup of RFC 4647, section 3.4.
public enum LocaleLookup {
  /// Returns the game's locale that matches a caller's language best, followed by the game's fallback locale.
  ///
  /// A caller's `fr-CA` matches the game's `fr-CA` or else `fr`; `zh-TW` matches `zh-Hant` before `zh`; `iw` matches `he`, which replaced
  /// it. Case is ignored.
  /// - Parameters:
  ///   - range: The caller's BCP 47 tag, or a text that ``LocaleTag/canonical(_:)`` converts to one. nil, or a range without a match,
  ///     returns only the fallback.
  ///   - locales: The game's locales, the fallback first.
  public static func order(for range: String?, among locales: [String]) -> [String] {
    guard let fallback = locales.first else { return [] }
    for tag in range.map(ranges(of:)) ?? [] {
      if let found = locales.first(where: { preferred($0) == tag }) { return found == fallback ? [fallback] : [found, fallback] }
    }
    return [fallback]
  }

  /// True if a tag of the game matches a caller's language range: `zh-Hant` matches `zh-TW`.
  static func answers(_ range: String, _ tag: String) -> Bool { ranges(of: range).contains(preferred(tag)) }

  /// Returns the tags that match a caller's language range, the closest first. They are in lower case and have current language codes.
  ///
  /// A range without a script also gets its likely script: `zh-tw` is followed by `zh-hant-tw`, `zh-hant` and `zh`. A single-letter subtag
  /// is removed together with the subtag after it, as RFC 4647 demands.
  static func ranges(of range: String) -> [String] {
    var wanted = preferred(LocaleTag.canonical(range) ?? range).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard let language = wanted.first else { return [] }
    let hasScript = wanted.count > 1 && wanted[1].utf8.count == 4 && wanted[1].utf8.allSatisfy { $0 > 0x39 }
    let region = wanted.dropFirst(hasScript ? 2 : 1).first { $0.utf8.count == 2 }
    var tags: [String] = []
    func shorten(_ parts: [String], to count: Int) {
      var parts = parts
      while parts.count > count {
        tags.append(parts.joined(separator: "-"))
        parts.removeLast()
        if let last = parts.last, last.utf8.count == 1 { parts.removeLast() }
      }
    }
    if hasScript {
      shorten(wanted, to: 1)
      // A script implies the regions that usually use it, so `zh-hant` also matches `zh-tw`.
      tags += (usualRegions["\(language)-\(wanted[1])"] ?? []).map { "\(language)-\($0)" }
      // The bare language matches only if the language is usually written in this script.
      if scripts[language] == nil || scripts[language]?.usual == wanted[1] { tags.append(language) }
    } else if let script = scripts[language].map({ region.flatMap($0.regional.firstScript) ?? $0.usual }) {
      shorten(wanted, to: 1)
      wanted.insert(script, at: 1)
      shorten(wanted, to: 1)
      tags.append(language)
    } else {
      shorten(wanted, to: 0)
    }
    return tags
  }

  /// Returns a language tag in lower case, with a deprecated language code replaced by the current one.
  private static func preferred(_ tag: String) -> String {
    let tag = tag.lowercased()
    let language = tag.prefix { $0 != "-" }
    return codes[String(language)].map { $0 + tag.dropFirst(language.count) } ?? tag
  }

  /// The current codes of languages by their deprecated or equivalent codes.
  private static let codes = ["iw": "he", "in": "id", "ji": "yi", "no": "nb", "tl": "fil", "mo": "ro", "sh": "sr-latn"]

  /// For each language with several scripts, the script that is used by default, and the regions that usually use another one.
  private static let scripts: [String: (usual: String, regional: RegionalScripts)] = [
    "zh": ("hans", RegionalScripts(script: "hant", regions: ["tw", "hk", "mo"])),
    "sr": ("cyrl", RegionalScripts(script: "latn", regions: ["me"])),
    "uz": ("latn", RegionalScripts(script: "arab", regions: ["af"])),
    "az": ("latn", RegionalScripts(script: "arab", regions: ["ir"])),
    "pa": ("guru", RegionalScripts(script: "arab", regions: ["pk"])),
  ]

  /// The regions that usually use a script, by language and script.
  private static let usualRegions = ["zh-hant": ["tw", "hk", "mo"], "zh-hans": ["cn", "sg"], "sr-latn": ["me"], "sr-cyrl": ["rs"]]

  private struct RegionalScripts {
    var script: String
    var regions: Set<String>

    func firstScript(_ region: String) -> String? { regions.contains(region) ? script : nil }
  }
}
