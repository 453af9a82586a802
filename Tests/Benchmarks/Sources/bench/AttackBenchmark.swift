// Measures the reads and events of one user while another user attacks the daemon. The samples have a fixed rate. The daemon must stay
// within the memory limit of its systemd unit.

import CLoad
import Glibc

/// An attack on the daemon: the request, the number of users and connections, and the way of sending.
struct Attack: Sendable {
  let name: String
  let isAdmin: Bool
  let way: attack_way
  let connections: Int32
  /// The number of attacking users.
  var users = 1
  let request: @Sendable () -> [UInt8]

  static let all: [Attack] = [
    // The baseline without an attack.
    Attack(name: "baseline", isAdmin: false, way: ATTACK_EXCHANGE, connections: 0, users: 0) { [] },
    Attack(name: "repeated-keys", isAdmin: false, way: ATTACK_EXCHANGE, connections: 8) {
      post("/v1/games/wheresthedot/config", "{\"keys\":[" + list(90_000) { _ in "\"chapters\"" } + "]}")
    },
    Attack(name: "overrides-set-and-cleared", isAdmin: true, way: ATTACK_PIPELINE, connections: 1) {
      // Overrides are set and cleared repeatedly: as many players' as a game may have, for a key with a constraint.
      importing(20_000, into: "remembersquare", key: "grid_side", value: "4")
        + post("/v1/games/remembersquare/overrides/clear", "{\"scope\":\"players\"}")
    },
    Attack(name: "events", isAdmin: false, way: ATTACK_EXCHANGE, connections: 8) {
      post("/v1/games/wheresthedot/players/attacker/events", AttackBenchmark.event)
    },
    Attack(name: "pipelined-configs", isAdmin: false, way: ATTACK_PIPELINE, connections: 4) {
      Array(repeating: get("/v1/games/adventure/config?detail=full&locale=fr"), count: 200).flatMap { $0 }
    },
    Attack(name: "held-bodies", isAdmin: false, way: ATTACK_HOLD, connections: 64) {
      post("/v1/games/wheresthedot/config", "{\"context\":{\"x\":\"" + String(repeating: "x", count: 1_048_576 - 20) + "\"}}")
    },
    Attack(name: "dry-run-events", isAdmin: false, way: ATTACK_EXCHANGE, connections: 8) {
      post("/v1/games/wheresthedot/players/attacker/events?dry_run=true", AttackBenchmark.event)
    },
    Attack(name: "unread-catalogs", isAdmin: false, way: ATTACK_UNREAD, connections: 1_024, users: 2) {
      (Array(repeating: get("/v1/games/adventure/catalog"), count: 13) + Array(repeating: get("/openapi.json"), count: 3)).flatMap { $0 }
    },
    Attack(name: "long-segments", isAdmin: false, way: ATTACK_EXCHANGE, connections: 10) {
      post("/v1/games/wheresthedot/config", "{\"context\":{\"segments\":[" + list(90_000) { "\"seg\($0)\"" } + "]}}")
    },
    Attack(name: "simulations", isAdmin: true, way: ATTACK_EXCHANGE, connections: 4) {
      post(
        "/v1/games/wheresthedot/config/arcade_time_limit_base/simulate",
        "{\"players\":1000000,\"context\":{" + list(70_000) { "\"m\($0)\":1" } + "}}")
    },
    Attack(name: "explanations", isAdmin: true, way: ATTACK_EXCHANGE, connections: 4) {
      post(
        "/v1/games/wheresthedot/config/arcade_time_limit_base/explain", "{\"context\":{\"list\":[" + list(90_000) { "\($0)" } + "]}}")
    },
  ]

  static func importing(_ rows: Int, into game: String, key: String, value: String) -> [UInt8] {
    post(
      "/v1/games/\(game)/overrides/import",
      "{\"overrides\":[" + list(rows) { "{\"player\":\"player-\($0)\",\"key\":\"\(key)\",\"value\":\(value)}" } + "]}")
  }

