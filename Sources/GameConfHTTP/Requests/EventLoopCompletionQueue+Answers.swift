// The server's way to an event loop as the store's way to its callers.

internal import GameConfEngine
internal import GameConfServer

extension EventLoopCompletionQueue: CompletionQueue {}
