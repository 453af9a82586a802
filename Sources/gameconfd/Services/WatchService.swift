// Reloads when a catalog's file is saved, for those who edit one beside a running daemon.

import ServiceLifecycle

/// Looks at the files' times and reloads when they have changed and then stood still.
struct WatchService: Service {
  let folders: CatalogFolders
  let reloading: Reloading
  /// What the files were before they were read at the start.
  let seen: [String: FileStamp]

  func run() async throws {
    var known = seen
    var isSettling = false
    for await _ in HalfSeconds().cancelOnGracefulShutdown() {
      let now = folders.fingerprint()
      if now != known {
        // An editor may still be writing: it is read when two looks in a row see the same.
        isSettling = true
      } else if isSettling {
        isSettling = false
        await reloading(because: .saved)
      }
      known = now
    }
  }
}

/// A tick each half second for as long as it is listened to.
struct HalfSeconds: AsyncSequence {
  struct AsyncIterator: AsyncIteratorProtocol {
    func next() async -> Void? {
      do { return try await Task.sleep(for: .milliseconds(500)) } catch { return nil }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
