// A first-in, first-out queue in an array.

/// A first-in, first-out queue in an array. An empty queue retains the memory of a small array for later elements, and frees a large one.
struct ReusableQueue<Element> {
  private var elements: [Element?] = []
  private var head = 0

  var isEmpty: Bool { head == elements.count }
  var count: Int { elements.count - head }

  mutating func append(_ element: Element) { elements.append(element) }

  mutating func popFirst() -> Element? {
    if isEmpty { return nil }
    let first = elements[head]
    elements[head] = nil
    head += 1
    if head == elements.count {
      elements.removeAll(keepingCapacity: elements.count <= 1_024)
      head = 0
    } else if head >= 1_024, head * 2 >= elements.count {
      elements.removeFirst(head)
      head = 0
    }
    return first
  }
}
