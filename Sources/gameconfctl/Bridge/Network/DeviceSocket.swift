// The private socket of a network bridge, on which another gameconfctl lists and removes paired devices.

import GameConfCore
import GameConfTransport
import Glibc

/// A protocol with one request and one response on each connection, both a line of JSON. `{}` lists the devices, `{"end": 3}` removes
/// device 3 and lists the others, `{"code": true}` opens a pairing code and returns its link.
enum DeviceSocket {
  private static let lineBytesMax = 64 << 10
  private static let answerSeconds = 5

  /// The folder of the private sockets of this user's bridges.
  static var folder: String {
    if let runtime = Console.variable("XDG_RUNTIME_DIR"), !runtime.isEmpty { return runtime + "/gameconf-bridges" }
    return "/tmp/gameconf-bridges-\(getuid())"
  }

  /// Returns the path of the private socket of a bridge with this process id.
  static func path(of process: pid_t) -> String { "\(folder)/\(process).sock" }

  /// Creates the folder of the private sockets, which only this user may open.
  private static func makeFolder() throws(Fault) {
    mkdir(folder, 0o700)
    var about = stat()
    guard lstat(folder, &about) == 0, about.st_mode & S_IFMT == S_IFDIR, about.st_uid == getuid(), about.st_mode & 0o077 == 0 else {
      throw Fault("\(folder) must be a folder that only you may open; remove it, or set its mode to 0700")
    }
  }

  /// Opens the bridge's private socket and serves it until the process ends.
  /// - Returns: The socket's path. The caller removes it at the end.
  static func serve(_ bridge: NetworkBridge, newLink: @escaping @Sendable () -> String) throws(Fault) -> String {
    try makeFolder()
    let path = path(of: getpid())
    unlink(path)
    let listener = try LoopbackListener(socketPath: path)
    OwnThread.start {
      listener.runLines(bytesMax: lineBytesMax) { line in
        guard let request = try? JSONReader.value(from: line) else { return Array("{\"error\":\"this is not JSON\"}\n".utf8) }
        var hasEnded: Value = .null
        if let number = request["end"]?.integerValue { hasEnded = .bool(bridge.end(device: Int(clamping: number))) }
        var answer = answer(of: bridge, hasEnded)
        if request["code"] == true { answer["link"] = .string(newLink()) }
        return JSONWriter.bytes(.object(answer)) + [10]
      }
    }
    return path
  }

  private static func answer(of bridge: NetworkBridge, _ hasEnded: Value) -> ObjectValue {
    let devices: [Value] = bridge.devices().map { device in
      [
        "device": .integer(Int64(device.number)), "name": .string(device.name), "addresses": .list(device.addresses.map { .string($0) }),
        "idle_seconds": .integer(device.idle / 1_000), "ends_in_seconds": .integer(device.left / 1_000),
      ]
    }
    return [
      "game": .string(bridge.game), "address": .string("\(bridge.listener.address.text):\(bridge.listener.port)"),
      "process": .integer(Int64(getpid())), "code_open": .bool(bridge.hasCode), "ended": hasEnded, "devices": .list(devices),
    ]
  }

  /// A running bridge, with its response to the request for its devices.
  struct RunningBridge {
    let path: String
    let answer: Value
  }

  /// Returns this user's running bridges, and removes the sockets of bridges that have ended.
  static func bridges() -> [RunningBridge] {
    let names = (try? FileBytes.names(in: folder)) ?? []
    return names.filter { $0.hasSuffix(".sock") }.compactMap { name in
      let path = "\(folder)/\(name)"
      // A bridge that has bound its socket but does not listen yet refuses connections too. So a socket is removed only if its process does
      // not exist.
      if let process = pid_t(name.dropLast(5)), process > 0, kill(process, 0) != 0, errno == ESRCH {
        unlink(path)
        return nil
      }
      return ask([:], path).map { RunningBridge(path: path, answer: $0) }
    }
  }

  /// Sends a request to one bridge and returns its response; nil if the bridge does not respond.
  static func ask(_ question: Value, _ path: String) -> Value? {
    guard let descriptor = BlockingSocket.connect(to: path) else { return nil }
    defer { close(descriptor) }
    BlockingSocket.setTimeout(descriptor, seconds: answerSeconds)
    guard BlockingSocket.send(JSONWriter.bytes(question) + [10], to: descriptor) else { return nil }
    var line: [UInt8] = []
    while line.last != 10, line.count < lineBytesMax, let piece = BlockingSocket.receive(descriptor) { line += piece }
    return try? JSONReader.value(from: line)
  }
}
