package flags

import "os"

// hangup is SIGHUP, nil where there is none.
var hangup os.Signal
