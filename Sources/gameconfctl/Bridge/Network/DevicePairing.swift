// The pairing code of a network bridge, and the phones that are paired with it, without I/O.

import GameConfCore

/// The state of a network bridge: at most one open pairing code, and the paired devices.
///
/// All times are milliseconds of a clock that also counts while the host sleeps. Random texts come in as arguments.
struct DevicePairing: Sendable {
  /// The time in milliseconds for which a pairing code is valid.
  static let codeMilliseconds: Int64 = 120_000
  /// The number of wrong guesses after which a pairing code is closed.
  static let guessesMax = 5
  /// The time in milliseconds for which a device's token is valid.
  static let tokenMilliseconds: Int64 = 12 * 3_600_000
  /// The maximum number of paired devices.
  static let devicesMax = 16
  /// The maximum number of open connections of one device.
  static let connectionsMax = 8
  /// The maximum number of requests of one device within a second.
  static let requestsMax = 60
  /// The time in milliseconds after a request with a token for which its IP address is trusted. A client with a RevenueCat key sends no
  /// token; it is admitted by its address.
  static let addressMilliseconds: Int64 = 600_000
  /// The maximum size of a device's name in bytes; a longer name is cut.
  static let nameBytesMax = 64
  /// The maximum number of IP addresses that are listed for a device, the newest first.
  static let addressesMax = 8
  /// The letters of a pairing code. Letters that people confuse are left out.
  static let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ23456789")
  static let codeLetters = 8

  struct Device: Equatable, Sendable {
    let number: Int
    let name: String
    let token: String
    /// The time at which the token expires.
    let end: Int64
    /// The IP addresses from which the device sent requests, the newest first.
    var addresses: [UInt32]
    var lastRequest: Int64
    /// The time of the device's last request with its token.
    fileprivate(set) var lastTokenRequest: Int64
    var connections = 0
    /// The second in which ``requests`` is counted.
    fileprivate var second: Int64 = 0
    fileprivate var requests = 0
  }

  enum PairingOutcome: Equatable {
    case paired(Device)
    case wrong(guessesLeft: Int)
    /// The code was wrong, and it was the last allowed guess, so that the code is closed.
    case ended
    case noCode
    /// The maximum number of devices is paired already.
    case full
  }

  /// The decision about a request of a device.
  enum DeviceDecision: Equatable {
    /// The request is admitted. `isNewAddress` is true if the device had not used its IP address before.
    case admitted(device: Int, isNewAddress: Bool)
    case unknown
    /// The device has reached its limit of connections or of requests per second.
    case tooMany
  }

  private struct PairingCode: Sendable {
    let text: String
    let end: Int64
    var guessesLeft: Int
  }

  private var code: PairingCode?
  private(set) var devices: [Device] = []
  private var lastNumber = 0

  /// Opens a pairing code, which replaces the code that was open.
  mutating func open(_ text: String, now: Int64) {
    code = PairingCode(text: text, end: now + Self.codeMilliseconds, guessesLeft: Self.guessesMax)
  }

  /// True if a pairing code is open and has not expired.
  func hasCode(now: Int64) -> Bool { code.map { now < $0.end } ?? false }

  /// Pairs a device that sends the open code, in upper or lower case.
  /// - Parameter token: The new token for the device.
  mutating func pair(code given: String, name: String, from address: UInt32, token: String, now: Int64) -> PairingOutcome {
    removeEnded(now: now)
    guard var code, now < code.end else {
      self.code = nil
      return .noCode
    }
    guard BridgeGate.areSame(given.uppercased(), code.text) else {
      code.guessesLeft -= 1
      self.code = code.guessesLeft > 0 ? code : nil
      return code.guessesLeft > 0 ? .wrong(guessesLeft: code.guessesLeft) : .ended
    }
    guard devices.count < Self.devicesMax else { return .full }
    self.code = nil
    lastNumber += 1
    let device = Device(
      number: lastNumber, name: Self.named(name, number: lastNumber), token: token, end: now + Self.tokenMilliseconds, addresses: [address],
      lastRequest: now, lastTokenRequest: now)
    devices.append(device)
    return .paired(device)
  }

  /// Admits a request with a device's token. The connection is counted until ``leave(device:)``.
  mutating func admit(token: String, from address: UInt32, now: Int64) -> DeviceDecision {
    removeEnded(now: now)
    let match = devices.indices.reduce(nil as Int?) { found, at in BridgeGate.areSame(token, devices[at].token) ? at : found }
    guard let at = match else { return .unknown }
    return admit(at, from: address, now: now)
  }

  /// Admits a request without a token, if a paired device has recently sent a request with its token from the same IP address.
  mutating func admit(from address: UInt32, now: Int64) -> DeviceDecision {
    removeEnded(now: now)
    let vouching = devices.indices.filter {
      devices[$0].addresses.first == address && now - devices[$0].lastTokenRequest < Self.addressMilliseconds
    }
    guard let at = vouching.first else { return .unknown }
    return admit(at, from: address, now: now, isByKey: true)
  }

  private mutating func admit(_ at: Int, from address: UInt32, now: Int64, isByKey: Bool = false) -> DeviceDecision {
    if devices[at].second != now / 1_000 {
      devices[at].second = now / 1_000
      devices[at].requests = 0
    }
    guard devices[at].connections < Self.connectionsMax, devices[at].requests < Self.requestsMax else { return .tooMany }
    devices[at].requests += 1
    devices[at].connections += 1
    devices[at].lastRequest = now
    if !isByKey { devices[at].lastTokenRequest = now }
    let isNew = !devices[at].addresses.contains(address)
    devices[at].addresses.removeAll { $0 == address }
    devices[at].addresses.insert(address, at: 0)
    if devices[at].addresses.count > Self.addressesMax { devices[at].addresses.removeLast() }
    return .admitted(device: devices[at].number, isNewAddress: isNew)
  }

  /// Subtracts one from a device's number of open connections.
  mutating func leave(device number: Int) {
    guard let at = devices.firstIndex(where: { $0.number == number }) else { return }
    devices[at].connections = max(0, devices[at].connections - 1)
  }

  /// Removes a device and invalidates its token; returns false if the device does not exist.
  mutating func remove(device number: Int) -> Bool {
    let count = devices.count
    devices.removeAll { $0.number == number }
    return devices.count < count
  }

  /// True if the device is paired and its token has not expired.
  func isPaired(device number: Int, now: Int64) -> Bool { devices.contains { $0.number == number && now < $0.end } }

  private mutating func removeEnded(now: Int64) { devices.removeAll { now >= $0.end } }

  /// Returns a device's name for lists, cut to the maximum size; `phone` and its number if the given name is empty.
  private static func named(_ given: String, number: Int) -> String {
    var name = ""
    for character in given.trimmed {
      if name.utf8.count + character.utf8.count > nameBytesMax { break }
      name.append(character)
    }
    return name.isEmpty ? "phone \(number)" : name
  }

  static func newCode(using random: inout some RandomNumberGenerator) -> String {
    String((0..<codeLetters).compactMap { _ in letters.randomElement(using: &random) })
  }
}
