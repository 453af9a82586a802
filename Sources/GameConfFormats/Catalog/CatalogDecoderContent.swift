// Decodes the catalog's milestones, themes, gates, products, paywalls and ad placements.

import GameConfCore

extension CatalogDecoder {
  mutating func milestone(_ id: String, _ node: YAMLNode) -> Milestone? {
    guard let metric = metric(node["count"]) else { return nil }
    var threshold: Milestone.Threshold?
    if let entry = node["at"] {
      if let key = parameterReference(entry.value) { threshold = .parameter(key) } else { threshold = integer(entry).map { .number($0) } }
    } else if case .unlocked = metric {
      threshold = .number(1)
    } else if let count = node["count"] {
      fault(count.namePlace, "A milestone needs “at”, the number that unlocks it.")
    }
    guard let threshold else { return nil }
    var milestone = Milestone(
      id: id, metric: metric, threshold: threshold, isAchievement: boolean(node["achievement"]) ?? false,
      isProgressive: boolean(node["progressive"]) ?? false, name: localizedText(node["name"]))
    if let enabled = switching(node["enabled"]) { milestone.enabled = enabled }
    return milestone
  }

  private mutating func metric(_ entry: YAMLEntry?) -> Milestone.Metric? {
    guard let node = entry?.value else { return nil }
    if let name = text(node["events"]) { return .events(name) }
    if let mode = text(node["best_score"]) { return .bestScore(mode: mode) }
    if let other = text(node["unlocked"]) { return .unlocked(milestone: other) }
    if let bests = node["bests"]?.value {
      if bests.entries == nil { return text(bests).map { .bests(BestCount(event: $0)) } }
      return text(bests["event"]).map { .bests(BestCount(event: $0, prefix: text(bests["prefix"]), score: integer(bests["score"]))) }
    }
    guard case .scalar(let word, _) = node.content else { return nil }
    switch word {
    case "lifetime_score": return .lifetimeScore
    case "games_played": return .gamesPlayed
    default: return nil
    }
  }

  mutating func theme(_ id: String, _ node: YAMLNode, _ locale: String) -> Theme? {
    var unlock: Theme.Unlock? = .free
    if let entry = node["unlock"] {
      if let milestone = text(entry.value["milestone"]) {
        unlock = .milestone(milestone)
      } else if let entitlement = text(entry.value["entitlement"]) {
        unlock = .entitlement(entitlement)
      } else if let key = text(entry.value["parameter"]) {
        unlock = .parameter(key)
      } else if text(entry.value) != "free" {
        unlock = nil
      }
    }
    var attributes: Value? = .object(ObjectValue())
    if let entry = node["attributes"] { attributes = data(entry.value) }
    guard let unlock, case .object(let attributes) = attributes else { return nil }
    let name = localizedText(node["name"])
    return Theme(id: id, name: node["name"] == nil ? [locale: id] : name, unlock: unlock, attributes: attributes)
  }

  mutating func gate(_ id: String, _ node: YAMLNode) -> Gate? {
    guard let lockedWhen = expression(node["locked_when"]) else { return nil }
    let arguments = (node["args"]?.value.entries ?? []).compactMap { entry -> Gate.Argument? in
      let type: ParameterType? = choice(entry)
      return type.map { Gate.Argument(name: entry.name, type: $0) }
    }
    return Gate(id: id, arguments: arguments, lockedWhen: lockedWhen, unless: texts(node["unless"]))
  }

