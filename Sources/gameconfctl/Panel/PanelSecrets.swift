// The secret keys of the games, as their catalogs declare them.

import GameConfAPI
import GameConfCore
import Synchronization

/// Reads which keys of a game are secret. A game's catalog is requested before each use, with the entity tag of the catalog that was read
/// last, so that a key is hidden as soon as it becomes secret.
final class PanelSecrets: Sendable {
  /// The daemon's answer to a GET of a target. Its body is nil if it has none, or if it is not JSON.
  struct CatalogResponse {
    var status: Int
    var tag: String?
    var body: Value?
  }

  private let known = Mutex<[String: (tag: String, filter: SecretFilter)]>([:])
  private let read: @Sendable (_ target: String, _ tag: String?) -> CatalogResponse?

  /// - Parameter read: Reads a target of the daemon, under `If-None-Match` if a tag is given. Returns nil if the daemon does not answer.
  init(_ read: @escaping @Sendable (_ target: String, _ tag: String?) -> CatalogResponse?) { self.read = read }

  /// Returns the filter that hides the secret values of a game. If the catalog cannot be read now, returns the filter of the catalog that
  /// was read last. Returns nil if no catalog was read; then no value may be shown.
  /// - Parameter game: The game's id, percent-encoded as in a target.
  func filter(for game: String) -> SecretFilter? {
    let former = known.withLock { $0[game] }
    guard let response = read("/v1/games/\(game)/catalog", former?.tag) else { return former?.filter }
    if response.status == 404 { return former?.filter ?? SecretFilter(keys: []) }
    guard response.status == 200, let catalog = response.body else { return former?.filter }
    // A key that the new catalog no longer has stays hidden, because the log has its former values.
    let filter = SecretFilter(keys: SecretFilter(catalog: catalog).keys.union(former?.filter.keys ?? []))
    known.withLock { $0[game] = (response.tag ?? "\"\"", filter) }
    return filter
  }

  /// Returns the filter that hides the secret values of every game, for answers that are about several games; nil if no value may be shown.
  func filterOfAllGames() -> SecretFilter? {
    guard let response = read(Calls.games.target(), nil), response.status == 200, let games = response.body?["games"]?.listValue else {
      return nil
    }
    var keys: Set<String> = []
    for game in games {
      guard let id = game["game"]?.stringValue, let filter = filter(for: PercentEncoding.encode(id)) else { return nil }
      keys.formUnion(filter.keys)
    }
    return SecretFilter(keys: keys)
  }
}
