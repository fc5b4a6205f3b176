package board

// For claims_test.go, which is outside the package because it imports rooms above it.
var CheckClaim = checkClaim
