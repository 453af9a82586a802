// Accepts connections of one subnet on one private address. Each connection has a thread and one request.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// A listening socket on an address of this host.
///
/// Linux accepts packets for an address on every interface, so a peer of another subnet may connect: its connection is closed unread. A connection
/// whose head is incomplete takes one of few slots. Each address has a share of them, so that a peer that sends slowly does not block others.
final class NetworkListener: Sendable {
  /// A connection whose head has arrived.
  struct Arrival {
    let client: Int32
    let peer: UInt32
    let head: String
    /// The bytes that arrived behind the head.
    let rest: [UInt8]
  }

  /// The number of connections at a time whose head is incomplete.
  static let headsMax = 64
  /// The number of connections of one address at a time whose head is incomplete.
  static let headsOfAddressMax = 8
  /// The number of requests at a time. Their connections are also counted by device.
  static let requestsMax = 256

  let address: NetworkAddress
  let port: Int
  private let listener: Int32
  private let heads = Mutex<[UInt32: Int]>([:])
  private let requests = Atomic(0)

  /// Starts to listen.
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

  /// Accepts connections until the process ends.
  /// - Parameter serve: Answers a request; called on a thread of the connection.
  func run(_ serve: @escaping @Sendable (Arrival) -> Void) {
    while true {
      var peer = sockaddr_in()
      var length = socklen_t(MemoryLayout<sockaddr_in>.size)
      let client = withUnsafeMutablePointer(to: &peer) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { accept(listener, $0, &length) }
      }
      if client < 0 {
        // All descriptors are in use, or the connection has ended already.
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

  /// Takes a slot for a head; returns false if all are taken.
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
