package brain

import "tengen/brain/eval"

// An Evaluation is what an engine values positions by.
type Evaluation = eval.Evaluation

// DefaultEvaluation returns the evaluation by the networks and tables that the program
// carries.
func DefaultEvaluation() *Evaluation { return eval.Carried() }
