// Validates a catalog as a whole: references between its parts, cycles, limits, and values against their own declarations.

/// An error or a warning about one place in a catalog.
public struct CatalogFinding: Sendable, Hashable {
  /// The path from the catalog's root to the offending field.
  public var path: CatalogPath
  /// True if the finding is about the last name of the path, such as an id. Otherwise it is about the value at the path.
  public var isAboutName: Bool
  /// The key of the `{parameter: key}` reference at fault. It is set if the path leads to an expression that contains the reference.
  public var reference: String?
  /// A sentence that names the fault and the valid form.
  public var message: String

  /// Creates a finding, which by default is about the value at the path and not about its name.
  public init(path: CatalogPath, isAboutName: Bool = false, reference: String? = nil, message: String) {
    self.path = path
    self.isAboutName = isAboutName
    self.reference = reference
    self.message = message
  }
}

/// Validates the ids, references, values, cycles and constraints of a catalog.
///
/// It reports all faults of a catalog together. The caller passes the ids of parts that could not be parsed to
/// ``init(_:unreadable:isWhole:)``, so that references to these parts are not reported as well.
public struct CatalogCheck {
  /// The largest number of parameters that a game may have.
  public static let parametersMax = 3_000
  /// The largest number of members in each list of a catalog that has no limit of its own, such as themes, products and events.
  public static let partsMax = 1_000
  /// The largest number of leaderboards that a game may have.
  public static let leaderboardsMax = 100
  /// The largest number of details that an event may have.
  public static let detailsMax = 64
  /// The largest number of locales that a game may have.
  public static let localesMax = 200
  /// The largest number of rules that a parameter may have.
  public static let rulesMax = LogicLimits.rulesMax
  /// The longest chain of `{parameter}` references that a value may be resolved through.
  public static let referenceDepthMax = 64
  /// The largest number of values that a parameter may list in `enum`.
  public static let listedMax = 1_000
  /// The number of faults after which messages no longer suggest the nearest name, because the search is slow.
  static let suggestionsMax = 200

  /// The lists of a catalog that other parts refer to by id.
  public enum Part: String, Sendable, Hashable, CaseIterable {
    case events, parameters, constraints, milestones, themes, products, offerings, placements, gates
  }

  /// The faults for which the catalog is rejected, in no particular order.
  public internal(set) var faults: [CatalogFinding] = []
  /// The findings that do not prevent the catalog from being accepted.
  public internal(set) var warnings: [CatalogFinding] = []

  let catalog: Catalog
  let parameters: [String: Parameter]
  let isWhole: Bool
  private let unreadable: [Part: Set<String>]
  let defaults: CatalogDefaults
  private let granted: Set<String>
  var cyclic: Set<String> = []

