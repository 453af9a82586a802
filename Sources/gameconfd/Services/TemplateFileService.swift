// Polls the template files that catalogs name, and reads a file when it has changed.

import GameConfEngine
import GameConfStorage
import ServiceLifecycle

/// Polls the template files every half second.
struct TemplateFileService: Service {
  let follow: FollowTemplateFiles
  let clock: any HostClock

  func run() async throws {
    for await _ in HalfSeconds().cancelOnGracefulShutdown() { await follow.look(now: clock.now) }
  }
}
