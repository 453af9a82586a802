// A cache with least-recently-used eviction.

/// A dictionary of bounded cost that evicts the least recently used values. Reading and setting take constant time.
package struct LRUCache<Key: Hashable, Element> {
  fileprivate struct Node {
    var key: Key
    var value: Element
    var cost: Int
    var newer: Int?
    var older: Int?
  }

  private let costMax: Int
  private var cost = 0
  private var positions: [Key: Int] = [:]
  private var nodes: [Node?] = []
  private var free: [Int] = []
  private var newest: Int?
  private var oldest: Int?

  /// - Parameter costMax: The limit of the total cost; the newest value stays even if it alone exceeds the limit.
  package init(costMax: Int) { self.costMax = costMax }

  package var count: Int { positions.count }

  /// Returns the value of a key, and makes it the most recently used.
  package mutating func value(of key: Key) -> Element? {
    guard let at = positions[key] else { return nil }
    if newest != at {
      unlink(at)
      linkNewest(at)
    }
    return nodes[at]?.value
  }

  /// Changes the value of a key if the key is cached. The change does not count as use.
  mutating func change(_ key: Key, _ body: (inout Element) -> Void) {
    guard let at = positions[key], var node = nodes[at] else { return }
    body(&node.value)
    nodes[at] = node
  }

  /// Sets a value as the most recently used, and evicts others while the total cost exceeds the limit.
  package mutating func set(_ value: Element, for key: Key, cost: Int) {
    let at: Int
    if let known = positions[key] {
      at = known
      self.cost += cost - (nodes[at]?.cost ?? 0)
      nodes[at]?.value = value
      nodes[at]?.cost = cost
      if newest != at {
        unlink(at)
        linkNewest(at)
      }
    } else {
      let node = Node(key: key, value: value, cost: cost)
      if let place = free.popLast() {
        at = place
        nodes[at] = node
      } else {
        at = nodes.count
        nodes.append(node)
      }
      positions[key] = at
      self.cost += cost
      linkNewest(at)
    }
    while self.cost > costMax, let oldest, oldest != at { remove(oldest) }
  }

  mutating func removeValue(of key: Key) { if let at = positions[key] { remove(at) } }

  /// Removes every value whose key meets a condition.
  package mutating func removeAll(where isGone: (Key) -> Bool) { for (key, at) in positions where isGone(key) { remove(at) } }

  mutating func removeAll() { self = LRUCache(costMax: costMax) }

  private mutating func remove(_ at: Int) {
    guard let node = nodes[at] else { return }
    unlink(at)
    positions[node.key] = nil
    cost -= node.cost
    nodes[at] = nil
    free.append(at)
  }

  private mutating func unlink(_ at: Int) {
    guard let node = nodes[at] else { return }
    if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
    if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
  }

  private mutating func linkNewest(_ at: Int) {
    nodes[at]?.newer = nil
    nodes[at]?.older = newest
    if let newest { nodes[newest]?.newer = at }
    newest = at
    if oldest == nil { oldest = at }
  }
}

extension LRUCache.Node: Sendable where Key: Sendable, Element: Sendable {}
extension LRUCache: Sendable where Key: Sendable, Element: Sendable {}
