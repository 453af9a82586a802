import Testing
@Test func placeholderGameConfEngineTests() {}
