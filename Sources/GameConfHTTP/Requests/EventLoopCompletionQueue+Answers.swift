// The server's way to an event loop as the store's way to its callers.

import GameConfStorage
internal import GameConfServer

extension EventLoopCompletionQueue: CompletionQueue {}
