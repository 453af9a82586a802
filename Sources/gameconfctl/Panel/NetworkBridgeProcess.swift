// The bridge for phones that the page starts: another gameconfctl process, which ends with the panel.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// Starts `gameconfctl bridge --network`, and forwards its output to the page.
final class NetworkBridgeProcess: Sendable {
  /// An order of the page, which it sends as JSON.
  enum BridgeCommand: Equatable {
    /// Starts the bridge for a game, and optionally for a player and on an address.
    case start(game: String, player: String?, address: String?)
    /// Opens a pairing code, which replaces the open one.
    case code
    /// Removes a paired device.
    case end(device: Int64)
    case stop

    init?(_ body: Value) {
      if let game = body["start"]?.stringValue {
        self = .start(game: game, player: body["player"]?.stringValue, address: body["address"]?.stringValue)
      } else if let device = body["end"]?.integerValue {
        self = .end(device: device)
      } else if body["code"] == true {
        self = .code
      } else if body["stop"] == true {
        self = .stop
      } else {
        return nil
      }
    }
  }

  private struct State {
    var process: pid_t?
    /// The bridge's messages, the newest last.
    var said: [String] = []
    /// The counter of changes to this state, by which the page detects a new one.
    var number = 0
    /// The link that pairs a phone, with its code.
    var link: String?
  }

  /// The number of the bridge's latest messages that the page shows.
  private static let linesMax = 20
  /// The longest wait for a change, in units of ``pieceMicroseconds``.
  private static let waitPieces = 200
  private static let pieceMicroseconds: UInt32 = 100_000
  /// The longest wait for the start of a bridge, which a busy host slows down.
  private static let startPieces = 600
  private static let stopPieces = 100

  /// The path of the games socket to which the bridge forwards: that of the panel's daemon.
  private let gamesSocket: String
  private let state = Mutex(State())

  init(gamesSocket: String) { self.gamesSocket = gamesSocket }

  var isRunning: Bool { state.withLock { $0.process != nil } }

  /// Carries out an order of the page.
  func obey(_ order: BridgeCommand) throws(Fault) {
    switch order {
    case .start(let game, let player, let address):
      guard !isRunning else { throw Fault("A bridge runs already; end it first.") }
      try start(game: game, player: player, address: address)
      try openCode()
    case .code: try openCode()
    case .end(let device): _ = ask(["end": .integer(device)])
    case .stop: stop()
    }
    change { _ in }
  }

  /// Ends the bridge's process, and waits some seconds for its end.
  func stop() {
    guard let process = state.withLock({ $0.process }) else { return }
    kill(process, SIGTERM)
    for _ in 0..<Self.stopPieces where isRunning { usleep(Self.pieceMicroseconds) }
  }

  /// Returns the state for the page, after a change or after some seconds without one.
  /// - Parameter number: The counter of changes in the state that the page shows now.
  func shown(after number: Int64) -> Value {
    for _ in 0..<Self.waitPieces where state.withLock({ Int64($0.number) }) == number { usleep(Self.pieceMicroseconds) }
    let bridge = ask([:])
    return state.withLock { state in
      var shown: ObjectValue = [
        "number": .integer(Int64(state.number)), "said": .list(state.said.map(Value.string)),
        "addresses": .list(NetworkAddress.ofHost().map { ["address": .string($0.text), "interface": .string($0.interface)] }),
      ]
      guard state.process != nil, let bridge else { return .object(shown) }
      shown["bridge"] = bridge
      if bridge["code_open"] == true, let link = state.link, let code = QRCode(link) {
        shown["link"] = .string(link)
        shown["picture"] = ["side": .integer(Int64(QRCode.columns)), "path": .string(code.path)]
      }
      return .object(shown)
    }
  }

  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      state.number += 1
    }
  }

  private func openCode() throws(Fault) {
    // The socket appears shortly after the program has started.
    for _ in 0..<Self.startPieces where isRunning {
      if let link = ask(["code": true])?["link"]?.stringValue { return change { $0.link = link } }
      usleep(Self.pieceMicroseconds)
    }
    throw Fault("The bridge did not start: \(state.withLock { $0.said.last } ?? "it says nothing")")
  }

  private func ask(_ question: Value) -> Value? {
    guard let process = state.withLock({ $0.process }) else { return nil }
    return DeviceSocket.ask(question, DeviceSocket.path(of: process))
  }

  private func start(game: String, player: String?, address: String?) throws(Fault) {
    var command = ["gameconfctl", "bridge", "--network", "--until-parent-ends", "--socket=\(gamesSocket)", "--game=\(game)"]
    if let player { command.append("--player=\(player)") }
    if let address { command.append("--address=\(address)") }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Fault("no pipe can be made: \(String(cString: strerror(errno)))") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    defer { close(ends[1]) }
    var words = command.map { strdup($0) } + [nil]
    defer { for word in words { free(word) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO)
    var process: pid_t = 0
    let code = ChildCommand.withUsualSignals { posix_spawn(&process, "/proc/self/exe", &actions, &$0, &words, environ) }
    guard code == 0 else {
      close(ends[0])
      throw Fault("the bridge cannot be started: \(String(cString: strerror(code)))")
    }
    let (started, said) = (process, ends[0])
    change {
      $0 = State(process: started, number: $0.number)
    }
    OwnThread.start { [self] in follow(started, said) }
  }

  /// Reads the bridge's output until it ends.
  private func follow(_ process: pid_t, _ said: Int32) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(said, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      rest += buffer[..<count]
      while let end = rest.firstIndex(of: 10) {
        let line = String(decoding: rest[..<end], as: UTF8.self)
        rest.removeSubrange(...end)
        change { $0.said = ($0.said + [line]).suffix(Self.linesMax) }
      }
    }
    close(said)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    change {
      $0.process = nil
      $0.link = nil
    }
  }
}
