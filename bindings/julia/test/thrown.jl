# SPDX-License-Identifier: Apache-2.0
"Return the exception that a call throws. A call that throws none is an error."
function thrown(f)
    try
        f()
    catch e
        return e
    end
    error("expected a failure, got none")
end