  static func get(_ path: String) -> [UInt8] { Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8) }

  static func post(_ path: String, _ body: String) -> [UInt8] {
    Array(
      ("POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        + body).utf8)
  }

  private static func list(_ count: Int, _ element: (Int) -> String) -> String { (0..<count).map(element).joined(separator: ",") }
}

/// A Linux control group with a memory limit, of cgroups version 2 or else 1. The initializer returns nil if it cannot be created.
struct MemoryGroup {
  /// True if the host has the unified hierarchy of cgroups version 2.
  static var isOneTree: Bool { access("/sys/fs/cgroup/cgroup.controllers", F_OK) == 0 }

  private let path: String
  private let isSecond: Bool

  init?(bytesMax: Int) {
    isSecond = Self.isOneTree
    path = (isSecond ? "/sys/fs/cgroup" : "/sys/fs/cgroup/memory") + "/gcbench-\(getpid())"
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { return nil }
    let isBounded = Self.write("\(bytesMax)", to: path + (isSecond ? "/memory.max" : "/memory.limit_in_bytes"))
    if isSecond { _ = Self.write("\(bytesMax / 4 * 3)", to: path + "/memory.high") }
    guard isBounded else {
      rmdir(path)
      return nil
    }
  }

  func take(_ pid: pid_t) -> Bool { Self.write("\(pid)", to: path + "/cgroup.procs") }

  /// The peak memory of the group's processes in MiB; 0 if it cannot be read.
  var peakMebibytes: Int {
    let name = isSecond ? "/memory.peak" : "/memory.max_usage_in_bytes"
    guard let file = fopen(path + name, "r") else { return 0 }
    defer { fclose(file) }
    var bytes = [CChar](repeating: 0, count: 64)
    fread(&bytes, 1, bytes.count - 1, file)
    return (Int(text(bytes).prefix { $0 != "\n" }) ?? 0) >> 20
  }

  /// Resets the peak memory of a group of version 1. In version 2, the peak remains.
  func forgetPeak() { if !isSecond { _ = Self.write("0", to: path + "/memory.max_usage_in_bytes") } }

  func remove() { rmdir(path) }

  static func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return text.withCString { Glibc.write(descriptor, $0, strlen($0)) } > 0
  }
}

/// A Linux control group that gets the same share of the processors as its sibling groups, regardless of their numbers of threads. The
/// initializer returns nil if it cannot be created.
struct ProcessorGroup {
  private let path: String

  init?(_ name: String) {
    path = (MemoryGroup.isOneTree ? "/sys/fs/cgroup" : "/sys/fs/cgroup/cpu") + "/gcbench-\(name)-\(getpid())"
    guard mkdir(path, 0o755) == 0 || errno == EEXIST else { return nil }
  }

  func take(_ pid: pid_t) -> Bool { MemoryGroup.write("\(pid)", to: path + "/cgroup.procs") }

  func remove() { rmdir(path) }
}

/// Runs each attack alone, and all attacks together. While the daemon's latencies are sampled, an attack hits it or, for the quiet
/// baseline, another daemon on the same host.
struct AttackBenchmark {
  let program: String
  let defaults: String
  let samples: Int32
  /// The number of rounds, each with a quiet and an attacked sample; medians are reported.
  let rounds: Int
  /// The names of the attacks to run; `all` is all of them together.
  var names = Attack.all.map(\.name) + ["all"]

  static let event = "{\"event\":\"game_over\",\"mode\":\"classic\",\"score\":1,\"reason\":\"wrongTap\"}"
  private static let perSecond = 500.0
  private static let attackers: UInt32 = 65_000
  private static let victims: UInt32 = 64_000
  private static let memoryMax = 512 << 20
  private static let eventP99MillisecondsMax = 100.0
  private static let readP99FactorMax = 3.0
  /// The time for which an attack runs before the samples begin.
  private static let leadSeconds = 1.0

  private struct Row {
    let name: String
    let quiet: (reads: open_result, events: open_result)
    let attacked: (reads: open_result, events: open_result)
    let peakMebibytes: Int
    let lives: Bool

    var isMet: Bool {
      lives && Double(attacked.reads.p99_ns) <= AttackBenchmark.readP99FactorMax * Double(quiet.reads.p99_ns)
        && Double(attacked.events.p99_ns) / 1e6 <= AttackBenchmark.eventP99MillisecondsMax
    }
  }

