// The two ways of a connection's bytes: directly to the socket, or through the channel.

import Glibc
import NIOCore
import NIOEmbedded
import Testing

@testable import GameConfServer

@Suite("Bytes that are written to a connection's socket")
struct SocketOutletTests {
  /// An outlet over one end of a socket pair. The test can look at the bytes that went through its embedded channel.
  private final class SocketPairOutlet {
    let channel = EmbeddedChannel()
    let outlet: SocketOutlet
    private let near: Int32
    private let far: Int32

    init() throws {
      var ends: [Int32] = [-1, -1]
      try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
      (near, far) = (ends[0], ends[1])
      try channel.connect(to: SocketAddress(unixDomainSocketPath: "x")).wait()
      outlet = SocketOutlet(channel, descriptor: near)
    }

    deinit {
      close(near)
      close(far)
    }

    /// Returns the bytes that the client has received.
    func received() -> [UInt8] {
      var all: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let count = recv(far, &chunk, chunk.count, Int32(MSG_DONTWAIT))
        if count <= 0 { return all }
        all += chunk[..<count]
      }
    }

    /// Returns the bytes that went through the channel.
    func channelled() throws -> [UInt8] {
      var all: [UInt8] = []
      while let bytes = try channel.readOutbound(as: ByteBuffer.self) { all += bytes.readableBytesView }
      return all
    }
  }

  @Test("bytes go directly to the socket if the NIO channel has queued no bytes")
  func direct() throws {
    let pair = try SocketPairOutlet()
    #expect(pair.outlet.send(ByteBuffer(string: "first ")) == 0)
    #expect(pair.outlet.send(Array("second".utf8)) == 0)
    #expect(pair.received() == Array("first second".utf8))
    #expect(try pair.channelled().isEmpty)
  }

  @Test("bytes that the socket does not take go through the NIO channel, and no byte is sent twice", arguments: [false, true])
  func partly(asArray: Bool) throws {
    let pair = try SocketPairOutlet()
    let bytes = (0..<4_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    let waiting = asArray ? pair.outlet.send(bytes) : pair.outlet.send(ByteBuffer(bytes: bytes))
    let taken = pair.received()
    #expect(waiting > 0 && waiting + taken.count == bytes.count)
    #expect(!pair.outlet.isDrained)
    #expect(try taken + pair.channelled() == bytes)
    // The channel has sent everything, so further bytes go directly to the socket.
    #expect(pair.outlet.send(Array("next".utf8)) == 0)
    #expect(pair.received() == Array("next".utf8))
  }

  @Test("bytes do not overtake earlier ones in the NIO channel's queue")
  func behind() throws {
    let pair = try SocketPairOutlet()
    #expect(pair.outlet.send([UInt8](repeating: 7, count: 4_000_000)) > 0)
    _ = (pair.received(), try pair.channelled())
    // An embedded channel queues bytes until a flush, as a real one does while its socket is full.
    pair.channel.write(ByteBuffer(bytes: [1, 2]), promise: nil)
    #expect(pair.outlet.send([3]) == 1)
    #expect(pair.received().isEmpty)
    #expect(try pair.channelled() == [1, 2, 3])
  }

  @Test("after a channel is closed, nothing is written to its descriptor, which may belong to another connection by then")
  func closed() throws {
    let pair = try SocketPairOutlet()
    _ = try pair.channel.finish(acceptAlreadyClosed: true)
    #expect(pair.outlet.send(Array("secret".utf8)) == 6)
    #expect(pair.received().isEmpty)
  }
}
