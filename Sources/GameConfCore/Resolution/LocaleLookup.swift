// Finds the locale of a game that answers a caller: RFC 4647's lookup.

/// The game's locales in the order a caller should be answered in.
public enum LocaleLookup {
  /// Looks up a language range among the game's locales by RFC 4647 section 3.4, ending with the fallback.
  ///
  /// `fr-CA` finds `fr-CA`, else `fr`; `zh-TW` finds `zh-Hant` before `zh`, and `iw` finds `he`. Case does not matter.
  /// - Parameters:
  ///   - range: a BCP 47 tag as a caller gave it, or what ``LocaleTag/canonical(_:)`` takes for one; nil or one that matches nothing gives the fallback alone.
  ///   - locales: the game's, the first being the fallback.
  public static func order(for range: String?, among locales: [String]) -> [String] {
    guard let fallback = locales.first else { return [] }
    for tag in range.map(ranges(of:)) ?? [] {
      if let found = locales.first(where: { preferred($0) == tag }) { return found == fallback ? [fallback] : [found, fallback] }
    }
    return [fallback]
  }

  /// True if a tag is among those that answer a range: `zh-Hant` answers `zh-TW`.
  static func answers(_ range: String, _ tag: String) -> Bool { ranges(of: range).contains(preferred(tag)) }

  /// The tags that answer a range, the nearest first, in lower case and by today's codes.
  ///
  /// A range without a script also means its likely one: `zh-tw` is followed by `zh-hant-tw`, `zh-hant` and `zh`. A single-letter subtag goes with
  /// the one behind it.
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
      // The script as its usual region writes it: zh-hant is also zh-tw.
      tags += (usualRegions["\(language)-\(wanted[1])"] ?? []).map { "\(language)-\($0)" }
      // Another script is another text, unless the language alone means this one.
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

  /// The tag in lower case with today's code of its language.
  private static func preferred(_ tag: String) -> String {
    let tag = tag.lowercased()
    let language = tag.prefix { $0 != "-" }
    return codes[String(language)].map { $0 + tag.dropFirst(language.count) } ?? tag
  }

  /// Codes that were given up or mean the same, and the ones in use.
  private static let codes = ["iw": "he", "in": "id", "ji": "yi", "no": "nb", "tl": "fil", "mo": "ro", "sh": "sr-latn"]

  /// The script that a language is likely written in, and where it is another.
  private static let scripts: [String: (usual: String, regional: RegionalScripts)] = [
    "zh": ("hans", RegionalScripts(script: "hant", regions: ["tw", "hk", "mo"])),
    "sr": ("cyrl", RegionalScripts(script: "latn", regions: ["me"])),
    "uz": ("latn", RegionalScripts(script: "arab", regions: ["af"])),
    "az": ("latn", RegionalScripts(script: "arab", regions: ["ir"])),
    "pa": ("guru", RegionalScripts(script: "arab", regions: ["pk"])),
  ]

  /// The regions that stand for a script.
  private static let usualRegions = ["zh-hant": ["tw", "hk", "mo"], "zh-hans": ["cn", "sg"], "sr-latn": ["me"], "sr-cyrl": ["rs"]]

  private struct RegionalScripts {
    var script: String
    var regions: Set<String>

    func firstScript(_ region: String) -> String? { regions.contains(region) ? script : nil }
  }
}
