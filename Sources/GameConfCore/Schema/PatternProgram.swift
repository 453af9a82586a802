// Compiles a regular expression to the instructions of an NFA (Thompson's construction), and simulates all its threads in parallel (Pike's
// virtual machine).

/// A compiled regular expression: the instructions of an NFA. For each character of the text, at most one thread executes each instruction,
/// which makes matching linear.
struct PatternProgram: Sendable {
  private enum PatternInstruction: Sendable {
    case scalar(UInt32)
    case oneOf(Int)
    case assertion(PatternAssertion)
    case split(Int, Int)
    case jump(Int)
    case found
  }

  private var steps: [PatternInstruction] = []
  private var classes: [PatternClass] = []
  private var classNumbers: [PatternClass: Int] = [:]

  init(compiling node: PatternNode) {
    emit(node)
    steps.append(.found)
    classNumbers = [:]
  }

  private mutating func emit(_ node: PatternNode) {
    switch node {
    case .empty: break
    case .scalar(let scalar): steps.append(.scalar(scalar))
    case .assertion(let assertion): steps.append(.assertion(assertion))
    case .sequence(let nodes): for node in nodes { emit(node) }
    case .oneOf(let set):
      let number = classNumbers[set] ?? classes.count
      if number == classes.count {
        classes.append(set)
        classNumbers[set] = number
      }
      steps.append(.oneOf(number))
    case .choice(let nodes):
      var jumps: [Int] = []
      for node in nodes.dropLast() {
        let split = steps.count
        steps.append(.split(split + 1, 0))
        emit(node)
        jumps.append(steps.count)
        steps.append(.jump(0))
        steps[split] = .split(split + 1, steps.count)
      }
      if let last = nodes.last { emit(last) }
      for jump in jumps { steps[jump] = .jump(steps.count) }
    case .repeated(let node, let least, let most):
      for _ in 0..<least { emit(node) }
      if let most { emitOptional(node, times: most - least) } else { emitLoop(node) }
    }
  }

  private mutating func emitLoop(_ node: PatternNode) {
    let split = steps.count
    steps.append(.split(split + 1, 0))
    emit(node)
    steps.append(.jump(split))
    steps[split] = .split(split + 1, steps.count)
  }

  private mutating func emitOptional(_ node: PatternNode, times: Int) {
    var splits: [Int] = []
    for _ in 0..<times {
      splits.append(steps.count)
      steps.append(.split(steps.count + 1, 0))
      emit(node)
    }
    for split in splits { steps[split] = .split(split + 1, steps.count) }
  }

  /// True if a thread of the NFA that starts at any position of the text reaches the end of the program.
  /// - Parameters:
  ///   - count: A counter, to which the number of executed instructions is added.
  ///   - stepsMax: The count at which matching stops without a match.
  func matches(in text: String, steps count: inout Int, atMost stepsMax: Int) -> Bool {
    var threads = PatternThreads(steps.count)
    var coming = PatternThreads(steps.count)
    var scalars = text.unicodeScalars.makeIterator()
    var before: UInt32?
    var after = scalars.next()?.value
    while true {
      if add(0, to: &threads, between: before, and: after, count: &count) { return true }
      guard let scalar = after, count < stepsMax else { return false }
      after = scalars.next()?.value
      for thread in threads.waiting {
        count += 1
        let moves: Bool
        switch steps[thread] {
        case .scalar(let wanted): moves = scalar == wanted
        case .oneOf(let number): moves = classes[number].contains(scalar)
        default: moves = false
        }
        if moves, add(thread + 1, to: &coming, between: scalar, and: after, count: &count) { return true }
      }
      before = scalar
      swap(&threads, &coming)
      coming.clear()
    }
  }

  /// Adds a thread at an instruction, and all threads that are reachable from it without consuming a character (the epsilon closure).
  /// Returns true if one of them has reached the end of the program.
  private func add(
    _ start: Int, to threads: inout PatternThreads, between before: UInt32?, and after: UInt32?, count: inout Int
  ) -> Bool {
    threads.pending.append(start)
    while let at = threads.pending.popLast() {
      count += 1
      guard threads.enter(at) else { continue }
      switch steps[at] {
      case .found: return true
      case .jump(let target): threads.pending.append(target)
      case .split(let first, let second):
        threads.pending.append(second)
        threads.pending.append(first)
      case .assertion(let assertion):
        if holds(assertion, between: before, and: after) { threads.pending.append(at + 1) }
      case .scalar, .oneOf: threads.waiting.append(at)
      }
    }
    return false
  }

  private func holds(_ assertion: PatternAssertion, between before: UInt32?, and after: UInt32?) -> Bool {
    let isBoundary = before.map(PatternClass.word.contains) ?? false != after.map(PatternClass.word.contains) ?? false
    return switch assertion {
    case .start: before == nil
    case .end: after == nil
    case .wordBoundary: isBoundary
    case .noWordBoundary: !isBoundary
    }
  }
}

/// The threads of the NFA that wait for the next character, at most one at each instruction.
private struct PatternThreads {
  var waiting: [Int] = []
  var pending: [Int] = []
  private var entered: [UInt32]
  private var generation: UInt32 = 1

  init(_ steps: Int) { entered = [UInt32](repeating: 0, count: steps) }

  mutating func enter(_ step: Int) -> Bool {
    if entered[step] == generation { return false }
    entered[step] = generation
    return true
  }

  mutating func clear() {
    waiting.removeAll(keepingCapacity: true)
    generation += 1
  }
}
