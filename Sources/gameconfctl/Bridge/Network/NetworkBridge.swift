// The bridge for paired phones: a private address in front of the daemon's games socket.

import GameConfCore
import GameConfTransport
import Glibc
import Synchronization

/// Forwards calls about one game from paired phones to the daemon's games socket.
final class NetworkBridge: Sendable {
  /// An event of the bridge that is shown on its terminal.
  enum BridgeEvent: Equatable {
    case paired(name: String, address: String)
    case wrongCode(address: String, guessesLeft: Int)
    case codeEnded(address: String)
    case newAddress(name: String, address: String)
    case addressGone
    case addressBack
  }

  /// A paired device as lists show it, with times relative to now.
  struct ListedDevice {
    let number: Int
    let name: String
    let addresses: [String]
    /// The milliseconds since the device's last request.
    let idle: Int64
    /// The milliseconds until the device's token expires.
    let left: Int64
  }

  let listener: NetworkListener
  let game: String
  private let player: String?
  private let gate: NetworkGate
  private let socketPath: String
  private let now: @Sendable () -> Int64
  private let report: @Sendable (BridgeEvent) -> Void
  private let pairing = Mutex(DevicePairing())
  /// The device number of each open connection, by its descriptor. When a device is removed, its connections are closed.
  private let open = Mutex<[Int32: Int]>([:])

  /// Creates a bridge over an open listening socket.
  /// - Parameters:
  ///   - player: The player that a phone is to use. The phone receives it, but may use another.
  ///   - now: Returns milliseconds of a clock that also counts while the host sleeps.
  ///   - report: Receives the events of the bridge, on the threads of connections.
  init(
    _ listener: NetworkListener, game: String, player: String?, to socketPath: String, revenueCat: RevenueCatKeys,
    now: @escaping @Sendable () -> Int64 = NetworkBridge.bootMilliseconds, report: @escaping @Sendable (BridgeEvent) -> Void
  ) {
    self.listener = listener
    self.game = game
    self.player = player
    self.socketPath = socketPath
    self.now = now
    self.report = report
    gate = NetworkGate(game: game, host: "\(listener.address.text):\(listener.port)", revenueCat: revenueCat)
  }

  /// Returns milliseconds of a clock that also counts while the host sleeps and that no user can set.
  static func bootMilliseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// Accepts connections and serves them until the process ends.
  func run() { listener.run { [self] in serve($0, from: $1) } }

  /// Opens a new pairing code, which replaces the code that was open, and returns it.
  func newCode() -> String {
    var random = SystemRandomNumberGenerator()
    let code = DevicePairing.newCode(using: &random)
    pairing.withLock { $0.open(code, now: now()) }
    return code
  }

  /// True if a pairing code is open and has not expired.
  var hasCode: Bool { pairing.withLock { $0.hasCode(now: now()) } }

  func devices() -> [ListedDevice] {
    let now = now()
    return pairing.withLock { pairing in
      pairing.devices.filter { now < $0.end }.map {
        ListedDevice(
          number: $0.number, name: $0.name, addresses: $0.addresses.map(NetworkAddress.text), idle: max(0, now - $0.lastRequest),
          left: $0.end - now)
      }
    }
  }

  /// Removes a device with its token and closes its connections; returns false if the device does not exist.
  func end(device number: Int) -> Bool {
    let isRemoved = pairing.withLock { $0.remove(device: number) }
    closeConnections { $0 == number }
    return isRemoved
  }

  /// Closes the connections of devices whose token has expired. Checks whether the host still has the bridge's address, and reports a
  /// change.
  /// - Parameter isPresent: True if the host had the address at the last check.
  /// - Returns: True if the host has the address now.
  func look(isPresent: Bool, addresses: [NetworkAddress]) -> Bool {
    let now = now()
    let ended = open.withLock { open in
      pairing.withLock { pairing in Set(open.values.filter { !pairing.isPaired(device: $0, now: now) }) }
    }
    if !ended.isEmpty { closeConnections { ended.contains($0) } }
    let isThere = addresses.contains { $0.bits == listener.address.bits }
    if isThere != isPresent { report(isThere ? .addressBack : .addressGone) }
    return isThere
  }

  private func closeConnections(_ isMeant: (Int) -> Bool) {
    open.withLock { open in for (client, device) in open where isMeant(device) { shutdown(client, Int32(SHUT_RDWR)) } }
  }

