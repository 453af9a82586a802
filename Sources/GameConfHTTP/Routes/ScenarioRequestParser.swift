// Parses the request that starts a scenario into a plan. Names are resolved with the catalogs, and each fault has a pointer to its place.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine

struct ScenarioRequestParser {
  let plan: ScenarioPlan

  init(_ body: ScenarioRequest, in request: Request) throws(Problem) {
    if let title = body.title, title.utf8.count > ScenarioLimits.titleBytesMax || title.hasControlCharacter {
      throw Problem(
        .malformedRequest, "A title has at most \(ScenarioLimits.titleBytesMax) bytes and no control characters.", pointer: "/title")
    }
    let lease = body.leaseSeconds ?? ScenarioLimits.leaseSeconds
    guard (1...ScenarioLimits.leaseSecondsMax).contains(lease) else {
      throw Problem(
        .malformedRequest, "A lease lasts 1 to \(ScenarioLimits.leaseSecondsMax) seconds, not \(lease).", pointer: "/lease_seconds")
    }
    if body.games.isEmpty { throw Problem(.malformedRequest, "A scenario names at least one game.", pointer: "/games") }
    var games: [ScenarioPlan.Game] = []
    for (name, requested) in body.games.sorted(by: { $0.key < $1.key }) {
      let pointer = "/games/" + JSONPointer.escaped(name)
      let snapshot: GameSnapshot
      do throws(Problem) { snapshot = try request.game(named: name).snapshot } catch { throw error.at(pointer) }
      games.append(try Self.game(requested, in: snapshot, at: pointer))
    }
    plan = ScenarioPlan(title: body.title, isForGame: body.scope == .game, leaseSeconds: lease, games: games)
  }

  private static func game(_ requested: ScenarioGame, in game: GameSnapshot, at pointer: String) throws(Problem) -> ScenarioPlan.Game {
    var read = ScenarioPlan.Game(game: game.game, pointer: pointer)
    var places: [String: String] = [:]
    func force(_ key: String, _ value: Value, at place: String) throws(Problem) {
      if let other = places.updateValue(place, forKey: key) {
        throw Problem(.duplicateRow, "\(key) is given two values; the other is at \(other).", pointer: place)
      }
      read.overrides.append(ScenarioPlan.Override(key: key, value: switched(value, key, in: game.catalog), pointer: place))
    }
    for member in requested.overrides.members {
      try force(member.name, member.value, at: pointer + "/overrides/" + JSONPointer.escaped(member.name))
    }
    for member in requested.flags.members {
      let place = pointer + "/flags/" + JSONPointer.escaped(member.name)
      let flags = game.catalog.parameters.filter { $0.flag != nil }.map(\.key)
      guard flags.contains(member.name) else {
        throw Problem(
          .unknownKey,
          "\(game.game) has no feature flag “\(member.name)”.\(NearestNames.hint(for: member.name, among: flags))",
          pointer: place)
      }
      try force(member.name, member.value, at: place)
    }
    for member in requested.milestones.members {
      let place = pointer + "/milestones/" + JSONPointer.escaped(member.name)
      try force(try threshold(of: member.name, in: game, at: place), member.value, at: place)
    }
    for (name, player) in requested.players.sorted(by: { $0.key < $1.key }) {
      read.players.append(try Self.player(name, player, in: game, at: pointer + "/players/" + JSONPointer.escaped(name)))
    }
    return read
  }

  /// Returns the value. For a boolean parameter, `on` and similar words become booleans, because YAML parsers may read them as text.
  private static func switched(_ value: Value, _ key: String, in catalog: Catalog) -> Value {
    guard case .string(let word) = value, catalog.parameters.contains(where: { $0.key == key && $0.type == .boolean }) else { return value }
    return Value(switchWord: word) ?? value
  }

  /// Returns the key of the parameter that is the threshold of a milestone.
  private static func threshold(of name: String, in game: GameSnapshot, at place: String) throws(Problem) -> String {
    guard let milestone = game.catalog.milestones.first(where: { $0.id == name }) else {
      let known = game.catalog.milestones.map(\.id)
      throw Problem(
        .unknownKey, "\(game.game) has no milestone “\(name)”.\(NearestNames.hint(for: name, among: known))",
        pointer: place)
    }
    guard case .parameter(let key) = milestone.threshold else {
      throw Problem(.notAllowed, "The milestone \(name) has a fixed number, so that no value can change it.", pointer: place)
    }
    return key
  }

  private static func player(
    _ name: String, _ requested: ScenarioPlayer, in game: GameSnapshot, at pointer: String
  ) throws(Problem) -> ScenarioPlan.Player {
    guard (1...ScenarioLimits.playerNameBytesMax).contains(name.utf8.count), OverrideLimits.admits(player: name) else {
      throw Problem(
        .malformedPlayerID,
        "A player's name within a scenario has at most \(ScenarioLimits.playerNameBytesMax) bytes. \(OverrideLimits.playerForm)",
        pointer: pointer)
    }
    var read = ScenarioPlan.Player(name: name, pointer: pointer)
    do throws(Problem) { read.clock = try requested.clock.map { (clock) throws(Problem) in try clock.engineMove } } catch {
      throw error.at(pointer + "/clock" + (error.pointer ?? ""))
    }
    if let scores = requested.scores { read.scores = scores.change }
    for (at, purchase) in requested.purchases.enumerated() {
      let place = pointer + "/purchases/\(at)"
      read.purchases.append(
        ScenarioPlan.Purchase(
          product: game.catalog.productID(named: purchase.product), currency: purchase.currency,
          acts: purchase.then.map { act in ScenarioPlan.Purchase.PlannedAct(word: act.rawValue) { .transaction(act, $0) } }, pointer: place)
      )
    }
    do throws(Problem) {
      read.behaviour = try requested.behaviour.map { (put) throws(Problem) in try ShopBehaviour(put.behaviour) }
    } catch { throw error.at(pointer + "/behaviour" + (error.pointer ?? "")) }
    return read
  }
}
