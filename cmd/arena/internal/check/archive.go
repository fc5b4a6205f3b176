package check

import (
	"archive/zip"
	"debug/elf"
	"debug/macho"
	"debug/pe"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Limits of an archive.
const (
	gomocupArchive = 8 << 20   // bytes that need no permission
	mostUnpacked   = 512 << 20 // bytes
	mostEntries    = 10_000
)

// An Archive is a submission to Gomocup, unpacked.
type Archive struct {
	Folder  string   // where it is
	Results []Result // of the checks of the archive
	players map[string]string
}

// Player returns the path of the program that plays in a league, "" for none. Several leagues may have
// the same one.
func (a *Archive) Player(l League) string { return a.players[l.Name] }

// OpenArchive unpacks an archive into an empty folder and checks it. The error is that it cannot be
// unpacked at all.
func OpenArchive(name, folder string) (*Archive, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	z, err := zip.OpenReader(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer z.Close()
	a := &Archive{Folder: folder, players: map[string]string{}}
	add := func(name string, err error, right string) {
		result := Result{Group: "archive", Name: name, Verdict: Pass, Text: right}
		if f := (*finding)(nil); errors.As(err, &f) {
			result.Verdict, result.Text = f.verdict, f.text
		}
		a.Results = append(a.Results, result)
	}
	var large error
	if info.Size() > gomocupArchive {
		large = warnf("%.1f MB; Gomocup takes more than %d MB with permission only", float64(info.Size())/(1<<20), gomocupArchive>>20)
	}
	add("size", large, fmt.Sprintf("%.1f MB, up to %d MB need no permission", float64(info.Size())/(1<<20), gomocupArchive>>20))
	unpacked, err := unpack(&z.Reader, folder)
	if f := (*finding)(nil); err != nil && !errors.As(err, &f) {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	add("files", err, fmt.Sprintf("all files can be unpacked: %d", unpacked))
	programs, err := topPrograms(folder)
	add("program", err, "programs: "+strings.Join(programs, ", "))
	for _, program := range programs {
		add(program, nameFault(program), "its name is what Gomocup and Piskvork look for")
		raw := filepath.Join(folder, program)
		needs, err := needed(raw, folder)
		add("libraries of "+program, err, needs)
	}
	for _, l := range Leagues {
		program, err := choose(programs, l)
		add(l.Name, err, "is played by "+program)
		if program != "" {
			a.players[l.Name] = filepath.Join(folder, program)
		}
	}
	return a, nil
}

// unpack writes the files of an archive, and returns their number. Names that leave the folder are a
// fault.
func unpack(z *zip.Reader, folder string) (n int, err error) {
	if len(z.File) > mostEntries {
		return 0, failf("%d files; want at most %d", len(z.File), mostEntries)
	}
	var total int64
	for _, f := range z.File {
		name := strings.ReplaceAll(f.Name, `\`, "/")
		if !filepath.IsLocal(filepath.FromSlash(name)) || strings.Contains(name, ":") {
			return n, failf("%.60q is no name of a file in a folder", f.Name)
		}
		to := filepath.Join(folder, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(to, 0o755); err != nil {
				return n, err
			}
			continue
		}
		if !f.Mode().IsRegular() {
			return n, failf("%.60q is no plain file", f.Name)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return n, err
		}
		size, err := unpackFile(f, to, mostUnpacked-total)
		if total += size; err != nil {
			return n, err
		}
		n++
	}
	return n, nil
}

func unpackFile(f *zip.File, to string, most int64) (int64, error) {
	in, err := f.Open()
	if err != nil {
		return 0, failf("%.60q: %v", f.Name, err)
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o755)
	if errors.Is(err, os.ErrExist) {
		return 0, failf("%.60q is there twice", f.Name)
	}
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(out, io.LimitReader(in, most+1))
	if closed := out.Close(); closed != nil {
		return n, closed
	}
	switch {
	case err != nil:
		return n, failf("%.60q: %v", f.Name, err)
	case n > most:
		return n, failf("more than %d MiB unpacked", mostUnpacked>>20)
	}
	return n, nil
}

// topPrograms lists the programs at the top of a folder that can be asked to play: by Gomocup those that
// begin with pbrain, if there are any.
func topPrograms(folder string) (names []string, err error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	var others []string
	for _, e := range entries {
		lower := strings.ToLower(e.Name())
		switch {
		case e.IsDir() || !strings.HasSuffix(lower, ".exe") && !isELF(filepath.Join(folder, e.Name())):
		case strings.HasPrefix(lower, "pbrain"):
			names = append(names, e.Name())
		default:
			others = append(others, e.Name())
		}
	}
	switch {
	case len(names) > 0:
		return names, nil
	case len(others) > 0:
		return nil, failf("no program begins with pbrain-, such as pbrain-%s: Gomocup would play it by the old protocol of files", others[0])
	}
	var below string
	filepath.WalkDir(folder, func(name string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && below == "" && strings.HasSuffix(strings.ToLower(name), ".exe") {
			below, _ = filepath.Rel(folder, name)
		}
		return nil
	})
	if below != "" {
		return nil, failf("no program at the top of the archive; there is %s, which Gomocup does not find", filepath.ToSlash(below))
	}
	return nil, failf("no program, which is a file pbrain-NAME.exe")
}

func isELF(name string) bool {
	f, err := elf.Open(name)
	if err != nil {
		return false
	}
	f.Close()
	return f.Type == elf.ET_EXEC || f.Type == elf.ET_DYN && f.Section(".interp") != nil
}

// nameFault says what is wrong with the name of a program.
func nameFault(name string) error {
	switch lower := strings.ToLower(name); {
	case strings.ContainsAny(name, " \t'\"\\"):
		return failf("a name with blanks or quotes cannot be started by Gomocup's manager")
	case !strings.HasPrefix(lower, "pbrain-"):
		return failf("Piskvork wants a name that begins with pbrain-")
	case !strings.HasSuffix(lower, ".exe"):
		return warnf("Gomocup plays programs that end in .exe")
	}
	return nil
}

// suffixes of a name that choose a program for a league.
var leagueRules, leagueSizes = []string{"freestyle", "standard", "renju", "caro"}, []string{"15", "20"}

// meant returns the rule and the size that the name of a program asks for, "" for any.
func meant(name string) (rule, size string) {
	base := strings.ToLower(strings.TrimSuffix(name, path.Ext(name)))
	for _, bits := range []string{"_64", "-64", "64"} {
		if short, ok := strings.CutSuffix(base, bits); ok {
			base = short
			break
		}
	}
	for _, r := range leagueRules {
		for _, s := range leagueSizes {
			if strings.HasSuffix(base, "_"+r+"-"+s) {
				return r, s
			}
		}
	}
	for _, r := range leagueRules {
		if strings.HasSuffix(base, "_"+r) {
			return r, ""
		}
	}
	for _, s := range leagueSizes {
		if strings.HasSuffix(base, "_"+s) {
			return "", s
		}
	}
	return "", ""
}

// choose returns the program that Gomocup's manager plays in a league.
func choose(programs []string, l League) (string, error) {
	rule, size, _ := strings.Cut(l.Name, "-")
	worth := func(name string) int {
		r, s := meant(name)
		points := 0
		switch {
		case r != "" && r != rule || s != "" && s != size:
			return 0
		case r != "" && s != "":
			points = 4
		case r != "":
			points = 3
		case s != "":
			points = 2
		default:
			points = 1
		}
		if points *= 2; strings.Contains(name, "64") {
			points++
		}
		return points
	}
	if len(programs) == 0 {
		return "", failf("no program plays it")
	}
	list := slices.Clone(programs)
	slices.SortStableFunc(list, func(a, b string) int { return worth(b) - worth(a) })
	switch {
	case worth(list[0]) == 0 && len(list) > 1:
		return "", warnf("no program is meant for it")
	case worth(list[0]) == 0:
		return list[0], warnf("is played by %s, whose name says that it is meant for other games", list[0])
	case len(list) > 1 && worth(list[0]) == worth(list[1]):
		return list[0], warnf("%s and %s are meant for it alike", list[0], list[1])
	}
	return list[0], nil
}

// windowsFiles begin the names of libraries that every Windows has.
var windowsFiles = []string{
	"kernel32.", "kernelbase.", "ntdll.", "user32.", "gdi32.", "advapi32.", "shell32.", "ole32.", "oleaut32.", "msvcrt.", "ws2_32.",
	"wsock32.", "winmm.", "bcrypt.", "bcryptprimitives.", "psapi.", "shlwapi.", "comctl32.", "comdlg32.", "version.", "powrprof.",
	"dbghelp.", "userenv.", "crypt32.", "secur32.", "iphlpapi.", "imm32.", "setupapi.", "rpcrt4.", "ucrtbase.", "api-ms-win-", "ext-ms-",
	"mscoree.", "synchronization.",
}

// visualFiles begin the names of libraries of compilers that many systems have.
var visualFiles = []string{"msvcp", "vcruntime", "msvcr", "concrt", "vcomp"}

// needed says which libraries a program needs besides those of the system, and finds fault with those
// that are not in its folder. Text is for a program without fault.
func needed(name, folder string) (text string, err error) {
	if f, err := elf.Open(name); err == nil {
		defer f.Close()
		libraries, err := f.ImportedLibraries()
		if err != nil || len(libraries) == 0 {
			return "linked statically", nil
		}
		return "needs " + strings.Join(libraries, ", "), nil
	}
	if f, err := macho.Open(name); err == nil {
		defer f.Close()
		libraries, err := f.ImportedLibraries()
		if err != nil || len(libraries) == 0 {
			return "linked statically", nil
		}
		return "needs " + strings.Join(libraries, ", "), nil
	}
	f, err := pe.Open(name)
	switch {
	case err != nil && strings.HasSuffix(strings.ToLower(name), ".exe"):
		return "", failf("is no program: %v", err)
	case err != nil:
		return "is no program in machine code", nil
	}
	defer f.Close()
	wide := f.Machine == pe.IMAGE_FILE_MACHINE_AMD64 || f.Machine == pe.IMAGE_FILE_MACHINE_ARM64
	bits := "32"
	if wide {
		bits = "64"
	}
	var files, visual, missing []string
	symbols, err := f.ImportedSymbols()
	if err != nil {
		return "", warnf("the libraries that it needs cannot be read: %v", err)
	}
	for _, symbol := range symbols {
		_, library, _ := strings.Cut(symbol, ":")
		lower := strings.ToLower(library)
		begins := func(prefix string) bool { return strings.HasPrefix(lower, prefix) }
		switch {
		case library == "" || slices.ContainsFunc(windowsFiles, begins):
		case inFolder(folder, lower):
			files = append(files, library)
		case slices.ContainsFunc(visualFiles, begins):
			visual = append(visual, library)
		default:
			missing = append(missing, library)
		}
	}
	tidy := func(list []string) string {
		slices.Sort(list)
		return strings.Join(slices.Compact(list), ", ")
	}
	base := filepath.Base(name)
	switch {
	case f.Characteristics&pe.IMAGE_FILE_DLL != 0:
		return "", failf("is a library, not a program")
	case slices.ContainsFunc(missing, func(name string) bool { return strings.HasPrefix(strings.ToLower(name), "lib") }):
		return "", failf("needs %s, which is not beside it and no part of Windows; link it statically", tidy(missing))
	case len(missing) > 0:
		return "", warnf("needs %s, which is not beside it; is it a part of Windows?", tidy(missing))
	case len(visual) > 0:
		return "", warnf("needs %s, which not every Windows has; link it statically or put it in the archive", tidy(visual))
	case wide && !strings.Contains(base, "64"):
		return "", warnf("is a program for 64 bits without 64 in its name")
	case !wide && strings.Contains(base, "64"):
		return "", failf("is a program for 32 bits with 64 in its name")
	case len(files) > 0:
		return bits + " bits, needs " + tidy(files) + " beside it", nil
	}
	return bits + " bits, linked statically", nil
}

// inFolder reports whether a folder has a file of that name, in any letters.
func inFolder(folder, lower string) bool {
	entries, _ := os.ReadDir(folder)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return strings.ToLower(e.Name()) == lower })
}

// Program says what the program of a command needs. A name of a program that is no file here has no
// result.
func Program(name string) (result Result, ok bool) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return Result{}, false
	}
	text, err := needed(name, filepath.Dir(name))
	result = Result{Group: "program", Name: "libraries", Verdict: Pass, Text: text}
	if f := (*finding)(nil); errors.As(err, &f) {
		result.Verdict, result.Text = f.verdict, f.text
	}
	return result, true
}
