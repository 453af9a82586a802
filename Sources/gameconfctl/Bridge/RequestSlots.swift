// The slots for the admitted requests of a listening socket.

import GameConfTransport
import Glibc
import Synchronization

/// The limit of admitted requests of one listening socket. Connections whose request has not been admitted yet are counted separately, so
/// they cannot use up this limit.
final class RequestSlots: Sendable {
  /// The maximum number of admitted requests at the same time.
  static let countMax = 256

  private let taken = Atomic(0)

  /// Reads the head of a connection's request, serves the request, and closes the connection.
  /// - Parameter admitting: Called once, when the request is admitted or the connection ends. From then on the connection no longer counts
  ///   as one that waits for admission.
  func handle(_ client: Int32, admitting: @escaping () -> Void, _ serve: (LoopbackListener.PendingConnection) -> Void) {
    var isWaiting = true
    var isAdmitted = false
    func stopWaiting() {
      if isWaiting { admitting() }
      isWaiting = false
    }
    defer {
      stopWaiting()
      if isAdmitted { taken.subtract(1, ordering: .relaxed) }
      close(client)
    }
    guard let (head, rest) = LoopbackListener.readHead(client) else { return }
    BlockingSocket.setTimeout(client, seconds: 30)
    serve(
      LoopbackListener.PendingConnection(client: client, head: head, rest: rest) { [self] in
        stopWaiting()
        guard taken.add(1, ordering: .relaxed).newValue <= Self.countMax else {
          taken.subtract(1, ordering: .relaxed)
          return false
        }
        isAdmitted = true
        return true
      })
  }
}
