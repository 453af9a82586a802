// The JSON form of a catalog's milestones, themes, gates, products, offerings and placements.

extension CatalogDescription {
  static func milestone(_ milestone: Milestone) -> Value {
    var object = ObjectValue()
    object["id"] = .string(milestone.id)
    object["count"] = metric(milestone.metric)
    object["at"] =
      switch milestone.threshold {
      case .number(let number): .integer(number)
      case .parameter(let key): ["parameter": .string(key)]
      }
    object["achievement"] = .bool(milestone.isAchievement)
    object["progressive"] = .bool(milestone.isProgressive)
    if milestone.enabled != .number(.bool(true)) { object["enabled"] = number(milestone.enabled) }
    if !milestone.name.isEmpty { object["name"] = texts(milestone.name) }
    return .object(object)
  }

  /// Returns the JSON form of the counter whose value a milestone compares with its threshold.
  package static func metric(_ metric: Milestone.Metric) -> Value {
    switch metric {
    case .lifetimeScore: "lifetime_score"
    case .gamesPlayed: "games_played"
    case .events(let name): ["events": .string(name)]
    case .bestScore(let mode): ["best_score": .string(mode)]
    case .unlocked(let other): ["unlocked": .string(other)]
    case .bests(let count): ["bests": bests(count)]
    }
  }

  /// Returns the JSON form of a selection of best results. It is the event type alone if all bests of that type are counted, otherwise an
  /// object.
  private static func bests(_ count: BestCount) -> Value {
    if count.prefix == nil, count.score == nil { return .string(count.event) }
    var object: ObjectValue = ["event": .string(count.event)]
    object["prefix"] = count.prefix.map(Value.string)
    object["score"] = count.score.map(Value.integer)
    return .object(object)
  }

  static func theme(_ theme: Theme) -> Value {
    let unlock: Value =
      switch theme.unlock {
      case .free: "free"
      case .milestone(let id): ["milestone": .string(id)]
      case .entitlement(let name): ["entitlement": .string(name)]
      case .parameter(let key): ["parameter": .string(key)]
      }
    return ["id": .string(theme.id), "name": texts(theme.name), "unlock": unlock, "attributes": .object(theme.attributes)]
  }

  static func gate(_ gate: Gate) -> Value {
    [
      "id": .string(gate.id), "args": .object(ObjectValue(gate.arguments.map { ($0.name, .string($0.type.rawValue)) })),
      "locked_when": gate.lockedWhen.source, "unless": texts(gate.unless),
    ]
  }

  static func product(_ product: Product, in catalog: Catalog) -> Value {
    var object = ObjectValue()
    object["id"] = .string(product.id)
    object["store_id"] = .string(catalog.storeID(of: product))
    object["type"] = .string(product.kind.rawValue)
    object["name"] = texts(product.name)
    object["price"] = texts(product.price)
    object["grants"] = texts(product.grants)
    if product.includesAll { object["includes"] = "all" }
    object["family_shareable"] = .bool(product.isFamilyShareable)
    if let subscription = product.subscription {
      object["group"] = .string(subscription.group)
      object["level"] = .integer(Int64(subscription.level))
      object["period"] = .string(subscription.period.text)
      object["intro"] = subscription.intro.map(intro)
      object["grace_period"] = subscription.gracePeriod.map { .string($0.text) }
    }
    for member in product.extensions.members { object[member.name] = member.value }
    return .object(object)
  }

  private static func intro(_ intro: Subscription.Intro) -> Value {
    var object = ObjectValue()
    object["mode"] = .string(intro.mode.rawValue)
    object["period"] = .string(intro.period.text)
    object["periods"] = .integer(Int64(intro.periods))
    if !intro.price.isEmpty { object["price"] = texts(intro.price) }
    return .object(object)
  }

  static func offering(_ offering: Offering) -> Value {
    ["id": .string(offering.id), "packages": .object(ObjectValue(offering.packages.map { ($0.id, .string($0.product)) }))]
  }

  static func placement(_ placement: Placement) -> Value {
    var object = ObjectValue()
    object["id"] = .string(placement.id)
    object["format"] = .string(placement.format.rawValue)
    object["event"] = .string(placement.event)
    object["every"] = number(placement.every)
    object["enabled"] = number(placement.enabled)
    object["exempt"] = texts(placement.exempt)
    object["on_no_fill"] = .string(placement.onNoFill.rawValue)
    object["offset"] = placement.offset.map(number)
    object["min_seconds"] = placement.minSeconds.map(number)
    object["first_ad_delay_seconds"] = placement.firstAdDelaySeconds.map(number)
    object["grace_events"] = placement.graceEvents.map(number)
    object["grace_visits"] = placement.graceVisits.map(number)
    object["after_rewarded_seconds"] = placement.afterRewardedSeconds.map(number)
    if !placement.caps.isEmpty {
      object["caps"] = .list(placement.caps.map { ["count": number($0.count), "per": .string($0.per.rawValue)] })
    }
    return .object(object)
  }

  static func number(_ number: Placement.NumberSource) -> Value {
    switch number {
    case .number(let value): value
    case .parameter(let key): ["parameter": .string(key)]
    }
  }
}
