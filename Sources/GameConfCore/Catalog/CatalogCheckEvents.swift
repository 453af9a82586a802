// Validates events, their checks, and leaderboards.

extension CatalogCheck {
  mutating func checkEvents() {
    for event in catalog.events {
      let path: CatalogPath = ["events", event.name]
      checkName(event.name, as: .word, at: path)
      for (index, reason) in event.reasons.enumerated() {
        checkName(reason, as: .word, at: path.appending("reasons", String(index)), aboutName: false)
      }
      checkUnique(event.reasons, at: path.appending("reasons"))
      for (index, mode) in event.modes.enumerated() where !catalog.modes.contains(mode) {
        fault(
          path.appending("modes", String(index)), "The game has no mode “\(mode)”\(ending(for: mode, among: catalog.modes))")
      }
      checkUnique(event.modes, at: path.appending("modes"))
      for detail in event.details { checkDetail(detail.admits, path.appending("details", detail.name)) }
      checkBestBy(event, path.appending("best_by"))
      checkHistory(event, path.appending("history"))
      for check in event.checks { self.check(check, of: event, path.appending("checks", check.id)) }
    }
  }

  private mutating func check(_ check: EventCheck, of event: EventDefinition, _ path: CatalogPath) {
    checkName(check.id, as: .thing, at: path)
    for (field, expression) in [("when", check.condition), ("require", check.require)] {
      guard let expression else { continue }
      let place = path.appending(field)
      checkReads(of: expression, at: place)
      let reads = expression.reads
      if reads.wholeContext || reads.time {
        fault(place, "A check may not read the time or computed names, because one event always gets one answer.")
        continue
      }
      checkFacts(reads, at: place)
      let names = EventCheck.names(of: event, in: catalog)
      // An unknown name would evaluate to null, and null satisfies many conditions. So a typing error would disable the event's check.
      var read = reads.attributes.filter { name in !reads.paths.contains { $0.hasPrefix(name + ".") } }
      read.formUnion(reads.paths.map { $0.split(separator: ".").prefix($0.hasPrefix("details.") ? 2 : .max).joined(separator: ".") })
      for name in read.sorted() where !names.contains(name) {
        fault(place, "The event has no “\(name)”\(ending(for: name, among: names))")
      }
    }
    if check.require.reads == LogicDependencies() {
      fault(path.appending("require"), "This check reads nothing of the event, so it always gives the same answer.")
    }
  }

  /// Checks that the flags and gates that an event check names exist, with the right types and arguments.
  private mutating func checkFacts(_ reads: LogicDependencies, at place: CatalogPath) {
    for key in reads.flags.sorted() {
      guard let parameter = checkParameterReference(key, at: place) else { continue }
      checkShown(parameter, at: place)
      if parameter.type != .boolean { fault(place, "“\(key)” is of type \(parameter.type.rawValue); a boolean is on or off.") }
    }
    for (id, given) in reads.gates.sorted(by: { $0.key < $1.key }) {
      let gates = catalog.gates
      checkReference(id, to: .gates, "gate", among: gates.map(\.id), at: place)
      guard let gate = gates.first(where: { $0.id == id }) else { continue }
      let needed = gate.arguments.map(\.name)
      if given != Set(needed) { fault(place, "The gate “\(id)” takes \(needed.joined(separator: ", ")), each with a value.") }
    }
  }

  private mutating func checkBestBy(_ event: EventDefinition, _ path: CatalogPath) {
    if event.bestBy.isEmpty { return }
    if event.isAnalytics { return fault(path, "An analytics event counts nothing, so it has no best.") }
    var seen: Set<String> = []
    for name in event.bestBy {
      guard let detail = event.details.first(where: { $0.name == name }) else {
        fault(path, "The event has no detail “\(name)”\(ending(for: name, among: event.details.map(\.name)))")
        continue
      }
      if detail.isOptional { fault(path, "The detail “\(name)” is optional; a best needs a required detail.") }
      if ![.string, .integer, .boolean].contains(detail.admits.type) {
        fault(
          path,
          "The detail “\(name)” is of type \(detail.admits.type.rawValue); a best needs a detail that is text, an integer or a boolean.")
      }
      if !seen.insert(name).inserted { fault(path, "The detail “\(name)” is here twice.") }
    }
  }

