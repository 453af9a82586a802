// The route that lists a game's products at the simulated store.

internal import GameConfAPI
internal import GameConfCore
internal import GameConfEngine
import GameConfStorage

struct ProductRoutes {
  let services: DaemonServices

  var routes: [CallRoute] {
    [
      CallRoute(Calls.products) { call throws(Problem) in try products(call) },
      CallRoute(Calls.offerings) { call throws(Problem) in
        let game = try call.game.snapshot
        return .now(.ok(game.catalog.offeringList, game.revisions))
      },
    ]
  }

  private func products(_ call: CallContext<NoBody>) throws(Problem) -> TypedReply<ProductList> {
    let game = try call.game.snapshot
    let loaded = TypedAnswer.ok(game.catalog.productList(in: call.locale(.anyLocale)), game.revisions)
    guard let player = call.text(.player) else { return .now(loaded) }
    let id = PlayerID(game: game.game, player: player)
    let change = try call.playerChange(reason: nil, now: services.clock.now)
    return .task { () async throws(Problem) in
      do throws(ChangeRefusal) {
        let view = try await services.players.view(id, host: change.now)
        guard view.ledger.behaviour.failures[.loadProducts] != nil else { return loaded }
        // The database transaction checks again that loading fails, because another call may have used up the last simulated failure since
        // the read.
        guard case .fresh(let changed) = try await services.players.change(id, .shop(.loadProducts), change),
          let error = changed.outcome.error
        else { return loaded }
        return .ok(ProductList(game: game.game, products: [], error: error.rawValue), changed.revisions(of: game))
      } catch { throw Problem(error) }
    }
  }
}

extension Catalog {
  /// - Parameter locale: The language of the products' names; nil for the game's first language, `*` for all languages.
  fileprivate func productList(in locale: String?) -> ProductList {
    let grants = ProductGrants(self)
    let locales = locale == "*" ? nil : LocaleLookup.order(for: locale, among: locales)
    return ProductList(game: game, products: products.map { wire(of: $0, grants, in: locales) })
  }

  private func wire(of product: Product, _ grants: ProductGrants, in locales: [String]?) -> WireProduct {
    let name: Value =
      if let locales { .string(product.name.first(in: locales) ?? product.id) } else { .object(Self.texts(product.name)) }
    return WireProduct(
      id: product.id, storeID: storeID(of: product), type: product.kind.rawValue, name: name, price: Self.texts(product.price),
      grants: grants.entitlements(ofProduct: product.id), includesAll: product.includesAll, isFamilyShareable: product.isFamilyShareable,
      renewal: product.subscription.map { subscription in
        WireProduct.Renewal(
          group: subscription.group, level: Int64(subscription.level), period: subscription.period.text,
          intro: subscription.intro.map { intro in
            ProductIntro(
              mode: intro.mode.rawValue, period: intro.period.text, periods: Int64(intro.periods), price: Self.texts(intro.price))
          }, gracePeriod: subscription.gracePeriod?.text)
      })
  }

  private static func texts(_ texts: [String: String]) -> ObjectValue {
    ObjectValue(texts.sorted { $0.key < $1.key }.map { ($0.key, Value.string($0.value)) })
  }

  fileprivate var offeringList: OfferingList {
    OfferingList(
      game: game, current: currentOffering?.id,
      offerings: offerings.map { offering in
        WireOffering(
          id: offering.id,
          packages: offering.packages.map { package in
            let sold = products.first { $0.id == package.product }
            return OfferingPackage(id: package.id, product: package.product, price: sold.map { Self.texts($0.price) } ?? ObjectValue())
          })
      })
  }
}
