// Runs the bridge for phones that a user starts on the panel's page. It is another gameconfctl process, which ends with the panel.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// Starts `gameconfctl bridge --network`, and gives its messages to the panel's page.
final class NetworkBridgeProcess: Sendable {
  /// An order to the bridge that the panel's page sends as JSON.
  enum BridgeCommand: Equatable {
    /// Starts the bridge for a game, optionally with a player for the phones and an address to listen on.
    case start(game: String, player: String?, address: String?)
    /// Opens a pairing code, which replaces the code that was open.
    case code
    /// Removes a paired device, so that its token is no longer valid.
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

  private struct BridgeProcessState {
    var process: pid_t?
    /// The messages that the bridge has printed, the newest last.
    var said: [String] = []
    /// A number that rises with each change of this state, so that the page can wait for the next change.
    var number = 0
    /// The link with the pairing code that a phone opens to be paired.
    var link: String?
  }

  /// The maximum number of the bridge's messages that the page shows.
  private static let linesMax = 20
  /// The longest time that a request waits for a change of the state, in units of ``pieceMicroseconds``.
  private static let waitPieces = 200
  private static let pieceMicroseconds: UInt32 = 100_000
  /// The longest time that a bridge may take to start, in units of ``pieceMicroseconds``. A busy host slows the start down.
  private static let startPieces = 600
  private static let stopPieces = 100

  /// The path of the games socket to which the bridge forwards requests. It belongs to the same daemon as the panel's admin socket.
  private let gamesSocket: String
  private let state = Mutex(BridgeProcessState())

  init(gamesSocket: String) { self.gamesSocket = gamesSocket }

  var isRunning: Bool { state.withLock { $0.process != nil } }

  /// Executes an order of the panel's page.
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

  /// Ends the bridge's process, and waits up to ten seconds until it has ended.
  func stop() {
    guard let process = state.withLock({ $0.process }) else { return }
    kill(process, SIGTERM)
    for _ in 0..<Self.stopPieces where isRunning { usleep(Self.pieceMicroseconds) }
  }

  /// Waits until the state has changed, for some seconds at most, and returns it for the page.
  /// - Parameter number: The number of the state that the page shows at present.
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

  private func change(_ body: (inout BridgeProcessState) -> Void) {
    state.withLock { state in
      body(&state)
      state.number += 1
    }
  }

  private func openCode() throws(Fault) {
    // The bridge's private socket appears shortly after its program has started, so the request is repeated until then.
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
      $0 = BridgeProcessState(process: started, number: $0.number)
    }
    OwnThread.start { [self] in follow(started, said) }
  }

  /// Reads the bridge's messages until the bridge ends, and then reaps its process.
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
