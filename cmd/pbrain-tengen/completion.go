package main

import (
	"flag"
	"fmt"
	"slices"
	"strings"

	"tengen/brain"
	"tengen/brain/board"
	"tengen/cmd/internal/evalflags"
	"tengen/cmd/internal/flags"
)

const completionDoc = `Prints a script by which a shell completes the command line of pbrain-tengen:

    source <(pbrain-tengen completion bash)                         # in ~/.bashrc
    pbrain-tengen completion zsh > "${fpath[1]}/_pbrain-tengen"     # once, for zsh`

// completion prints the script for a shell. The script knows the commands and flags of this
// program.
func completion(r invocation) error {
	var s strings.Builder
	switch shell := r.args[0]; shell {
	case "bash":
		bashCompletion(&s)
	case "zsh":
		zshCompletion(&s)
	default:
		return flags.Usage("completion for %s: want bash or zsh", shell)
	}
	_, err := r.stdout.WriteString(s.String())
	return err
}

// files stands for the names of files where words complete an argument.
const files = "FILE"

// valueWords returns what completes the value of a flag, files for files, nothing if it is a
// number. isBool tells that it has no value.
func valueWords(f *flag.Flag) (words []string, isBool bool) {
	if b, ok := f.Value.(interface{ IsBoolFlag() bool }); ok && b.IsBoolFlag() {
		return nil, true
	}
	switch name, _ := flag.UnquoteUsage(f); name {
	case "FILE":
		return []string{files}, false
	case "RULE":
		for _, r := range board.NamedRules() {
			words = append(words, r.FileName())
		}
	case "KIND":
		words = []string{"vcf", "vct"}
	}
	return words, false
}

// argumentWords returns what completes an argument of the command.
func (c *command) argumentWords() []string {
	switch {
	case c.operands.Most == 0:
		return nil
	case c.complete == nil:
		return []string{files}
	}
	return c.complete
}

func bashCompletion(s *strings.Builder) {
	var values, names strings.Builder // cases of the value of a flag, and of other words
	var skip []string                 // flags before the command that have a value
	one := func(command string, list []*flag.Flag, arguments []string) {
		words := []string{"-help"}
		for _, f := range list {
			words = append(words, "-"+f.Name)
			value, isBool := valueWords(f)
			if isBool {
				continue
			}
			fmt.Fprintf(&values, "\t%s,-%s) %s ;;\n", command, f.Name, bashWords(value))
			if command == "" {
				skip = append(skip, "-"+f.Name)
			}
		}
		fmt.Fprintf(&names, "\t%s,-*) %s ;;\n", command, bashWords(words))
		fmt.Fprintf(&names, "\t%s,*) %s ;;\n", command, bashWords(arguments))
	}
	var all []string
	for _, c := range commands() {
		all = append(all, c.name)
	}
	one("", flagsOf(globalFlags(new(evalflags.Flags), new(brain.Config))), all)
	for _, c := range commands() {
		one(c.name, c.flags(), c.argumentWords())
	}
	fmt.Fprintf(s, `# Completion for bash: source <(pbrain-tengen completion bash)
_pbrain_tengen() {
	local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= words= files= i
	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		%s) ((i++)) ;;
		-*) ;;
		*) command=${COMP_WORDS[i]}; break ;;
		esac
	done
	case $command,$previous in
%s	*) case $command,$current in
%s	esac ;;
	esac
	COMPREPLY=($(compgen -W "$words" -- "$current"))
	local IFS=$'\n' # names of files may have blanks
	[[ -n $files ]] && COMPREPLY+=($(compgen -f -- "$current"))
}
complete -o filenames -F _pbrain_tengen pbrain-tengen
`, strings.Join(skip, "|"), values.String(), names.String())
}

// bashWords returns the assignments that offer the words.
func bashWords(words []string) string {
	if slices.Contains(words, files) {
		return "files=1"
	}
	return "words='" + strings.Join(words, " ") + "'"
}

func zshCompletion(s *strings.Builder) {
	s.WriteString("#compdef pbrain-tengen\n# Completion for zsh: pbrain-tengen completion zsh > \"${fpath[1]}/_pbrain-tengen\"\n" +
		"_pbrain_tengen() {\n\tlocal line state\n\t_arguments -C \\\n")
	for _, f := range flagsOf(globalFlags(new(evalflags.Flags), new(brain.Config))) {
		fmt.Fprintf(s, "\t\t%s \\\n", zshFlag(f))
	}
	s.WriteString("\t\t'(-)-help[prints the help]' \\\n\t\t'1:command:->command' \\\n\t\t'*::argument:->argument'\n" +
		"\tcase $state in\n\tcommand)\n\t\tlocal -a list=(\n")
	for _, c := range commands() {
		summary, _, _ := strings.Cut(c.summary, ";")
		fmt.Fprintf(s, "\t\t\t%s\n", zshQuote(c.name+":"+summary))
	}
	s.WriteString("\t\t)\n\t\t_describe command list ;;\n\targument)\n\t\tcase $words[1] in\n")
	for _, c := range commands() {
		fmt.Fprintf(s, "\t\t%s)\n\t\t\t_arguments \\\n", c.name)
		for _, f := range c.flags() {
			fmt.Fprintf(s, "\t\t\t\t%s \\\n", zshFlag(f))
		}
		if words := c.argumentWords(); words != nil {
			fmt.Fprintf(s, "\t\t\t\t%s \\\n", zshQuote("*:"+strings.ReplaceAll(c.operands.What, ":", " ")+":"+zshAction(words)))
		}
		s.WriteString("\t\t\t\t'(-)-help[prints the help]' ;;\n")
	}
	s.WriteString("\t\tesac ;;\n\tesac\n}\n" +
		"if [[ $funcstack[1] == _pbrain-tengen ]]; then _pbrain_tengen \"$@\"; else compdef _pbrain_tengen pbrain-tengen; fi\n")
}

// zshFlag returns a flag as _arguments wants it, quoted.
func zshFlag(f *flag.Flag) string {
	name, usage := flag.UnquoteUsage(f)
	usage = strings.NewReplacer("[", "(", "]", ")", ":", ";", `\`, "").Replace(usage)
	spec := "*-" + f.Name + "[" + usage + "]"
	if words, isBool := valueWords(f); !isBool {
		if name == "" {
			name = "value"
		}
		spec += ":" + name + ":" + zshAction(words)
	}
	return zshQuote(spec)
}

// zshAction returns the action of _arguments that offers the words.
func zshAction(words []string) string {
	switch {
	case len(words) == 0:
		return " "
	case slices.Contains(words, files):
		return "_files"
	}
	return "(" + strings.Join(words, " ") + ")"
}

func zshQuote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
