// The slots for admitted requests of a listener.

import GameConfTransport
import Glibc
import Synchronization

/// The limit of admitted requests of one listener. Connections whose request is not admitted yet are limited by the listener itself, so
/// they take no slot from admitted requests.
final class RequestSlots: Sendable {
  /// The number of admitted requests at a time.
  static let countMax = 256

  private let taken = Atomic(0)

  /// Reads the head of a connection, serves it, and closes it.
  /// - Parameter admitting: Called once, when the request is admitted or the connection ends, to free its slot among the connections that
  ///   wait.
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
