package brain

import "tengen/brain/eval"

// An Evaluation is what an engine values positions by.
type Evaluation = eval.Evaluation

// DefaultEvaluation returns the evaluation by the networks and tables that the program
// carries.
func DefaultEvaluation() *Evaluation { return eval.Carried() }

// TablesEvaluation returns the evaluation by the tables that the program carries, under all
// rules.
func TablesEvaluation() *Evaluation { return eval.ByTables() }
