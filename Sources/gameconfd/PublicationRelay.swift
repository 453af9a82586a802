// Lets the live world be made before the server that shows it.

import GameConfEngine
import Synchronization

/// Passes worlds on to whoever follows; until then they are only kept by the live world itself.
final class PublicationRelay: WorldPublication {
  private let target = Mutex<(any WorldPublication)?>(nil)

  /// Passes all worlds from now on to this one.
  func follow(_ publication: any WorldPublication) { target.withLock { $0 = publication } }

  func publish(_ world: World) async {
    let target = target.withLock { $0 }
    await target?.publish(world)
  }
}
