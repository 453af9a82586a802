// The folder of a test, under the name that the tests of the daemon use.

import TestSupport

typealias TemporaryFolder = TestSupport.TemporaryFolder