  /// Validates a catalog; the results are ``faults`` and ``warnings``.
  /// - Parameters:
  ///   - unreadable: The ids of parts that the file has but that could not be parsed.
  ///   - isWhole: False if the catalog is an excerpt. Then references to parts that are missing are not reported.
  public init(_ catalog: Catalog, unreadable: [Part: Set<String>] = [:], isWhole: Bool = true) {
    self.catalog = catalog
    self.unreadable = unreadable
    self.isWhole = isWhole
    defaults = CatalogDefaults(catalog)
    granted = Set(catalog.products.flatMap(\.grants))
    parameters = Dictionary(catalog.parameters.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    checkCounts()
    if !faults.isEmpty { return }
    checkHeader()
    checkEvents()
    checkCycles()
    checkAliases()
    for parameter in catalog.parameters { checkParameter(parameter) }
    checkConstraints()
    checkMilestones()
    checkThemes()
    checkProducts()
    checkOfferings()
    checkPlacements()
    checkGates()
    checkLeaderboards()
  }

  mutating func fault(_ path: CatalogPath, _ message: String, aboutName: Bool = false, reference: String? = nil) {
    faults.append(CatalogFinding(path: path, isAboutName: aboutName, reference: reference, message: message))
  }

  mutating func warn(_ path: CatalogPath, _ message: String, aboutName: Bool = false) {
    warnings.append(CatalogFinding(path: path, isAboutName: aboutName, message: message))
  }

  mutating func checkName(_ name: String, as kind: CatalogNames.Kind, at path: CatalogPath, aboutName: Bool = true) {
    if let complaint = CatalogNames.complaint(about: name, as: kind) { fault(path, complaint, aboutName: aboutName) }
  }

  func isUnreadable(_ part: Part, _ name: String) -> Bool { !isWhole || unreadable[part]?.contains(name) ?? false }

  func hasUnreadable(_ part: Part) -> Bool { !isWhole || !(unreadable[part] ?? []).isEmpty }

  /// Reports a reference to an unknown name, and suggests the nearest known one.
  mutating func checkReference(_ name: String, to part: Part, _ noun: String, among names: [String], at path: CatalogPath) {
    if names.contains(name) || isUnreadable(part, name) { return }
    fault(path, "There is no \(noun) “\(name)”\(ending(for: name, among: names))")
  }

  /// Returns the parameter that a reference names. Reports an unknown key, unless that parameter could not be parsed.
  mutating func checkParameterReference(_ key: String, at path: CatalogPath) -> Parameter? {
    if let parameter = parameters[key] { return parameter }
    if !isUnreadable(.parameters, key) {
      let ending = self.ending(for: key, among: catalog.parameters.map(\.key))
      fault(path, "There is no parameter “\(key)”\(ending)", reference: key)
    }
    return nil
  }

  /// Reports a secret parameter whose value would be visible to every caller at this path. Conditions are not checked: a condition may read
  /// a secret parameter, because it reveals only its result.
  mutating func checkShown(_ parameter: Parameter, at path: CatalogPath) {
    if parameter.isSecret {
      fault(
        path, "“\(parameter.key)” is secret, and its value would be shown here to every caller. Only a “secret” parameter may refer to it.")
    }
  }

  /// Reports each unknown parameter that an expression reads.
  mutating func checkReads(of expression: LogicExpression, at path: CatalogPath) {
    for key in expression.reads.parameters.sorted() { _ = checkParameterReference(key, at: path) }
  }

  /// Reports a localized text that lacks the game's first locale or has a locale that the game does not.
  mutating func checkText(_ text: LocalizedText, at path: CatalogPath) {
    guard let first = catalog.locales.first, !text.isEmpty else { return }
    if text[first] == nil {
      fault(path, "The text for \(first), the game's first locale, is missing.")
    }
    for locale in text.keys.sorted() where !catalog.locales.contains(locale) {
      let locales = catalog.locales.joined(separator: ", ")
      fault(path.appending(locale), "“\(locale)” is not one of the game's locales: \(locales).", aboutName: true)
    }
  }

  /// Reports names that appear twice in a list.
  mutating func checkUnique(_ names: [String], at path: CatalogPath) {
    var seen: Set<String> = []
    for (index, name) in names.enumerated() where !seen.insert(name).inserted {
      fault(path.appending(String(index)), "“\(name)” appears twice in this list.")
    }
  }

  /// Reports the name of an entitlement that no product of the catalog grants.
  mutating func checkEntitlement(_ name: String, at path: CatalogPath) {
    if granted.contains(name) || hasUnreadable(.products) { return }
    fault(path, "No product grants the entitlement “\(name)”\(ending(for: name, among: granted.sorted()))")
  }

  /// Returns the end of a sentence about an unknown name: a suggestion of the nearest known name, or a full stop.
  func ending(for name: String, among names: [String]) -> String {
    guard faults.count < Self.suggestionsMax, let nearest = NearestNames.nearest(to: name, among: names).first else { return "." }
    return "; did you mean “\(nearest)”?"
  }
}

extension CatalogCheck {
  mutating func checkHeader() {
    checkName(catalog.game, as: .game, at: ["game"], aboutName: false)
    if catalog.locales.isEmpty { fault(["locales"], "A game has at least one locale; the first is the fallback.") }
    var seen: Set<String> = []
    for (index, locale) in catalog.locales.enumerated() {
      let path: CatalogPath = ["locales", String(index)]
      if !LocaleTag.isWellFormed(locale) {
        fault(path, "“\(locale)” is not a language tag; it is written like en, pt-BR or zh-Hant (BCP 47).")
      } else if !seen.insert(locale.lowercased()).inserted {
        fault(path, "“\(locale)” appears twice in this list.")
      }
    }
    for (index, mode) in catalog.modes.enumerated() { checkName(mode, as: .word, at: ["modes", String(index)], aboutName: false) }
    checkUnique(catalog.modes, at: ["modes"])
    if let premium = catalog.premium {
      checkReference(premium, to: .products, "product", among: catalog.products.map(\.id), at: ["premium"])
    }
  }