  func run() throws(BenchError) -> [Budgeted] {
    let (ours, other) = (try Workspace(), try Workspace())
    defer {
      ours.remove()
      other.remove()
    }
    for folder in [ours, other] { chmod(folder.path, 0o755) }
    let group = MemoryGroup(bytesMax: Self.memoryMax)
    defer { group?.remove() }
    // The control groups match those of systemd for a service and for a user's session. With cgroups version 2, the daemon's one group
    // limits its memory and gives it its share of the processors.
    let groups = (
      served: MemoryGroup.isOneTree ? nil : ProcessorGroup("daemon"), decoy: ProcessorGroup("decoy"), attackers: ProcessorGroup("attackers")
    )
    // The groups are removed after the daemons have ended: a group with processes cannot be removed.
    defer { for group in [groups.served, groups.decoy, groups.attackers] { group?.remove() } }
    let (target, decoy) = (
      Daemon(program: program, defaults: defaults, folder: ours), Daemon(program: program, defaults: defaults, folder: other)
    )
    let running = try target.start(cpu: -1).program
    defer { running.stop() }
    let decoyRunning = try decoy.start(cpu: -1).program
    defer { decoyRunning.stop() }
    for folder in [ours, other] { chmod("\(folder.path)/run", 0o755) }
    let isBounded = group?.take(running.pid) ?? false
    let isApart = groups.served?.take(running.pid) ?? isBounded && groups.decoy?.take(decoyRunning.pid) ?? false
    for daemon in [target, decoy] {
      let rows = Attack.importing(19_000, into: "wheresthedot", key: "remote_min_fetch_interval", value: "9")
      _ = try exchange(String(decoding: rows, as: UTF8.self), on: daemon.adminSocket)
    }
    var rows: [Row] = []
    for name in names {
      let attacks = Attack.all.filter { name == "all" || $0.name == name }
      group?.forgetPeak()
      var quiets: [(reads: open_result, events: open_result)] = []
      var attackeds = quiets
      for _ in 0..<rounds {
        quiets.append(try sample(target, while: attacks, against: decoy, in: groups.attackers))
        attackeds.append(try sample(target, while: attacks, against: target, in: groups.attackers))
      }
      let (quiet, attacked) = (Self.median(quiets), Self.median(attackeds))
      let lives = kill(running.pid, 0) == 0 && load_accepts(target.socket) != 0
      rows.append(
        Row(
          name: attacks.count == 1 ? attacks[0].name : "all at once", quiet: quiet, attacked: attacked,
          peakMebibytes: group?.peakMebibytes ?? running.kibibytes("VmHWM") >> 10, lives: lives))
      print("  \(rows.last?.name ?? "") done, load \(loadAverage())")
      if !lives { break }
    }
    show(rows, isBounded: isBounded, isApart: isApart)
    return rows.map { row in
      Budgeted(
        what: "while \(row.name): another's read p99, event p99",
        figure: "\(milliseconds(row.attacked.reads.p99_ns)), \(milliseconds(row.attacked.events.p99_ns)) ms",
        beside: "quiet \(milliseconds(row.quiet.reads.p99_ns)), \(milliseconds(row.quiet.events.p99_ns)) ms", budget: "≤ 3 ×, ≤ 100 ms",
        isMet: row.isMet)
    }
  }

  private func show(_ rows: [Row], isBounded: Bool, isApart: Bool) {
    let isRanked = rows.allSatisfy { $0.attacked.reads.unranked + $0.attacked.events.unranked == 0 }
    printTable(
      "One user at its worst: \(samples) samples of another's reads and of its events at \(figure(Self.perSecond, 0)) a second each, rounds: \(rounds), "
        + (isBounded ? "the daemon in a group of 512 MiB" : "no memory group could be made")
        + (isApart ? ", attackers and daemons each in a group of processes" : ", no groups of processes could be made")
        + (isRanked ? ", samplers before everything else" : ", samplers wait for processors as well"),
      [
        [
          "attack", "quiet read p99", "read p50", "p99", "max ms", "quiet event p99", "event p50", "p99", "max ms", "lost", "MiB", "lives",
          "met",
        ]
      ]
        + rows.map { row in
          let (reads, events) = (row.attacked.reads, row.attacked.events)
          return [
            row.name, milliseconds(row.quiet.reads.p99_ns), milliseconds(reads.median_ns), milliseconds(reads.p99_ns),
            milliseconds(reads.max_ns), milliseconds(row.quiet.events.p99_ns), milliseconds(events.median_ns), milliseconds(events.p99_ns),
            milliseconds(events.max_ns), "\(reads.refused + reads.broken + events.refused + events.broken)", "\(row.peakMebibytes)",
            row.lives ? "yes" : "NO", row.isMet ? "yes" : "NO",
          ]
        })
  }

  /// Returns the medians of the rounds' medians and 99th percentiles, the largest of the maxima, and the sums of the errors.
  private static func median(_ rounds: [(reads: open_result, events: open_result)]) -> (reads: open_result, events: open_result) {
    func median(_ results: [open_result]) -> open_result {
      func middle(_ times: [UInt64]) -> UInt64 { times.sorted()[times.count / 2] }
      var all = open_result()
      (all.median_ns, all.p99_ns) = (middle(results.map(\.median_ns)), middle(results.map(\.p99_ns)))
      all.max_ns = results.map(\.max_ns).max() ?? 0
      (all.refused, all.broken) = (results.reduce(0) { $0 + $1.refused }, results.reduce(0) { $0 + $1.broken })
      all.unranked = results.reduce(0) { $0 + $1.unranked }
      return all
    }
    return (median(rounds.map(\.reads)), median(rounds.map(\.events)))
  }

