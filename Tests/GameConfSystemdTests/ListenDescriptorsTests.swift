// Adoption of handed-over sockets: real ones, at the real numbers, each in a process of its own.

import Glibc
import Testing

@testable import GameConfSystemd

@Suite("Sockets handed over by the manager")
struct ListenDescriptorsTests {
  @Test("sockets are found by name, whatever their order, and the variables are gone afterwards")
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

  @Test("what was meant for another process is not taken")
  func otherProcess() async {
    await #expect(processExitsWith: .success) {
      handOver([listeningUnixSocket(): "games"])
      setenv("LISTEN_PID", "1", 1)
      demand(adopt().all.isEmpty, "taken")
    }
  }

  @Test("without a manager there is nothing")
  func noManager() async {
    await #expect(processExitsWith: .success) {
      unsetenv("LISTEN_FDS")
      demand(adopt().all.isEmpty, "something")
    }
  }

  @Test("a descriptor of the wrong kind is refused by its name")
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

  @Test("a name that was given twice is refused, and unknown names are reported")
  func twice() async {
    await #expect(processExitsWith: .success) {
      handOver([listeningUnixSocket(): "games", listeningUnixSocket(): "games"])
      let handed = adopt()
      demand(failure(handed, "games", .unixStream) == .several(name: "games"), "several")
      demand(handed.names(besides: ["games", "filler"]).isEmpty, "no others")
      demand(handed.names(besides: ["admin", "filler"]) == ["games", "games"], "others")
    }
  }

  @Test("variables that nobody sane sets are an error", arguments: ["-3", "x", "2147483647", ""])
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
  // Bound without a name the kernel chooses one in the abstract name space.
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let bound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(MemoryLayout<sa_family_t>.size)) }
  }
  demand(bound == 0 && listen(descriptor, 8) == 0, "listen: \(errno)")
  return descriptor
}

/// Says in the variables that everything from 3 up to the last of these was handed over; what is between is filled and named `filler`.
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

private func found(_ handed: ListenDescriptors, _ name: String, _ kind: ListenDescriptors.Kind) -> Int32? {
  do throws(ListenDescriptorsError) {
    return try handed.socket(named: name, as: kind)
  } catch {
    demand(false, "\(error)")
    return nil
  }
}

private func failure(_ handed: ListenDescriptors, _ name: String, _ kind: ListenDescriptors.Kind) -> ListenDescriptorsError? {
  do throws(ListenDescriptorsError) {
    _ = try handed.socket(named: name, as: kind)
    return nil
  } catch {
    return error
  }
}
