// Reads of one static value without a socket, compared with a plain dictionary lookup.

import CLoad
import GameConfCore

/// Measures reads, in process, of values that are the same for every caller.
struct InProcessBenchmark {
  private let keys = (0..<300).map { "parameter_number_\($0)" }
  /// The same keys in other memory, like a caller's, so that no lookup succeeds by comparing addresses.
  private let requested = (0..<300).map { "parameter_number_\($0)" }
  private let reads = 3_000_000

  func run() throws(BenchError) -> [Budgeted] {
    var catalog = Catalog(game: "bench", title: "Bench", locales: ["en"])
    catalog.parameters = keys.map {
      Parameter(key: $0, type: .integer, defaultValue: .value(.integer(7)), section: "All", description: "A number.")
    }
    let table = ParameterTable(catalog: catalog)
    let caller = Caller(locales: ["en"], now: Instant(seconds: 1_800_000_000))
    let dictionary = Dictionary(uniqueKeysWithValues: keys.map { ($0, Value.integer(7)) })

    var samples: [String: [Double]] = [:]
    var allocations: [String: Double] = [:]
    // The two kinds of lookup alternate, so that the host's other load affects both.
    for _ in 0..<7 {
      for (name, read) in [
        ("resolve a key", { (key: String) in table.resolve(key, for: caller)?.value.integerValue ?? 0 }),
        ("dictionary lookup", { (key: String) in dictionary[key]?.integerValue ?? 0 }),
      ] {
        var sum: Int64 = 0
        var next = 0
        let allocated = load_allocations()
        let began = load_now_ns()
        for _ in 0..<reads {
          sum &+= read(requested[next])
          next = next + 1 == keys.count ? 0 : next + 1
        }
        let nanoseconds = Double(load_now_ns() - began)
        guard sum == Int64(reads) * 7 else { throw BenchError("wrong values") }
        samples[name, default: []].append(nanoseconds / Double(reads))
        allocations[name] = Double(load_allocations() - allocated) / Double(reads)
      }
    }
    let rows = ["resolve a key", "dictionary lookup"].map { name in
      [name, figure(samples[name]?.median ?? 0), figure(allocations[name] ?? 0, 2), name == "resolve a key" ? "≤ 50 and ≤ 0.7 ×, 0" : ""]
    }
    printTable("One static value in process, of \(keys.count) keys", [["read", "ns", "allocations", "budget"]] + rows)
    let (ours, beside) = (samples["resolve a key"]?.median ?? 0, samples["dictionary lookup"]?.median ?? 0)
    let allocated = allocations["resolve a key"] ?? 0
    return [
      Budgeted(
        what: "one static value in process", figure: "\(figure(ours)) ns, \(figure(allocated, 2)) allocations",
        beside: "\(figure(ours / beside, 2)) × a dictionary lookup", budget: "≤ 50 ns, ≤ 0.7 ×, no allocation",
        isMet: ours <= 50 && ours / beside <= 0.7 && allocated < 0.005)
    ]
  }
}