  private func milliseconds(_ nanoseconds: UInt64) -> String { figure(Double(nanoseconds) / 1e6, 2) }

  /// Samples the reads and events of another user while the attacks run.
  private func sample(
    _ target: Daemon, while attacks: [Attack], against attacked: Daemon, in group: ProcessorGroup?
  ) throws(BenchError) -> (reads: open_result, events: open_result) {
    let seconds = Double(samples) / Self.perSecond + Self.leadSeconds + 2
    var children: [pid_t] = []
    for attack in attacks {
      for user in 0..<attack.users {
        let uid = attack.isAdmin ? 0 : Self.attackers + UInt32(user)
        let socket = attack.isAdmin ? attacked.adminSocket : attacked.socket
        let child = try RunningProgram(
          ["/proc/self/exe", "attacker", attack.name, socket, "\(seconds)", "\(uid)"], cpu: -1, log: "/dev/null"
        ).pid
        children.append(child)
        _ = group?.take(child)
      }
    }
    defer { for child in children { load_stop(child) } }
    usleep(UInt32(Self.leadSeconds * 1e6))
    let reading = try Sampling(
      target.socket, Attack.get("/v1/games/dartsscore/config/answers_count"), samples, Self.perSecond, uid: Self.victims)
    let events = try Sampling(
      target.socket, Attack.post("/v1/games/wheresthedot/players/victim/events", Self.event), samples, Self.perSecond, uid: Self.victims)
    return (try reading.finish(), try events.finish())
  }

  /// Runs this program as an attacker and exits. The arguments are the attack's name, the socket, the seconds, and the user id.
  static func attack(_ arguments: [String]) {
    guard arguments.count == 4, let attack = Attack.all.first(where: { $0.name == arguments[0] }), let seconds = Double(arguments[2]),
      let uid = UInt32(arguments[3])
    else { exit(2) }
    let request = attack.request().map { CChar(bitPattern: $0) }
    guard uid == 0 || attack_become(uid) == 0 else { exit(3) }
    var result = attack_result()
    let status = arguments[1].withCString { path in
      request.withUnsafeBufferPointer { bytes in
        var plan = attack_plan(
          path: path, request: bytes.baseAddress, request_bytes: bytes.count, connections: attack.connections, way: attack.way,
          seconds: seconds)
        return attack_run(&plan, &result)
      }
    }
    exit(status == 0 ? 0 : 1)
  }
}

/// A thread that sends a request at a fixed rate and samples the latencies.
private final class Sampling {
  private final class Course {
    let socket: String
    let request: [CChar]
    let samples: Int32
    let perSecond: Double
    let uid: UInt32
    var result = open_result()
    var fault = [CChar](repeating: 0, count: 128)
    var status: Int32 = -1

    init(_ socket: String, _ request: [UInt8], _ samples: Int32, _ perSecond: Double, uid: UInt32) {
      (self.socket, self.request, self.samples, self.perSecond) = (socket, request.map { CChar(bitPattern: $0) }, samples, perSecond)
      self.uid = uid
    }

    func run() {
      status = socket.withCString { path in
        request.withUnsafeBufferPointer { bytes in
          var plan = open_plan(
            path: path, request: bytes.baseAddress, request_bytes: bytes.count, per_second: perSecond, samples: samples, connections: 16,
            uid: uid)
          return open_run(&plan, &result, &fault)
        }
      }
    }
  }

  private let course: Course
  private var thread = pthread_t()

  init(_ socket: String, _ request: [UInt8], _ samples: Int32, _ perSecond: Double, uid: UInt32) throws(BenchError) {
    course = Course(socket, request, samples, perSecond, uid: uid)
    let made = pthread_create(
      &thread, nil,
      { given in
        if let given { Unmanaged<Course>.fromOpaque(given).takeUnretainedValue().run() }
        return nil
      }, Unmanaged.passUnretained(course).toOpaque())
    guard made == 0 else { throw BenchError("no thread for samples") }
  }

  func finish() throws(BenchError) -> open_result {
    pthread_join(thread, nil)
    guard course.status == 0 else { throw BenchError(text(course.fault)) }
    return course.result
  }
}
