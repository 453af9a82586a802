// Reloads when a catalog's file is saved, for those who edit one beside a running daemon.

import ServiceLifecycle

/// Looks at the files' times and reloads when they have changed, stand still and are closed.
struct CatalogWatchService: Service {
  let folders: CatalogFolders
  let reloading: CatalogReloader
  /// The stamps of the files before they were read at the start.
  let seen: [String: FileStamp]

  /// The number of looks for which a file that a process keeps open for writing is waited for.
  private static let openLooksMax = 60

  func run() async throws {
    var listings = FolderListings()
    var known = seen
    var isSettling = false
    var openLooks = 0
    for await _ in HalfSeconds().cancelOnGracefulShutdown() {
      let now = folders.fingerprint(&listings)
      if now != known {
        // An editor may still be writing: it is read when two looks in a row see the same, and the file is closed.
        (isSettling, openLooks) = (true, 0)
      } else if isSettling {
        openLooks += 1
        if openLooks > Self.openLooksMax || !now.keys.contains(where: FolderFiles.isBeingWritten) {
          isSettling = false
          await reloading(because: .saved)
        }
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
