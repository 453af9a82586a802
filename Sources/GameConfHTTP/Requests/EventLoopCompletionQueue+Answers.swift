// Lets the store use the server's completion queue, so that the answer to a write goes directly to its event loop.

import GameConfStorage
internal import GameConfServer

extension EventLoopCompletionQueue: CompletionQueue {}
