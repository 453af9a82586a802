// Accepts connections of one subnet on one private address. Each connection has its own thread and one request.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// A listening socket on a private address of this host.
///
/// Linux accepts packets for an address on every interface, so a peer of another subnet may connect: its connection is closed unread. At
/// most ``waitingMax`` connections may have a request that is not admitted yet, and at most ``waitingOfAddressMax`` of these may have the
/// same peer address. So a peer that sends slowly does not block others.
final class NetworkListener: Sendable {
  /// The maximum number of connections whose request has not been admitted yet.
  static let waitingMax = 64
  /// The maximum number of connections from one peer address whose request has not been admitted yet.
  static let waitingOfAddressMax = 8

  let address: NetworkAddress
  let port: Int
  private let listener: Int32
  private let waiting = Mutex<[UInt32: Int]>([:])
  /// The limit of admitted requests of all devices together. ``DevicePairing`` also limits the connections of each device.
  private let slots = RequestSlots()

  /// Starts to listen on an address of this host.
  /// - Parameter port: The port; 0 lets the system choose a free one.
  init(_ address: NetworkAddress, port: Int) throws(Fault) {
    do throws(Fault) {
      (listener, self.port) = try LoopbackListener.listen(on: address.bits, port: port)
    } catch {
      throw Fault("\(address.text):\(port) cannot be opened for listening: \(error.message)")
    }
    self.address = address
  }

  deinit { close(listener) }

  /// Accepts connections until the process ends.
  /// - Parameter serve: Responds to a request. It is called on the connection's own thread.
  func run(_ serve: @escaping @Sendable (LoopbackListener.PendingConnection, _ peer: UInt32) -> Void) {
    while true {
      var peer = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let client = withUnsafeMutablePointer(to: &peer) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &length) }
      }
      if client < 0 {
        // If all descriptors are in use, accept() fails until one is closed. The pause prevents a busy loop.
        if errno != EINTR, errno != ECONNABORTED { usleep(10_000) }
        continue
      }
      _ = fcntl(client, F_SETFD, FD_CLOEXEC)
      let bits = UInt32(bigEndian: peer.sin_addr.s_addr)
      guard address.isNeighbour(bits), begin(bits) else {
        close(client)
        continue
      }
      OwnThread.start { [self] in
        slots.handle(client, admitting: { [self] in end(bits) }) { serve($0, bits) }
      }
    }
  }

  /// Counts a connection whose request is not admitted yet. Returns false if its peer address, or all peers together, have reached their
  /// limit.
  private func begin(_ peer: UInt32) -> Bool {
    waiting.withLock { waiting in
      guard waiting.values.reduce(0, +) < Self.waitingMax, waiting[peer, default: 0] < Self.waitingOfAddressMax else { return false }
      waiting[peer, default: 0] += 1
      return true
    }
  }

  private func end(_ peer: UInt32) {
    waiting.withLock { waiting in
      let left = waiting[peer, default: 1] - 1
      waiting[peer] = left > 0 ? left : nil
    }
  }
}
