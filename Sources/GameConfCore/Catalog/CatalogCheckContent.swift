// Validates the parts of a catalog that players unlock: milestones, themes and gates.

extension CatalogCheck {
  mutating func checkMilestones() {
    let ids = catalog.milestones.map(\.id)
    let scores = catalog.events.contains(where: \.carriesScore)
    for milestone in catalog.milestones {
      let path: CatalogPath = ["milestones", milestone.id]
      checkName(milestone.id, as: .thing, at: path)
      checkText(milestone.name, at: path.appending("name"))
      switch milestone.metric {
      case .lifetimeScore, .gamesPlayed:
        if !scores { warn(path.appending("count"), "No event of this game carries a score, so this never counts.") }
      case .events(let name):
        checkEvent(name, at: path.appending("count", "events"))
      case .bestScore(let mode):
        if !catalog.modes.contains(mode), isWhole {
          fault(path.appending("count", "best_score"), "There is no mode “\(mode)”\(ending(for: mode, among: catalog.modes))")
        } else if !scores {
          warn(path.appending("count"), "No event of this game carries a score, so this never counts.")
        }
      case .unlocked(let other):
        checkReference(other, to: .milestones, "milestone", among: ids, at: path.appending("count", "unlocked"))
      case .bests(let count):
        checkEvent(count.event, at: path.appending("count", "bests"))
        if let event = catalog.events.first(where: { $0.name == count.event }), event.bestBy.isEmpty {
          fault(path.appending("count", "bests"), "The event “\(event.name)” has no “best_by”, so the player has no bests of it to count.")
        }
      }
      checkThreshold(milestone, path.appending("at"))
      checkShowing(milestone.enabled, at: path.appending("enabled"))
    }
    checkMilestoneCycles()
  }

  private mutating func checkThreshold(_ milestone: Milestone, _ path: CatalogPath) {
    switch milestone.threshold {
    case .number(let number):
      if number < 1 { fault(path, "A milestone needs at least 1.") }
      if case .unlocked = milestone.metric, number > 1 { fault(path, "A milestone that depends on another has no “at”.") }
    case .parameter(let key):
      guard let parameter = checkParameterReference(key, at: path) else { return }
      if parameter.type != .integer { fault(path, "“\(key)” is of type \(parameter.type.rawValue); a threshold is an integer.") }
      checkShown(parameter, at: path)
    }
  }

  private mutating func checkMilestoneCycles() {
    var waits: [String: String] = [:]
    for milestone in catalog.milestones {
      if case .unlocked(let other) = milestone.metric { waits[milestone.id] = other }
    }
    var seen: Set<String> = []
    for milestone in catalog.milestones where !seen.contains(milestone.id) {
      var chain: [String] = []
      var here: String? = milestone.id
      while let id = here, !seen.contains(id) {
        seen.insert(id)
        chain.append(id)
        here = waits[id]
      }
      guard let id = here, let start = chain.firstIndex(of: id) else { continue }
      let circle = (chain[start...] + [id]).joined(separator: " → ")
      fault(["milestones", id, "count"], "These milestones depend on each other in a circle: \(circle).")
    }
  }

  mutating func checkEvent(_ name: String, at path: CatalogPath) {
    let names = catalog.events.map(\.name)
    if !isUnreadable(.events, name), !names.contains(name) { fault(path, "There is no event “\(name)”\(ending(for: name, among: names))") }
  }

  mutating func checkThemes() {
    for theme in catalog.themes {
      let path: CatalogPath = ["themes", theme.id]
      checkName(theme.id, as: .thing, at: path)
      checkText(theme.name, at: path.appending("name"))
      let unlock = path.appending("unlock")
      switch theme.unlock {
      case .free: break
      case .milestone(let id):
        checkReference(id, to: .milestones, "milestone", among: catalog.milestones.map(\.id), at: unlock.appending("milestone"))
      case .entitlement(let name): checkEntitlement(name, at: unlock.appending("entitlement"))
      case .parameter(let key):
        guard let parameter = checkParameterReference(key, at: unlock.appending("parameter")) else { break }
        if parameter.type != .boolean {
          fault(unlock.appending("parameter"), "“\(key)” is of type \(parameter.type.rawValue); a theme is unlocked by a boolean.")
        }
        checkShown(parameter, at: unlock.appending("parameter"))
      }
      for violation in catalog.themeSchema?.violations(of: .object(theme.attributes), locales: catalog.locales) ?? [] {
        fault(path.appending("attributes").appending(pointer: violation.pointer), violation.message)
      }
    }
  }

  mutating func checkGates() {
    for gate in catalog.gates {
      let path: CatalogPath = ["gates", gate.id]
      checkName(gate.id, as: .thing, at: path)
      for argument in gate.arguments {
        let place = path.appending("args", argument.name)
        checkName(argument.name, as: .word, at: place)
        if ![.boolean, .integer, .double, .string].contains(argument.type) {
          fault(place, "An argument is a boolean, integer, double or string.")
        }
        let reads = gate.lockedWhen.reads
        if !reads.wholeContext, !reads.attributes.contains(argument.name) {
          warn(place, "“locked_when” does not read this argument.", aboutName: true)
        }
      }
      checkReads(of: gate.lockedWhen, at: path.appending("locked_when"))
      for (index, name) in gate.unless.enumerated() { checkEntitlement(name, at: path.appending("unless", String(index))) }
      checkUnique(gate.unless, at: path.appending("unless"))
    }
  }
}
