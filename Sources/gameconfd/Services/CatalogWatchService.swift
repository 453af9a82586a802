// Reloads the catalogs when a file is saved (`--watch`), for developers who edit catalogs while the daemon runs.

import ServiceLifecycle

/// Polls the stamps of catalog files. After a change it reloads, once no file changes any more and no process has one open for writing.
struct CatalogWatchService: Service {
  let folders: CatalogFolders
  let reloading: CatalogReloader
  /// The stamps of the catalog files. They were taken before the daemon read the files at its start.
  let seen: [String: FileStamp]

  /// The number of polls after which a file is read although a process still has it open for writing.
  private static let openLooksMax = 60

  func run() async throws {
    var listings = FolderListings()
    var known = seen
    var isSettling = false
    var openLooks = 0
    for await _ in HalfSeconds().cancelOnGracefulShutdown() {
      let now = folders.fingerprint(&listings)
      if now != known {
        // Debounce: an editor may still be writing. Two equal polls and closed files show that it has finished.
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

/// A sequence with an element every half second, until its task is cancelled.
struct HalfSeconds: AsyncSequence {
  struct AsyncIterator: AsyncIteratorProtocol {
    func next() async -> Void? {
      do { return try await Task.sleep(for: .milliseconds(500)) } catch { return nil }
    }
  }

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator() }
}
