// The resident memory of an idle daemon with the shipped games, and the programs' sizes on disk.

import Glibc

/// Measures the daemon's memory when it is idle after a few responses.
struct MemoryBenchmark {
  let daemon: Daemon

  func run() throws(BenchError) -> [Budgeted] {
    let program = try daemon.start(cpu: -1).program
    defer { program.stop() }
    for _ in 0..<100 { _ = try exchange(Peers.httpRequest("/v1/games"), on: daemon.socket) }
    // Memory that only the start needed is freed within seconds.
    usleep(8_000_000)
    let mebibytes = { (name: String) in figure(Double(program.kibibytes(name)) / 1024) }
    printTable(
      "Idle with the shipped games",
      [
        ["memory", "MiB", "budget"],
        ["resident", mebibytes("VmRSS"), "≤ 16"], ["of it written by the daemon", mebibytes("RssAnon"), "≤ 5"],
        ["of it programs and libraries", mebibytes("RssFile"), ""], ["threads", "\(program.kibibytes("Threads"))", ""],
      ])
    let (resident, written) = (Double(program.kibibytes("VmRSS")) / 1024, Double(program.kibibytes("RssAnon")) / 1024)
    return [
      Budgeted(
        what: "resident memory, five shipped games, idle", figure: "\(figure(resident)) MiB", budget: "≤ 16 MiB", isMet: resident <= 16),
      Budgeted(what: "memory written by the daemon, idle", figure: "\(figure(written)) MiB", budget: "≤ 5 MiB", isMet: written <= 5),
    ] + (try weight())
  }

  /// Measures the size on disk of the file that is installed under the three names, without its symbols, as a package has it.
  private func weight() throws(BenchError) -> [Budgeted] {
    let built = daemon.program.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let stripped = "\(daemon.folder.path)/gameconf-programs"
    let strip = try RunningProgram(["/usr/bin/strip", "-o", stripped, "\(built)/gameconf-programs"], cpu: -1, log: stripped + ".log")
    var (status, about) = (Int32(-1), stat())
    waitpid(strip.pid, &status, 0)
    guard status == 0, stat(stripped, &about) == 0 else {
      print("\n  !!! NOT MEASURED: what is installed; gameconf-programs cannot be stripped (make release links it)")
      return []
    }
    unlink(stripped)
    let size = Double(about.st_size) / 1_048_576
    printTable("On the disk", [["installed, stripped", "MiB"], ["one file under three names", figure(size)]])
    return [Budgeted(what: "installed programs, stripped", figure: "\(figure(size)) MiB", budget: "≤ 45 MiB", isMet: size <= 45)]
  }
}
