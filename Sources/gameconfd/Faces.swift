// The faces: other protocols than the daemon's own, each served by a module that only this file imports. To remove a face, delete its
// import and its line.

import GameConfFirebase
import GameConfHTTP
import GameConfOFREP
import GameConfRevenueCat

extension DaemonServices {
  /// The routes of other protocols, in the order in which they are added to the daemon's own routes.
  var faces: [FaceRoutes] {
    [
      OFREPRoutes(services: self).face,  // GameConfOFREP
      FirebaseRoutes(services: self).face,  // GameConfFirebase
      RevenueCatRoutes(services: self).face,  // GameConfRevenueCat
    ]
  }
}
