// The routes for RevenueCat's client libraries. They convert requests to reads and changes of the engine, and the outcomes to RevenueCat's
// JSON.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
package import GameConfHTTP
internal import GameConfServer
internal import GameConfStorage

typealias Request = GameConfServer.Request<DaemonApp>
typealias Reply = GameConfServer.Reply<DaemonApp>

/// The routes that RevenueCat's client libraries call. Requests, responses and refusals have RevenueCat's form.
package struct RevenueCatRoutes: Sendable {
  private let services: DaemonServices

  package init(services: DaemonServices) { self.services = services }

  /// The routes for the daemon's list of other protocols. They come last in the OpenAPI document.
  package var face: FaceRoutes { FaceRoutes(routes) }

  private var routes: [CallRoute] {
    [
      route(RevenueCatCalls.subscriber) { request throws(Problem) in
        try read(request, request.path("player")) { view, host in Subscriber(view, host: host).answer() }
      },
      route(RevenueCatCalls.offerings) { request throws(Problem) in
        _ = try checked(request.path("player"))
        return .now(.json(Storefront(catalog: try request.game().snapshot.catalog).offerings))
      },
      route(RevenueCatCalls.products, repeated: ["id"]) { request throws(Problem) in try products(request) },
      route(RevenueCatCalls.mapping) { request throws(Problem) in
        .now(.json(Storefront(catalog: try request.game().snapshot.catalog).mapping))
      },
      route(RevenueCatCalls.receipt) { request throws(Problem) in try receive(request) },
      route(RevenueCatCalls.identify) { request throws(Problem) in
        let login = try RequestMembers(request)
        return try identify(request, from: login.text("app_user_id"), to: login.text("new_app_user_id"))
      },
      route(RevenueCatCalls.alias) { request throws(Problem) in
        try identify(request, from: request.path("player"), to: RequestMembers(request).text("new_app_user_id"))
      },
    ]
      + [
        RevenueCatCalls.attributes, RevenueCatCalls.attribution, RevenueCatCalls.adServices, RevenueCatCalls.events,
        RevenueCatCalls.diagnostics,
      ].map { call in
        route(call) { request throws(Problem) in
          _ = try request.game()
          if call.endpoint.pathParameters.contains("player") { _ = try checked(request.path("player")) }
          return .now(.json(.object(ObjectValue())))
        }
      }
  }

  private func route<Ask: CallBody, Body: CallBody>(
    _ call: Call<Ask, Body>, repeated: Set<String> = [], _ handler: @escaping Handler<DaemonApp>
  ) -> CallRoute {
    CallRoute(face: call, repeated: repeated, below: RevenueCatCalls.base + "/", refusing: RevenueCatRefusal.answer) {
      call throws(Problem) in try handler(call.request)
    }
  }

  /// Returns the id of a RevenueCat subscriber.
  /// - Throws: `malformedPlayerID` if the id is not valid for a player.
  private func checked(_ id: String) throws(Problem) -> String {
    if OverrideLimits.admits(player: id) { return id }
    throw Problem(.malformedPlayerID, "\(OverrideLimits.playerForm) This one has \(id.utf8.count) bytes.")
  }

  /// Responds with the subscriber's state: immediately if the player is cached in memory, otherwise after a read of the database.
  private func read(
    _ request: Request, _ player: String, _ answer: @escaping @Sendable (PlayerView, Instant) -> Answer
  ) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let id = PlayerID(game: game.game, player: try checked(player))
    let host = services.clock.now
    if let (id, stored) = cached(id), (stored.ledger?.transactions.count ?? 0) <= Self.transactionsAtOnceMax {
      return .now(answer(PlayerView(stored, id, of: game, host: host), host))
    }
    let user = request.role.uid
    return .task { () async throws(Problem) in
      let (id, stored) = try await self.stored(id)
      return try await services.answer(lines: stored.ledger?.transactions.count ?? 0, for: user) { () throws(Problem) in
        answer(PlayerView(stored, id, of: game, host: host), host)
      }
    }
  }

  /// The maximum number of a player's transactions for which the response is rendered on the event loop. More would delay other requests.
  private static let transactionsAtOnceMax = 64

  /// Returns the cached player with this id, or the player of whom the id is an alias. Returns nil if either is not in memory.
  private func cached(_ id: PlayerID) -> (PlayerID, StoredPlayer)? {
    guard let stored = services.players.recent.cached(id) else { return nil }
    guard let name = stored.ledger?.aliasOf else { return (id, stored) }
    let owner = PlayerID(game: id.game, player: name)
    return services.players.recent.cached(owner).map { (owner, $0) }
  }

  /// Reads the player with this id, or the player of whom the id is an alias. A login makes an anonymous id an alias of the known player.
  private func stored(_ id: PlayerID) async throws(Problem) -> (PlayerID, StoredPlayer) {
    do throws(StoreError) {
      let stored = try await services.players.recent.read(id)
      guard let name = stored.ledger?.aliasOf else { return (id, stored) }
      let owner = PlayerID(game: id.game, player: name)
      return (owner, try await services.players.recent.read(owner))
    } catch { throw Problem(error) }
  }

  private func products(_ request: Request) throws(Problem) -> Reply {
    let ids = (request.query("id") ?? "").split(separator: ",").map(String.init)
    let currency = request.query("currency")
    return try read(request, request.path("player")) { view, _ in
      // A read does not use up a simulated failure. A failure that is limited to a number of calls is therefore left to the calls that use
      // it up.
      if let failure = view.ledger.behaviour.failures[.loadProducts], failure.timesLeft == nil {
        return RevenueCatRefusal(failure.error).answer(
          status: 422, "The simulated store fails to load products: \(failure.error.rawValue).")
      }
      return .json(Storefront(catalog: view.game.catalog).products(ids, currency: currency, for: view.ledger))
    }
  }

  /// Returns the author and time of a change by a client library. The audit log does not list such changes, as it lists no changes by
  /// games.
  private func change(_ request: Request) throws(Problem) -> ChangeContext {
    let role = request.role
    return ChangeContext(
      author: Author(uid: role.uid, name: String(role.uid), pid: role.pid), now: services.clock.now, isDryRun: try request.flag("dry_run"))
  }
}

