// Makes the folder of TestSupport visible to all files of this target, without an import in each.

import TestSupport

typealias TemporaryFolder = TestSupport.TemporaryFolder