  mutating func product(_ id: String, _ node: YAMLNode, _ locale: String) -> Product? {
    guard let kind: Product.Kind = choice(node["type"]) else { return nil }
    var product = Product(id: id, storeID: text(node["store_id"]), kind: kind, name: localizedText(node["name"]))
    if node["name"] == nil { product.name = [locale: id] }
    product.price = localizedText(node["price"])
    product.grants = texts(node["grants"])
    product.includesAll = text(node["includes"]) == "all"
    product.isFamilyShareable = boolean(node["family_shareable"]) ?? false
    product.extensions = extensions(node)
    guard kind == .autoRenewable else {
      for field in CatalogFormat.subscriptionFields {
        guard let entry = node[field] else { continue }
        fault(entry.namePlace, "“\(field)” is for auto_renewable products; this one is \(kind.rawValue).")
      }
      return product
    }
    for field in ["group", "period"] where node[field] == nil {
      if let type = node["type"] { fault(type.value.place, "An auto_renewable product needs “\(field)”.") }
    }
    guard let group = text(node["group"]), let period = period(node["period"]) else { return nil }
    let level = integer(node["level"]).flatMap { Int(exactly: $0) } ?? 1
    product.subscription = Subscription(
      group: group, level: level, period: period, intro: node["intro"].flatMap { intro($0.value) },
      gracePeriod: self.period(node["grace_period"]))
    return product
  }

  private mutating func intro(_ node: YAMLNode) -> Subscription.Intro? {
    guard let mode: Subscription.IntroMode = choice(node["mode"]), let period = period(node["period"]) else { return nil }
    let periods = integer(node["periods"]).flatMap { Int(exactly: $0) } ?? 1
    return Subscription.Intro(mode: mode, period: period, periods: periods, price: localizedText(node["price"]))
  }

  private mutating func period(_ entry: YAMLEntry?) -> CalendarPeriod? {
    guard let entry, let text = text(entry) else { return nil }
    do {
      return try CalendarPeriod(parsing: text)
    } catch {
      fault(entry.value.place, Self.sentence(error.message))
      return nil
    }
  }

  mutating func paywalls(_ node: YAMLNode?) -> Paywalls {
    var paywalls = Paywalls()
    guard let node else { return paywalls }
    paywalls.current = text(node["current"])
    paywalls.uiConfig = node["ui_config"].flatMap { data($0.value) }
    paywalls.offerings = named(node["offerings"], nil) { decoder, id, node in
      var details = Paywalls.Details(offering: id)
      details.description = decoder.text(node["description"])
      details.metadata = node["metadata"].flatMap { decoder.data($0.value)?.objectValue } ?? ObjectValue()
      details.paywall = node["paywall"].flatMap { decoder.data($0.value) }
      details.components = node["paywall_components"].flatMap { decoder.data($0.value) }
      return details
    }
    return paywalls
  }

  mutating func placement(_ id: String, _ node: YAMLNode) -> Placement? {
    guard let format: Placement.Format = choice(node["format"]), let event = text(node["event"]) else { return nil }
    var placement = Placement(id: id, format: format, event: event, every: number(node["every"]) ?? .number(1))
    if let enabled = switching(node["enabled"]) { placement.enabled = enabled }
    placement.exempt = texts(node["exempt"])
    placement.onNoFill = choice(node["on_no_fill"]) ?? .keepSlot
    placement.offset = number(node["offset"])
    placement.minSeconds = number(node["min_seconds"])
    placement.firstAdDelaySeconds = number(node["first_ad_delay_seconds"])
    placement.graceEvents = number(node["grace_events"])
    placement.graceVisits = number(node["grace_visits"])
    placement.afterRewardedSeconds = number(node["after_rewarded_seconds"])
    placement.caps = each(node["caps"]) { decoder, element in
      guard let count = decoder.number(element["count"]), let per: Placement.Cap.Window = decoder.choice(element["per"]) else {
        decoder.unread.append(element.place)
        return nil
      }
      return Placement.Cap(count: count, per: per)
    }
    return placement
  }

  /// Decodes a field that is a boolean or a reference to a parameter, such as whether a placement is on.
  mutating func switching(_ entry: YAMLEntry?) -> Placement.NumberSource? {
    guard let entry else { return nil }
    if let key = parameterReference(entry.value) { return .parameter(key) }
    return boolean(entry).map { .number(.bool($0)) }
  }

  mutating func number(_ entry: YAMLEntry?) -> Placement.NumberSource? {
    guard let entry else { return nil }
    if let key = parameterReference(entry.value) { return .parameter(key) }
    return number(entry.value).map { .number($0.losslessInteger.map(Value.integer) ?? $0) }
  }
}
