// Keeps the template of one game up to date: fetches when it is due, uploads changes, and reports failures.

import GameConfTransport

/// The events that end the wait of a source's loop.
enum WakeReason: Hashable, Sendable {
  /// The timer has expired. The scheduled time may have moved meanwhile, so the loop fetches only if that time has come.
  case due
  /// An admin requested a fetch, which must come at least this long after the last one.
  case requested(leastMilliseconds: Int64)
  /// The connection to the daemon was established, perhaps after a restart.
  case daemonIsThere
}

/// The loop that fetches one source. Each source has its own loop, so that a slow server delays no other source.
struct SourceLoop: Sendable {
  let reader: SourceReader
  let link: AdminSocketClient
  let log: FetchLog

  private var source: FetchSource { reader.source }

  /// The state of the loop between two wakeups.
  private struct SourceLoopState {
    var plan: FetchPlan
    var journal = SourceJournal()
    /// The ETag of the document that the daemon accepted last.
    var tag: String?
    /// A document that was fetched but could not be uploaded because the daemon was unavailable.
    var waiting: (document: [UInt8], tag: String?)?
    /// The faults of the last fetch; nil before the first one.
    var faults: [String]?
  }

  /// Runs until the stream of wakeups ends.
  /// - Parameter wake: The input of the same stream, by which the loop's timer wakes the loop.
  func run(_ wakes: AsyncStream<WakeReason>, _ wake: AsyncStream<WakeReason>.Continuation) async {
    var state = SourceLoopState(plan: FetchPlan(interval: source.intervalMilliseconds, now: SteadyTime.now, random: .random(in: 0..<1)))
    var timer = Self.timer(state.plan, wake)
    for await reason in wakes {
      switch reason {
      case .due: if SteadyTime.now >= state.plan.due { await read(&state) }
      case .requested(let least): state.plan.request(SteadyTime.now, least: least)
      case .daemonIsThere: await meet(&state)
      }
      timer.cancel()
      timer = Self.timer(state.plan, wake)
    }
    timer.cancel()
  }

  private static func timer(_ plan: FetchPlan, _ wake: AsyncStream<WakeReason>.Continuation) -> Task<Void, Never> {
    let wait = max(0, plan.due - SteadyTime.now)
    return Task {
      do { try await Task.sleep(for: .milliseconds(wait)) } catch { return }
      wake.yield(.due)
    }
  }

  /// Handles a new connection to the daemon, which may have lost its state: uploads the waiting document, or reports the source's state
  /// again. The next fetch is unconditional.
  private func meet(_ state: inout SourceLoopState) async {
    state.tag = nil
    if let waiting = state.waiting {
      await push(waiting.document, waiting.tag, &state)
    } else if let faults = state.faults {
      await link.report(source, faults: faults, nextMilliseconds: state.plan.due - SteadyTime.now)
    }
  }

  private func read(_ state: inout SourceLoopState) async {
    state.plan.start(SteadyTime.now)
    let (reader, tag) = (reader, state.tag)
    let result = await OwnThread.run { () -> Result<FetchOutcome, FetchFault> in
      do throws(FetchFault) { return .success(try reader.read(knowing: tag)) } catch { return .failure(error) }
    }
    switch result {
    case .success(.document(let document, let tag)): await push(document, tag, &state)
    case .success(.unchanged): await settle([], retryAfter: nil, &state)
    case .failure(let fault): await settle([fault.message], retryAfter: fault.retryAfterMilliseconds, &state)
    }
  }

  private func push(_ document: [UInt8], _ tag: String?, _ state: inout SourceLoopState) async {
    state.waiting = nil
    switch await link.push(document, of: source) {
    case .accepted(let version):
      state.tag = tag
      log.accepted(source, version: version)
      await settle([], retryAfter: nil, &state)
    // The next fetch is unconditional, because the daemon may accept the same document after a change of the catalog.
    case .refused(let faults):
      state.tag = nil
      await settle(faults, retryAfter: nil, &state)
    case .away(let words):
      state.tag = nil
      state.waiting = (document, tag)
      await settle(["fetched, but not pushed: \(words)"], retryAfter: nil, &state)
    }
  }

  private func settle(_ faults: [String], retryAfter: Int64?, _ state: inout SourceLoopState) async {
    let now = SteadyTime.now
    if faults.isEmpty {
      state.plan.succeed(now, random: .random(in: 0..<1))
    } else {
      state.plan.fail(now, retryAfter: retryAfter, random: .random(in: 0..<1))
    }
    state.faults = faults
    // The report is sent before the log message, so that an operator who reads the log finds the same state in the daemon.
    await link.report(source, faults: faults, nextMilliseconds: state.plan.due - now)
    if let line = state.journal.record(faults) { log.write(line, of: source) }
    log.updateStatus(source.game, isFailing: !faults.isEmpty)
  }
}
