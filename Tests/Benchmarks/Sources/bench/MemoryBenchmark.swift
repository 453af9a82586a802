// Resident memory of an idle daemon with the shipped games.

import Glibc

/// What the daemon keeps in memory when it has answered a little and rests.
struct MemoryBenchmark {
  let daemon: Daemon

  func run() throws(BenchError) -> [Budgeted] {
    let program = try daemon.start(cpu: -1).program
    defer { program.stop() }
    for _ in 0..<100 { _ = try exchange(Peers.httpRequest("/v1/games"), on: daemon.socket) }
    usleep(1_000_000)
    let mebibytes = { (name: String) in figure(Double(program.kibibytes(name)) / 1024) }
    printTable(
      "Idle with the shipped games",
      [
        ["memory", "MiB", "budget"], ["resident", mebibytes("VmRSS"), "≤ 30"], ["of it written by the daemon", mebibytes("RssAnon"), ""],
        ["of it programs and libraries", mebibytes("RssFile"), ""], ["threads", "\(program.kibibytes("Threads"))", ""],
      ])
    let resident = Double(program.kibibytes("VmRSS")) / 1024
    return [
      Budgeted(
        what: "resident memory, five shipped games, idle", figure: "\(figure(resident)) MiB", budget: "≤ 30 MiB", isMet: resident <= 30)
    ]
  }
}