  /// Checks the sizes of all lists. If one is too long, no other check runs, because the time of the other checks grows with these sizes.
  mutating func checkCounts() {
    let counts: [(String, Int, Int)] = [
      ("locales", catalog.locales.count, Self.localesMax), ("modes", catalog.modes.count, Self.partsMax),
      ("events", catalog.events.count, Self.partsMax), ("parameters", catalog.parameters.count, Self.parametersMax),
      ("constraints", catalog.constraints.count, Self.partsMax), ("milestones", catalog.milestones.count, Self.partsMax),
      ("themes", catalog.themes.count, Self.partsMax), ("products", catalog.products.count, Self.partsMax),
      ("offerings", catalog.offerings.count, Self.partsMax), ("placements", catalog.placements.count, Self.partsMax),
      ("gates", catalog.gates.count, Self.partsMax), ("leaderboards", catalog.leaderboards.count, Self.leaderboardsMax),
    ]
    for (name, count, most) in counts where count > most {
      fault([name], "The game has \(count) \(name); it may have \(most).", aboutName: true)
    }
    for event in catalog.events where event.details.count > Self.detailsMax {
      fault(
        ["events", event.name, "details"], "The event has \(event.details.count) details; it may have \(Self.detailsMax).", aboutName: true)
    }
    for event in catalog.events where event.checks.count > EventCheck.countMax {
      fault(
        ["events", event.name, "checks"], "The event has \(event.checks.count) checks; it may have \(EventCheck.countMax).", aboutName: true
      )
    }
    for parameter in catalog.parameters {
      let path: CatalogPath = ["parameters", parameter.key]
      if parameter.rules.count > Self.rulesMax {
        fault(path.appending("rules"), "The parameter has \(parameter.rules.count) rules; it may have \(Self.rulesMax).", aboutName: true)
      }
      if let listed = parameter.allowed?.count, listed > Self.listedMax {
        fault(path.appending("enum"), "The parameter lists \(listed) values; it may list \(Self.listedMax).", aboutName: true)
      }
    }
  }

  mutating func checkConstraints() {
    for constraint in catalog.constraints {
      let path: CatalogPath = ["constraints", constraint.id]
      checkName(constraint.id, as: .thing, at: path)
      let require = path.appending("require")
      checkReads(of: constraint.require, at: require)
      let reads = constraint.require.reads
      if reads.wholeContext || !reads.attributes.isEmpty || reads.time {
        fault(require, "A constraint holds for every player at any time, so it may read only parameters, by {parameter: key}.")
      } else if reads.parameters.isEmpty {
        fault(require, "This constraint reads no parameter; read one by {parameter: key}.")
      } else if reads.parameters.allSatisfy({ defaults.value(ofParameter: $0) != nil }) {
        let input = LogicInput(context: ObjectValue(), flagKey: constraint.id, now: Instant(milliseconds: 0))
        if !constraint.require.holds(input, parameters: defaults) {
          let values = reads.parameters.sorted().compactMap { key in
            defaults.value(ofParameter: key).map { value in
              defaults.isSecret(parameter: key) ? "\(key) is secret" : "\(key) \(ParameterAdmission.shown(value))"
            }
          }
          fault(require, "The defaults break this constraint: \(constraint.message) (\(values.joined(separator: ", ")))")
        }
      }
    }
  }
}
