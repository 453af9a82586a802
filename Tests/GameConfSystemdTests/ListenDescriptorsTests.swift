// Socket activation with real sockets at the real descriptor numbers. Each test runs in its own process.

import Glibc
import Testing

@testable import GameConfSystemd

@Suite("Sockets handed over by the manager")
struct ListenDescriptorsTests {
  @Test("passed sockets are found by name in any order, and the LISTEN_ variables are removed")
  func byName() async {
    await #expect(processExitsWith: .success) {
      let games = listeningUnixSocket()
      let admin = listeningUnixSocket()
      handOver([games: "games", admin: "admin"])
      let handed = adopt()
      demand(found(handed, "games", .unixStream) == games, "games")
      demand(found(handed, "admin", .unixStream) == admin, "admin")
      demand(found(handed, "metrics", .tcpStream) == nil, "metrics")
      demand(fcntl(games, F_GETFD) & FD_CLOEXEC != 0, "close-on-exec")
      demand(getenv("LISTEN_FDS") == nil && getenv("LISTEN_PID") == nil && getenv("LISTEN_FDNAMES") == nil, "variables")
      demand(adopt().all.isEmpty, "adopted twice")
    }
  }

  @Test("sockets passed to another process are not taken")
  func otherProcess() async {
    await #expect(processExitsWith: .success) {
      handOver([listeningUnixSocket(): "games"])
      setenv("LISTEN_PID", "1", 1)
      demand(adopt().all.isEmpty, "taken")
    }
  }

  @Test("without a service manager there are no passed sockets")
  func noManager() async {
    await #expect(processExitsWith: .success) {
      unsetenv("LISTEN_FDS")
      demand(adopt().all.isEmpty, "something")
    }
  }

  @Test("a passed descriptor that is not the expected kind of socket is an error that names it")
  func wrongKind() async {
    await #expect(processExitsWith: .success) {
      var pair: [Int32] = [0, 0]
      demand(pipe(&pair) == 0, "pipe")
      let unix = listeningUnixSocket()
      let unbound = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
      handOver([pair[0]: "games", unix: "metrics", unbound: "admin"])
      let handed = adopt()
      demand(failure(handed, "games", .unixStream) == .wrongKind(name: "games", number: pair[0], expected: .unixStream), "a pipe")
      demand(failure(handed, "metrics", .tcpStream) == .wrongKind(name: "metrics", number: unix, expected: .tcpStream), "not TCP")
      demand(failure(handed, "admin", .unixStream) == .wrongKind(name: "admin", number: unbound, expected: .unixStream), "not listening")
    }
  }

  @Test("two passed sockets of one name are an error, and unknown names are reported")
  func twice() async {
    await #expect(processExitsWith: .success) {
      handOver([listeningUnixSocket(): "games", listeningUnixSocket(): "games"])
      let handed = adopt()
      demand(failure(handed, "games", .unixStream) == .several(name: "games"), "several")
      demand(handed.names(besides: ["games", "filler"]).isEmpty, "no others")
      demand(handed.names(besides: ["admin", "filler"]) == ["games", "games"], "others")
    }
  }

  @Test("a malformed LISTEN_FDS is an error", arguments: ["-3", "x", "2147483647", ""])
  func broken(count: String) async {
    await #expect(processExitsWith: .success) { [count] in
      setenv("LISTEN_PID", "\(getpid())", 1)
      setenv("LISTEN_FDS", count, 1)
      do throws(ListenDescriptorsError) {
        _ = try ListenDescriptors.adopt()
        demand(false, "adopted")
      } catch {
        demand(error.description.contains("LISTEN_FDS"), "\(error)")
      }
    }
  }
}

private func listeningUnixSocket() -> Int32 {
  let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
  // bind() with the family only makes the kernel choose a name in the abstract namespace.
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size)) }
  }
  demand(bound == 0 && listen(descriptor, 8) == 0, "listen: \(errno)")
  return descriptor
}

/// Sets the variables as systemd does for descriptors 3 to the highest of these; descriptors between them are opened and named `filler`.
private func handOver(_ names: [Int32: String]) {
  let last = names.keys.max() ?? 2
  for number in 3...max(3, last) where fcntl(number, F_GETFD) < 0 { dup2(2, number) }
  setenv("LISTEN_PID", "\(getpid())", 1)
  setenv("LISTEN_FDS", "\(last - 2)", 1)
  setenv("LISTEN_FDNAMES", (3...last).map { names[$0] ?? "filler" }.joined(separator: ":"), 1)
}

private func adopt() -> ListenDescriptors {
  do throws(ListenDescriptorsError) {
    return try ListenDescriptors.adopt()
  } catch {
    demand(false, "\(error)")
    _exit(1)
  }
}

private func found(_ handed: ListenDescriptors, _ name: String, _ kind: ListenDescriptors.ListenSocketKind) -> Int32? {
  do throws(ListenDescriptorsError) {
    return try handed.socket(named: name, as: kind)
  } catch {
    demand(false, "\(error)")
    return nil
  }
}

private func failure(_ handed: ListenDescriptors, _ name: String, _ kind: ListenDescriptors.ListenSocketKind) -> ListenDescriptorsError? {
  do throws(ListenDescriptorsError) {
    _ = try handed.socket(named: name, as: kind)
    return nil
  } catch {
    return error
  }
}
