// The reader threads over PostgreSQL, each with its own connection, so that no read waits for the writer.

/// Two reader threads with a queue of reads.
final class PostgresReaders: Sendable {
  static let threads = 2

  private struct GuardedState {
    var jobs: [any ReaderJob<PostgresConnection>] = []
    var isOpen = false
    var isStopped = false
    var running = PostgresReaders.threads
    /// The number of readers with a connection.
    var connected = 0
  }

  private let settings: PostgresSettings
  private let guarded = Monitor(GuardedState())
  private let fleet: @Sendable () -> String?
  private let onFailure: @Sendable (DatabaseFailure) -> Void
  private let onConnection: @Sendable (ObserverThread, DatabaseFailure?) -> Void

  /// - Parameters:
  ///   - fleet: Returns the id of the served fleet; nil before the first connection.
  ///   - onFailure: Called when a connection failed.
  ///   - onConnection: Called when a reader has no connection, and when it has one again.
  init(
    _ settings: PostgresSettings, fleet: @escaping @Sendable () -> String?,
    onFailure: @escaping @Sendable (DatabaseFailure) -> Void, onConnection: @escaping @Sendable (ObserverThread, DatabaseFailure?) -> Void
  ) {
    self.settings = settings
    self.fleet = fleet
    self.onFailure = onFailure
    self.onConnection = onConnection
    for place in 0..<Self.threads {
      let isStarted = WorkerThread.start { [weak self] in
        while let readers = self, readers.serve(.reader(place)) {}
      }
      if !isStarted { guarded.change { $0.running -= 1 } }
    }
  }

  /// Enqueues a read.
  /// - Returns: False if the queue is full or stopped.
  func add(_ job: any ReaderJob<PostgresConnection>) -> Bool {
    guarded.change { guarded in
      guard guarded.jobs.count < StoreLimits.readsWaitingMax, !guarded.isStopped else { return false }
      guarded.jobs.append(job)
      return true
    }
  }

  /// Allows queued reads to begin, because the writer has opened the database.
  func open() { guarded.change { $0.isOpen = true } }

  /// Fails the queued reads, because the database will not be reachable soon.
  func failWaiting(_ error: StoreError) {
    guarded.change { $0.isOpen = false }
    fail(takeWaiting(), error)
  }

  private func takeWaiting() -> [any ReaderJob<PostgresConnection>] {
    guarded.change { guarded in
      defer { guarded.jobs = [] }
      return guarded.jobs
    }
  }

  private func fail(_ jobs: [any ReaderJob<PostgresConnection>], _ error: StoreError) { for job in jobs { job.fail(error) } }

  /// Ends the threads; queued reads fail.
  func stop() {
    guarded.change { $0.isStopped = true }
    failWaiting(.unavailable("the daemon is stopping"))
    guarded.wait { $0.running == 0 ? () : nil }
  }

  private enum ReaderTask {
    case stop
    /// Connects in advance, because connecting would take longer than the deadline of a read.
    case connect
    case run(any ReaderJob<PostgresConnection>)
  }

  private func next(isConnected: Bool) -> ReaderTask {
    guarded.wait { guarded in
      if guarded.isStopped { return .stop }
      if guarded.isOpen && !isConnected { return .connect }
      return guarded.isOpen && !guarded.jobs.isEmpty ? .run(guarded.jobs.removeFirst()) : nil
    }
  }

  /// Serves reads on one connection until it fails or the readers stop.
  /// - Returns: True if the thread must connect again.
  private func serve(_ reader: ObserverThread) -> Bool {
    var connection: PostgresConnection?
    defer {
      if let connection {
        guarded.change { $0.connected -= 1 }
        connection.close()
      }
    }
    while true {
      switch next(isConnected: connection != nil) {
      case .stop:
        guarded.change { $0.running -= 1 }
        return false
      case .connect:
        do throws(DatabaseFailure) {
          let made = try PostgresConnection(settings, for: .reading)
          made.patienceMilliseconds = settings.patienceMilliseconds
          try PostgresSchema.admit(fleet(), made)
          connection = made
          guarded.change { $0.connected += 1 }
          onConnection(reader, nil)
        } catch {
          // The writer finds out whether the database is unreachable. Queued reads fail only if no other reader has a connection.
          if guarded.change({ $0.connected == 0 }) { fail(takeWaiting(), .failed("\(error)")) }
          onConnection(reader, error)
          onFailure(error)
          _ = guarded.wait(milliseconds: .random(in: 200...600)) { $0.isStopped ? () : nil }
          return true
        }
      case .run(let job):
        guard job.isAwaited, let open = connection else { continue }
        if let error = job.run(on: open) {
          job.fail(.failed("\(error)"))
          onFailure(error)
          return true
        }
      }
    }
  }
}

extension ReadJob where Connection == PostgresConnection {
  /// Creates a read of the state that is committed when the read begins. If the connection ends, the reader's thread fails the read.
  convenience init(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Answer, _ grammar: PostgresGrammar, shared: StoreMonitor,
    _ continuation: CheckedContinuation<Result<Answer, StoreError>, Never>
  ) {
    self.init(continuation) { connection, finish in
      let transaction = PostgresTransaction(connection, grammar)
      transaction.add(PostgresCommand("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"))
      let floors = ReadTransaction.RevisionFloors(revisions: [:], players: shared.floors.players)
      let view = ReadTransaction(transaction, floors: floors, noting: shared.noteUnreadable)
      let result = Result { try body(view) }
      switch (result, transaction.failure) {
      case (.success(let answer), nil): finish(.success(answer))
      case (_, let failure?) where failure.kind == .disconnected || failure.kind == .busy:
        return failure
      case (_, let failure?): finish(.failure(.failed("\(failure)")))
      case (.failure(let error), nil): finish(.failure(view.failure?.storeError ?? StoreError(caught: error)))
      }
      do throws(DatabaseFailure) {
        _ = try transaction.round([PostgresCommand(transaction.failure == nil ? "COMMIT" : "ROLLBACK")])
        return nil
      } catch { return error }
    }
  }
}