/// The calls that change a player: purchases and logins.
extension RevenueCatRoutes {
  private static let tokenPrefix = "test_"
  private static let tokenBytesMax = 256
  private static let anonymousPrefix = "$RCAnonymousID:"

  private func receive(_ request: Request) throws(Problem) -> Reply {
    let body = try RequestMembers(request)
    let game = try request.game().snapshot
    let player = try checked(try body.text("app_user_id"))
    let token = try body.text("fetch_token")
    guard token.hasPrefix(Self.tokenPrefix), token.utf8.count <= Self.tokenBytesMax, !token.hasControlCharacter else {
      return .now(
        RevenueCatRefusal.invalidReceipt.answer(
          status: 422,
          "Only receipts of the Test Store are simulated: a fetch_token that begins with \(Self.tokenPrefix) and has at most \(Self.tokenBytesMax) bytes."
        ))
    }
    let product = game.catalog.productID(named: try body.product)
    let currency = body.optionalText("currency").flatMap { code in
      game.catalog.products.first { $0.id == product }?.price[code] == nil ? nil : code
    }
    let receipt = ShopReceipt(token: token, product: product, currency: currency)
    let change = try change(request)
    return .task { () async throws(Problem) in
      var (id, _) = try await self.stored(PlayerID(game: game.game, player: player))
      var bought = try await self.buy(receipt, for: id, change)
      // The user has logged in since the request began. The id is now an alias, so the purchase is made for the player behind the alias.
      if let name = bought?.player.ledger?.aliasOf {
        id = PlayerID(game: game.game, player: name)
        bought = try await self.buy(receipt, for: id, change)
      }
      if let bought {
        if !change.isDryRun { services.count(purchase: bought.outcome.status) }
        if let refusal = Self.refusal(of: bought.outcome) { return refusal }
        return Subscriber(PlayerView(bought.player, id, of: game, host: change.now), host: change.now).answer()
      }
      let (owner, stored) = try await self.stored(id)
      return Subscriber(PlayerView(stored, owner, of: game, host: change.now), host: change.now).answer()
    }
  }

