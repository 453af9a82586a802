// Cancels a call from another thread than the one that waits for its answer.

import Synchronization

/// The connection that a call uses at present, and whether the call is cancelled.
final class CallCancellation: Sendable {
  private let state: Mutex<(isCancelled: Bool, connection: ClientConnection?)> = Mutex((false, nil))

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets the connection that the call uses from now on.
  func use(_ connection: ClientConnection) throws(TransportError) {
    let isCancelled = state.withLock { state in
      state.connection = connection
      return state.isCancelled
    }
    if isCancelled { throw .cancelled }
  }

  /// Cancels the call, or its wait for a connection.
  func cancel() {
    let connection = state.withLock { state in
      state.isCancelled = true
      return state.connection
    }
    connection?.close()
  }

  /// Runs work on a separate thread and cancels it with the task.
  func run<Outcome: Sendable>(
    _ work: @escaping @Sendable () throws(TransportError) -> Outcome
  ) async throws(TransportError) -> Outcome {
    let result = await withTaskCancellationHandler {
      await OwnThread.run { () -> Result<Outcome, TransportError> in
        do throws(TransportError) { return .success(try work()) } catch { return .failure(error) }
      }
    } onCancel: {
      cancel()
    }
    do throws(TransportError) { return try result.get() } catch { throw isCancelled ? .cancelled : error }
  }
}
