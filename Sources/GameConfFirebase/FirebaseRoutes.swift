// All routes of Firebase Remote Config's clients, with their place among the daemon's routes.

internal import GameConfAPI
package import GameConfHTTP
internal import GameConfServer

typealias Request = GameConfServer.Request<DaemonApp>
typealias Reply = GameConfServer.Reply<DaemonApp>

/// The routes that Firebase's client and admin libraries call.
package struct FirebaseRoutes: Sendable {
  private let services: DaemonServices

  package init(services: DaemonServices) { self.services = services }

  /// The routes with the call that they follow in the OpenAPI document, and with their limits.
  package var face: FaceRoutes {
    FaceRoutes(
      FirebaseTemplateRoutes(services: services).routes + FirebaseFetchRoutes(services: services).routes,
      after: Calls.putTemplateSource.endpoint.id, limits: FirebaseLimits.wire)
  }
}