  private mutating func checkHistory(_ event: EventDefinition, _ path: CatalogPath) {
    guard let history = event.history else { return }
    if event.isAnalytics { return fault(path, "An analytics event is a line of the stream and has no history of its own.") }
    checkCount(history, of: "events", "An event keeps", most: EventDefinition.historyMax, at: path)
  }

  mutating func checkLeaderboards() {
    for board in catalog.leaderboards {
      let path: CatalogPath = ["leaderboards", board.id]
      checkName(board.id, as: .thing, at: path)
      checkEvent(board.event, at: path.appending("event"))
      let event = catalog.events.first { $0.name == board.event }
      if let event, event.isAnalytics || !event.carriesScore {
        let why = event.isAnalytics ? "is for analytics only" : "carries no score"
        fault(path.appending("event"), "The event “\(event.name)” \(why), so this board stays empty.")
      }
      if let mode = board.mode {
        let modes = event.map { $0.modes.isEmpty ? catalog.modes : $0.modes } ?? catalog.modes
        if isWhole, !modes.contains(mode) {
          fault(path.appending("mode"), "There is no mode “\(mode)” here\(ending(for: mode, among: modes))")
        }
      }
      let per = path.appending("per")
      for (index, key) in board.per.enumerated() { checkPer(key, at: board.per.count == 1 ? per : per.appending(String(index))) }
      checkUnique(board.per, at: per)
      if board.per.count > Leaderboard.perMax {
        fault(per, "A board has lists for the values of \(Leaderboard.perMax) parameters at most.")
      }
      checkCount(board.rows, of: "rows", "A board shows", most: Leaderboard.rowsMax, at: path.appending("rows"))
      checkShowing(board.enabled, at: path.appending("enabled"))
    }
  }

  /// Validates a parameter that partitions a leaderboard. The leaderboard has one list for each value of it, so the number of values must
  /// be bounded and no value may be secret.
  private mutating func checkPer(_ key: String, at path: CatalogPath) {
    guard let parameter = checkParameterReference(key, at: path) else { return }
    checkShown(parameter, at: path)
    let isBounded =
      switch parameter.type {
      case .boolean: true
      case .integer: parameter.allowed != nil || (parameter.range?.hasLeast == true && parameter.range?.hasMost == true)
      case .string: parameter.allowed != nil || parameter.oneOf != nil || parameter.isDaily
      case .double, .list, .object, .localized: false
      }
    if !isBounded {
      fault(
        path,
        "A board has a list for each value of “\(key)”, so its values must be few: a boolean, an integer with a range, a daily hash, or what "
          + "“enum” or “one_of” list.")
    }
  }

  private mutating func checkCount(_ count: Placement.NumberSource, of things: String, _ subject: String, most: Int64, at path: CatalogPath)
  {
    switch count {
    case .number(let value):
      guard let count = value.losslessInteger, (1...most).contains(count) else {
        return fault(path, "\(subject) 1 to \(most) \(things).")
      }
    case .parameter(let key):
      guard let parameter = checkParameterReference(key, at: path) else { return }
      checkShown(parameter, at: path)
      if parameter.type != .integer {
        fault(path, "“\(key)” is of type \(parameter.type.rawValue); a number of \(things) is an integer.")
      }
    }
  }
}

extension Parameter {
  /// True if the parameter's value is a daily hash, which is the same for all players on a day.
  fileprivate var isDaily: Bool {
    if case .dailyHash = defaultValue { return !isPlayerSetting && settingFlag == nil }
    return false
  }
}

extension NumericRange {
  fileprivate var hasLeast: Bool { min != nil || above != nil }
  fileprivate var hasMost: Bool { max != nil || below != nil }
}
