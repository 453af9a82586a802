// The reader threads, each with its own connection, so that no read waits for the writer.

/// Two reader threads, and the registry of all connections that read.
final class SQLiteReaders: Sendable {
  private static let threads = 2

  private struct GuardedState {
    var jobs: [any ReaderJob<SQLiteConnection>] = []
    var isOpen = false
    var isStopped = false
    var connections: [Int: SQLiteConnection] = [:]
    var connecting = 0
    var lastNumber = 0
  }

  private let file: DatabaseFile
  private let guarded = Monitor(GuardedState())
  private let onFailure: @Sendable (DatabaseFailure) -> Void

  /// - Parameter onFailure: Called with a reader's failure that affects more than one read.
  init(file: DatabaseFile, onFailure: @escaping @Sendable (DatabaseFailure) -> Void) {
    self.file = file
    self.onFailure = onFailure
    for _ in 0..<Self.threads {
      _ = WorkerThread.start { [weak self] in
        while let readers = self, readers.step() {}
      }
    }
  }

  /// Enqueues a read.
  /// - Returns: False if the queue is full.
  func add(_ job: any ReaderJob<SQLiteConnection>) -> Bool {
    // While the readers are open, only readers wait, and each of them can take any read.
    guarded.changeForOne { guarded in
      guard guarded.jobs.count < StoreLimits.readsWaitingMax, !guarded.isStopped else { return false }
      guarded.jobs.append(job)
      return true
    }
  }

  /// Allows queued reads to begin, because the writer has opened the database.
  func open() { guarded.change { $0.isOpen = true } }

  /// Stops new reads, interrupts running ones, and waits until all connections are closed.
  func close() {
    let connections = guarded.change { guarded in
      guarded.isOpen = false
      return Array(guarded.connections.values)
    }
    for connection in connections { connection.interrupt() }
    guarded.wait { $0.connections.isEmpty && $0.connecting == 0 ? () : nil }
  }

  /// Ends the threads; queued reads fail.
  func stop() {
    close()
    let jobs = guarded.change { guarded in
      guarded.isStopped = true
      defer { guarded.jobs = [] }
      return guarded.jobs
    }
    for job in jobs { job.fail(.unavailable("the daemon is stopping")) }
  }

  /// Fails the queued reads, because the database will not be open soon.
  func failWaiting(_ error: StoreError) {
    let jobs = guarded.change { guarded in
      defer { guarded.jobs = [] }
      return guarded.jobs
    }
    for job in jobs { job.fail(error) }
  }

  /// Runs a long read on a connection of its own.
  /// - Returns: nil if the database is not open.
  func withConnection<Answer>(_ body: (SQLiteConnection) throws -> Answer) throws -> Answer? {
    guard let (number, connection) = try connect() else { return nil }
    defer { disconnect(number, connection) }
    return try body(connection)
  }

  private enum ReaderTask {
    case stop
    case disconnect
    case run(any ReaderJob<SQLiteConnection>)
  }

  /// Serves reads on one connection until the readers are closed or stopped.
  private func step() -> Bool {
    let isStopped = guarded.wait { guarded in guarded.isStopped ? true : guarded.isOpen && !guarded.jobs.isEmpty ? false : nil }
    if isStopped { return false }
    do {
      guard let (number, connection) = try connect() else { return true }
      defer { disconnect(number, connection) }
      while true {
        switch next() {
        case .stop: return false
        case .disconnect: return true
        case .run(let job):
          guard job.isAwaited else { continue }
          if let failure = job.run(on: connection) {
            onFailure(failure)
            return true
          }
        }
      }
    } catch {
      let failure = DatabaseFailure(error)
      failWaiting(failure.storeError)
      onFailure(failure)
      return true
    }
  }

  private func next() -> ReaderTask {
    guarded.wait { guarded in
      if guarded.isStopped { return .stop }
      if !guarded.isOpen { return .disconnect }
      return guarded.jobs.isEmpty ? nil : .run(guarded.jobs.removeFirst())
    }
  }

  private func connect() throws -> (Int, SQLiteConnection)? {
    let isOpen = guarded.change { guarded in
      if guarded.isOpen { guarded.connecting += 1 }
      return guarded.isOpen
    }
    guard isOpen else { return nil }
    let connection = Result { try file.connectReading() }
    let number: Int? = guarded.change { guarded in
      guarded.connecting -= 1
      guard case .success(let connection) = connection else { return nil }
      guarded.lastNumber += 1
      guarded.connections[guarded.lastNumber] = connection
      if !guarded.isOpen { connection.interrupt() }
      return guarded.lastNumber
    }
    return try number.map { ($0, try connection.get()) } ?? connection.map { _ in nil }.get()
  }

  private func disconnect(_ number: Int, _ connection: SQLiteConnection) {
    connection.close()
    guarded.change { $0.connections[number] = nil }
  }
}

extension ReadJob where Connection == SQLiteConnection {
  /// Creates a read of the state that is committed when the read begins.
  convenience init(
    _ body: @escaping @Sendable (ReadTransaction) throws -> Answer, shared: StoreMonitor,
    _ continuation: CheckedContinuation<Result<Answer, StoreError>, Never>
  ) {
    self.init(continuation) { connection, finish in
      let view = ReadTransaction(connection, floors: shared.floors, noting: shared.noteUnreadable)
      do {
        try connection.run("BEGIN")
        defer { if connection.isInsideTransaction { try? connection.run("COMMIT") } }
        finish(.success(try body(view)))
        return nil
      } catch {
        let failure = view.failure ?? error as? DatabaseFailure
        finish(.failure(failure?.storeError ?? StoreError(caught: error)))
        return failure?.kind == .damaged ? failure : nil
      }
    }
  }
}
