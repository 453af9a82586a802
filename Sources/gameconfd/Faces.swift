// The faces: other protocols, each served by a module that only this file imports. A face is removed with its import and its line.

import GameConfFirebase
import GameConfHTTP
import GameConfOFREP
import GameConfRevenueCat

extension DaemonServices {
  /// The routes by which other protocols are served, in the order in which they are added to the daemon's.
  var faces: [FaceRoutes] {
    [
      OFREPRoutes(services: self).face,  // GameConfOFREP
      FirebaseRoutes(services: self).face,  // GameConfFirebase
      RevenueCatRoutes(services: self).face,  // GameConfRevenueCat
    ]
  }
}
