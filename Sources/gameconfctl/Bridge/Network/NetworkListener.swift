// Accepts connections of one subnet on one private address. A thread for each connection, one request on each.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// A listening socket on an address of this host.
///
/// Linux answers for an address on every interface, so that a peer of another subnet may arrive: it is closed unread. A connection without a complete
/// head takes one of few slots, of which one address has a share, so that a peer that sends slowly stops no others.
final class NetworkListener: Sendable {
  /// A connection whose head has come.
  struct Arrival {
    let client: Int32
    let peer: UInt32
    let head: String
    /// The bytes behind the head.
    let rest: [UInt8]
  }

  /// Connections at once whose head has not come.
  static let headsMax = 64
  /// The same, of one address.
  static let headsOfAddressMax = 8
  /// Requests at once, whose connections are counted by device besides.
  static let requestsMax = 256

  let address: NetworkAddress
  let port: Int
  private let listener: Int32
  private let heads = Mutex<[UInt32: Int]>([:])
  private let requests = Atomic(0)

  /// Listens.
  /// - Parameter port: 0 for any.
  init(_ address: NetworkAddress, port: Int) throws(Fault) {
    do throws(Fault) {
      (listener, self.port) = try LoopbackListener.listen(on: address.bits, port: port)
    } catch {
      throw Fault("\(address.text):\(port) cannot be opened for listening: \(error.message)")
    }
    self.address = address
  }

  deinit { close(listener) }

  /// Accepts until the process ends.
  /// - Parameter serve: Answers a request; called on a thread of its own.
  func run(_ serve: @escaping @Sendable (Arrival) -> Void) {
    while true {
      var peer = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let client = withUnsafeMutablePointer(to: &peer) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &length) }
      }
      if client < 0 {
        // No descriptor is free, or the connection has ended already.
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
        defer { close(client) }
        let head = LoopbackListener.readHead(client)
        end(bits)
        guard let head else { return }
        guard requests.add(1, ordering: .relaxed).newValue <= Self.requestsMax else {
          requests.subtract(1, ordering: .relaxed)
          return
        }
        defer { requests.subtract(1, ordering: .relaxed) }
        BlockingSocket.setTimeout(client, seconds: 30)
        serve(Arrival(client: client, peer: bits, head: head.head, rest: head.rest))
      }
    }
  }

  /// Takes a slot for a head; false if none is free.
  private func begin(_ peer: UInt32) -> Bool {
    heads.withLock { heads in
      guard heads.values.reduce(0, +) < Self.headsMax, heads[peer, default: 0] < Self.headsOfAddressMax else { return false }
      heads[peer, default: 0] += 1
      return true
    }
  }

  private func end(_ peer: UInt32) {
    heads.withLock { heads in
      let left = heads[peer, default: 1] - 1
      heads[peer] = left > 0 ? left : nil
    }
  }
}