  /// Makes the purchase that a receipt reports. Returns nil if the same user, perhaps under an id that is an alias now, has used the token
  /// before.
  private func buy(
    _ receipt: ShopReceipt, for id: PlayerID, _ change: ChangeContext
  ) async throws(Problem) -> PlayerChangeOutcome<ShopOutcome>? {
    do throws(ChangeRefusal) { return try await services.players.buy(receipt, for: id, change) } catch {
      guard case .repeatedWithOtherContent = error else { throw Problem(error) }
      if try await self.stored(id).1.ledger?.transaction(withToken: receipt.tokenDigest) != nil { return nil }
      throw Problem(.idReused, "The fetch_token is of a purchase by another user; a purchase moves by gameconfctl iap restore --from.")
    }
  }

  /// Returns the refusal of a purchase that the simulator failed or cancelled; nil for every other outcome.
  ///
  /// A purchase that waits for a parent's approval is not refused: its entitlement comes later.
  private static func refusal(of outcome: ShopOutcome) -> Answer? {
    if let error = outcome.error {
      return RevenueCatRefusal(error).answer(status: 422, "The simulated store fails the purchase: \(error.rawValue).")
    }
    switch outcome.status {
    case .success, .pending, .interrupted, .deferred, .retained: return nil
    case .cancelled, .failed:
      return RevenueCatRefusal.storeProblem.answer(status: 422, "The purchase was called off in the simulated store.")
    }
  }

  private func identify(_ request: Request, from old: String, to new: String) throws(Problem) -> Reply {
    let game = try request.game().snapshot
    let (old, new) = (try checked(old), try checked(new))
    let id = PlayerID(game: game.game, player: new)
    let change = try change(request)
    let mayAlias = old.hasPrefix(Self.anonymousPrefix) && !new.hasPrefix(Self.anonymousPrefix)
    return .task { () async throws(Problem) in
      guard mayAlias else {
        let (owner, stored) = try await self.stored(id)
        let subscriber = Subscriber(PlayerView(stored, owner, of: game, host: change.now), host: change.now)
        return subscriber.answer(status: stored.isUnknown ? 201 : 200)
      }
      let changed: PlayerChangeOutcome<PlayerLoginOutcome>?
      do throws(ChangeRefusal) { changed = try await services.players.change(id, .login(from: old), change).fresh } catch {
        throw Problem(error)
      }
      guard let changed else { throw Problem(.internalFault, "The login has no outcome.") }
      let subscriber = Subscriber(PlayerView(changed.player, id, of: game, host: change.now), host: change.now)
      return subscriber.answer(status: changed.outcome.isNew ? 201 : 200)
    }
  }
}

/// The JSON object in a request's body, with typed access to its members.
private struct RequestMembers {
  private let members: ObjectValue

  init(_ request: Request) throws(Problem) {
    guard case .object(let members)? = try request.jsonIfPresent() else {
      throw Problem(.malformedRequest, "The body must be a JSON object.", pointer: "")
    }
    self.members = members
  }

  func optionalText(_ name: String) -> String? { members[name]?.stringValue }

  func text(_ name: String) throws(Problem) -> String {
    guard let text = optionalText(name), !text.isEmpty else {
      throw Problem(.malformedRequest, "\(name) is missing; it is a text.", pointer: "/\(name)")
    }
    return text
  }

  /// The product that a receipt names. RevenueCat's libraries for Android send a list with one product.
  var product: String {
    get throws(Problem) {
      guard let list = members["product_ids"]?.listValue else { return try text("product_id") }
      guard list.count == 1, let product = list[0].stringValue else {
        throw Problem(
          .malformedRequest, "product_ids holds \(list.count) products; a receipt of the Test Store is for one.", pointer: "/product_ids")
      }
      return product
    }
  }
}