  private func serve(_ arrival: LoopbackListener.PendingConnection, from peer: UInt32) {
    switch gate.judge(arrival.head) {
    case .answer(let answer): BlockingSocket.send(Array(answer.utf8), to: arrival.client)
    case .pair(let bodyBytes):
      // The body of a pairing request must arrive within 20 seconds, even if the phone sends it byte by byte.
      BlockingSocket.setTimeout(arrival.client, seconds: 10)
      let deadline = ContinuousClock.now + .seconds(10)
      var body = arrival.rest
      while body.count < bodyBytes {
        guard .now < deadline, let piece = BlockingSocket.receive(arrival.client) else { return }
        body += piece
      }
      BlockingSocket.send(Array(pair(Array(body.prefix(bodyBytes)), from: peer).utf8), to: arrival.client)
    case .pass(let token, let head):
      pass(arrival, from: peer, head, pairing.withLock { $0.admit(token: token, from: peer, now: now()) })
    case .passByKey(let head):
      pass(arrival, from: peer, head, pairing.withLock { $0.admit(from: peer, now: now()) })
    }
  }

  private func pass(
    _ arrival: LoopbackListener.PendingConnection, from peer: UInt32, _ head: String, _ admission: DevicePairing.DeviceDecision
  ) {
    switch admission {
    case .unknown:
      refuse(arrival, 401, "Unauthorized", "The token is unknown or has ended. Pair the phone again.")
    case .tooMany:
      refuse(
        arrival, 429, "Too Many Requests",
        "A device has at most \(DevicePairing.connectionsMax) connections at the same time and \(DevicePairing.requestsMax) requests a second."
      )
    case .admitted(let device, let isNewAddress):
      open.withLock { $0[arrival.client] = device }
      defer {
        open.withLock { $0[arrival.client] = nil }
        pairing.withLock { $0.leave(device: device) }
      }
      guard arrival.admit() else {
        return refuse(arrival, 503, "Service Unavailable", "The bridge has reached its limit of requests. Try again.")
      }
      if isNewAddress { report(.newAddress(name: name(of: device), address: NetworkAddress.text(of: peer))) }
      guard let daemon = BlockingSocket.connect(to: socketPath) else {
        return refuse(arrival, 502, "Bad Gateway", "The daemon does not answer. Start it, and send the request again.")
      }
      defer { close(daemon) }
      if BlockingSocket.send(Array(head.utf8) + arrival.rest, to: daemon) { Bridge.relay(arrival.client, daemon, "") }
    }
  }

  private func refuse(_ arrival: LoopbackListener.PendingConnection, _ status: Int, _ title: String, _ detail: String) {
    BlockingSocket.send(Array(BridgeGate.refusal(status, title, detail).utf8), to: arrival.client)
  }

  private func name(of device: Int) -> String { pairing.withLock { $0.devices.first { $0.number == device }?.name ?? "" } }

  /// Tries to pair a phone that sent this body, and returns the whole response.
  private func pair(_ body: [UInt8], from peer: UInt32) -> String {
    guard let sent = try? JSONReader.value(from: body), let code = sent["code"]?.stringValue else {
      return BridgeGate.refusal(400, "Bad Request", "Send the code as JSON: an object with code and name.")
    }
    let name = sent["name"]?.stringValue ?? ""
    let address = NetworkAddress.text(of: peer)
    let outcome = pairing.withLock { $0.pair(code: code, name: name, from: peer, token: RandomText.hexadecimal(), now: now()) }
    let another = "Show another on the host with Enter."
    switch outcome {
    case .paired(let device):
      report(.paired(name: device.name, address: address))
      var members: [(String, Value)] = [
        ("token", .string(device.token)), ("game", .string(game)),
        ("expires_in_seconds", .integer(DevicePairing.tokenMilliseconds / 1_000)),
      ]
      if let player { members.append(("player", .string(player))) }
      return BridgeGate.answer(200, "OK", JSONWriter.text(.object(ObjectValue(members))))
    case .wrong(let left):
      report(.wrongCode(address: address, guessesLeft: left))
      return BridgeGate.refusal(403, "Forbidden", "The code is wrong.")
    case .ended:
      report(.codeEnded(address: address))
      return BridgeGate.refusal(403, "Forbidden", "The code is wrong, and has ended after \(DevicePairing.guessesMax) guesses. \(another)")
    case .noCode:
      return BridgeGate.refusal(403, "Forbidden", "No code is open: it was used, or its two minutes are over. \(another)")
    case .full:
      return BridgeGate.refusal(
        403, "Forbidden", "\(DevicePairing.devicesMax) devices are paired. End one with gameconfctl bridge devices.")
    }
  }
}
