// Lets another thread cancel a call while the call's own thread waits for the answer.

import Synchronization

/// The cancellation state of one call: a flag, and the connection that the call uses, which is closed to end its wait.
final class CallCancellation: Sendable {
  private let state: Mutex<(isCancelled: Bool, connection: ClientConnection?)> = Mutex((false, nil))

  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// Sets the connection that the call uses from now on.
  /// - Throws: `cancelled` if the call was cancelled before.
  func use(_ connection: ClientConnection) throws(TransportError) {
    let isCancelled = state.withLock { state in
      state.connection = connection
      return state.isCancelled
    }
    if isCancelled { throw .cancelled }
  }

  /// Cancels the call. Closes the connection that it uses, so that the thread that waits for the answer wakes up.
  func cancel() {
    let connection = state.withLock { state in
      state.isCancelled = true
      return state.connection
    }
    connection?.close()
  }

  /// Runs a call's blocking work on a separate thread. If the caller's task is cancelled, cancels the call and throws `cancelled`.
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
