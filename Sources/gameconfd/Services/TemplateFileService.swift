// Looks at the files that catalogs read their templates from.

import GameConfEngine
import GameConfStorage
import ServiceLifecycle

/// Looks at the files each half second.
struct TemplateFileService: Service {
  let follow: FollowTemplateFiles
  let clock: any HostClock

  func run() async throws {
    for await _ in HalfSeconds().cancelOnGracefulShutdown() { await follow.look(now: clock.now) }
  }
}
