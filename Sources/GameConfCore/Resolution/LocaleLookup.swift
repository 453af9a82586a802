// Which of a game's locales answers a caller: RFC 4647's lookup.

/// The game's locales in the order a caller should be answered in.
public enum LocaleLookup {
  /// Looks up a language range among the game's locales by RFC 4647 section 3.4, ending with the fallback.
  ///
  /// `fr-CA` finds `fr-CA`, else `fr`; a single-letter subtag goes with the one behind it. Case does not matter.
  /// - Parameters:
  ///   - range: a BCP 47 tag as a caller gave it, or what ``LocaleTag/canonical(_:)`` takes for one; nil or one that matches nothing gives the fallback alone.
  ///   - locales: the game's, the first being the fallback.
  public static func order(for range: String?, among locales: [String]) -> [String] {
    guard let fallback = locales.first else { return [] }
    guard var wanted = range.map({ (LocaleTag.canonical($0) ?? $0).lowercased().split(separator: "-", omittingEmptySubsequences: false) })
    else { return [fallback] }
    while !wanted.isEmpty {
      let tag = wanted.joined(separator: "-")
      if let found = locales.first(where: { $0.lowercased() == tag }) { return found == fallback ? [fallback] : [found, fallback] }
      wanted.removeLast()
      if let last = wanted.last, last.count == 1 { wanted.removeLast() }
    }
    return [fallback]
  }
}
