// Collects all routes of Firebase Remote Config's clients for the daemon.

internal import GameConfAPI
package import GameConfHTTP
internal import GameConfServer

typealias Request = GameConfServer.Request<DaemonApp>
typealias Reply = GameConfServer.Reply<DaemonApp>

/// The routes that Firebase's client and admin libraries call.
package struct FirebaseRoutes: Sendable {
  private let services: DaemonServices

  package init(services: DaemonServices) { self.services = services }

  /// The routes and their limits for the daemon's list of other protocols. In the OpenAPI document they follow the call
  /// `putTemplateSource`.
  package var face: FaceRoutes {
    FaceRoutes(
      FirebaseTemplateRoutes(services: services).routes + FirebaseFetchRoutes(services: services).routes,
      after: Calls.putTemplateSource.endpoint.id, limits: FirebaseLimits.wire)
  }
}
