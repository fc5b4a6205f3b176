//go:build e2e && linux

package main

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"reflect"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slurmConf is a cluster of one node that keeps everything in one folder. The verbs are
// folder, host, user, two ports.
const slurmConf = `ClusterName=arena
SlurmctldHost=%[2]s(127.0.0.1)
SlurmUser=%[3]s
SlurmdUser=%[3]s
AuthType=auth/munge
AuthInfo=socket=%[1]s/munge.sock
CredType=cred/munge
SlurmctldPort=%[4]d
SlurmdPort=%[5]d
StateSaveLocation=%[1]s/state
SlurmdSpoolDir=%[1]s/spool
SlurmctldPidFile=%[1]s/slurmctld.pid
SlurmdPidFile=%[1]s/slurmd.pid
SlurmctldLogFile=%[1]s/slurmctld.log
SlurmdLogFile=%[1]s/slurmd.log
SwitchType=switch/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
JobCompType=jobcomp/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
NodeName=%[2]s NodeAddr=127.0.0.1 CPUs=2 RealMemory=100 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts munge and a cluster of one node in dir, Debian's slurm-wlm and munge,
// and ends them with the test. The result is the environment of its commands.
func startSlurm(t *testing.T, dir string) []string {
	t.Helper()
	for _, program := range []string{"munged", "slurmctld", "slurmd", "sbatch", "sinfo"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("the test needs Debian's slurm-wlm and munge: %v", err)
		}
	}
	me, err := user.Current()
	if err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	conf := filepath.Join(dir, "slurm.conf")
	text := fmt.Sprintf(slurmConf, dir, host, me.Username, freePort(t), freePort(t))
	key := bytes.Repeat([]byte("not a secret, the cluster lives for one test "), 10)
	for path, content := range map[string][]byte{conf: []byte(text), filepath.Join(dir, "munge.key"): key} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, sub := range []string{"state", "spool"} {
		if err := os.Mkdir(filepath.Join(dir, sub), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	env := append(os.Environ(), "SLURM_CONF="+conf)
	in := func(name string) string { return filepath.Join(dir, name) }
	daemon(t, env, in("munged.out"), "munged", "--foreground", "--force", "--key-file="+in("munge.key"), "--socket="+in("munge.sock"),
		"--pid-file="+in("munged.pid"), "--log-file="+in("munged.log"), "--seed-file="+in("munged.seed"))
	await(t, dir, "munge", func() bool {
		return exec.Command("munge", "--socket="+in("munge.sock"), "-n").Run() == nil
	})
	daemon(t, env, in("slurmctld.out"), "slurmctld", "-D", "-f", conf)
	daemon(t, env, in("slurmd.out"), "slurmd", "-D", "-f", conf, "-N", host)
	await(t, dir, "an idle node", func() bool {
		cmd := exec.Command("sinfo", "-h", "-o", "%T")
		cmd.Env = env
		out, err := cmd.Output()
		return err == nil && strings.TrimSpace(string(out)) == "idle"
	})
	return env
}

// daemon runs a program until the test ends.
func daemon(t *testing.T, env []string, log string, name string, args ...string) {
	t.Helper()
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	cmd := exec.Command(name, args...)
	cmd.Env, cmd.Stdout, cmd.Stderr = env, f, f
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(syscall.SIGTERM)
		timer := time.AfterFunc(10*time.Second, func() { cmd.Process.Kill() })
		defer timer.Stop()
		cmd.Wait()
	})
}

// await waits for something to come true and shows the logs if it does not.
func await(t *testing.T, dir, what string, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(60 * time.Second); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if ready() {
			return
		}
	}
	showLogs(t, dir)
	t.Fatalf("no %s after a minute", what)
}

func showLogs(t *testing.T, dir string) {
	for _, pattern := range []string{"*.out", "*.log", "*.txt"} {
		logs, _ := filepath.Glob(filepath.Join(dir, pattern))
		for _, log := range logs {
			raw, _ := os.ReadFile(log)
			t.Logf("%s:\n%s", filepath.Base(log), raw[max(0, len(raw)-4000):])
		}
	}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// array runs command as a job array of n tasks, each a shard, and waits for it. more is added
// to the command of each task as it stands.
func array(t *testing.T, dir string, env []string, n int, command []string, more string) {
	t.Helper()
	script := "#!/bin/sh\nexec '" + strings.Join(command, "' '") + "' -shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT " + more + "\n"
	if err := os.WriteFile(filepath.Join(dir, "job.sh"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	job := exec.CommandContext(ctx, "sbatch", "--wait", fmt.Sprintf("--array=0-%d", n-1), "--chdir="+dir, "--output="+dir+"/task-%a.txt", "job.sh")
	job.Env, job.Dir = env, dir
	if out, err := job.CombinedOutput(); err != nil {
		showLogs(t, dir)
		t.Fatalf("sbatch: %v\n%s", err, out)
	}
}

// selfPlayArray: a job array of self-play, in which the file of one part was left by a task
// that was killed, merges into as many games as one run plays, none of them twice.
func selfPlayArray(t *testing.T, dir string, env []string) {
	learn := filepath.Join(dir, "learn")
	if out, err := exec.Command("go", "build", "-o", learn, "../learn").CombinedOutput(); err != nil {
		t.Fatalf("building learn: %v\n%s", err, out)
	}
	name := func(file string) string { return filepath.Join(dir, file) }
	args := []string{learn, "selfplay", "-games", "400", "-size", "9", "-nodes", "200", "-check", "200", "-hash", "1", "-concurrency", "1", "-quiet"}
	lost := exec.Command(learn, append(args[1:], "-games", "1000000", "-shard", "1/4", "-o", name("games-1.tgs"))...)
	if err := lost.Start(); err != nil {
		t.Fatal(err)
	}
	await(t, dir, "game of the task to be killed", func() bool {
		info, err := os.Stat(name("games-1.tgs"))
		return err == nil && info.Size() > 500
	})
	lost.Process.Kill()
	lost.Wait()
	array(t, dir, env, 4, args, "-o games-$SLURM_ARRAY_TASK_ID.tgs")
	merge := exec.Command(learn, "selfplay", "merge", "-o", name("games.tgs"), name("games-0.tgs"), name("games-1.tgs"), name("games-2.tgs"), name("games-3.tgs"), name("games-3.tgs"))
	if out, err := merge.CombinedOutput(); err != nil || !strings.Contains(string(out), " 100 duplicates") {
		t.Fatalf("merging: %v\n%s", err, out)
	}
	if out, err := exec.Command(learn, append(args[1:], "-o", name("single.tgs"))...).CombinedOutput(); err != nil {
		t.Fatalf("the single run: %v\n%s", err, out)
	}
	// A copy of a game in the single run is a duplicate; were one different, merge would fail.
	all := exec.Command(learn, "selfplay", "merge", "-o", name("both.tgs"), name("games.tgs"), name("single.tgs"))
	if out, err := all.CombinedOutput(); err != nil || !strings.Contains(string(out), " 400 duplicates") {
		t.Errorf("the games differ from those of a single run: %v\n%s", err, out)
	}
}

// arenaBytes is what arena may have as it is released. There is room for no engine, which takes another four
// million bytes with its networks.
const arenaBytes = 6_000_000

// A job array of four, each task a shard with its own journal, merges into what one run
// gives: the engine of this repository at fixed nodes plays the same games anywhere.
func TestASlurmJobArrayMergesIntoTheSingleRun(t *testing.T) {
	dir, err := os.MkdirTemp("", "slurm") // short: a socket path has 108 bytes at most
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	program, arena := filepath.Join(dir, "pbrain-tengen"), filepath.Join(dir, "arena")
	for _, build := range [][2]string{{program, "../pbrain-tengen"}, {arena, "."}} {
		if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", build[0], build[1]).CombinedOutput(); err != nil {
			t.Fatalf("building %s: %v\n%s", build[1], err, out)
		}
	}
	if info, err := os.Stat(arena); err != nil {
		t.Fatal(err)
	} else if info.Size() > arenaBytes {
		t.Errorf("arena has %d bytes, want %d at most", info.Size(), arenaBytes)
	}
	openings, err := filepath.Abs("../../testdata/openings/freestyle-15.txt")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"-engine", "name=small,nodes=400,cmd=" + program, "-engine", "name=large,nodes=1600,cmd=" + program,
		"-openings", openings, "-games", "16", "-quiet"} // a clock could end a search on a busy machine

	env := startSlurm(t, dir)
	t.Run("self-play", func(t *testing.T) { selfPlayArray(t, dir, env) })
	array(t, dir, env, 4, append([]string{arena}, args...), "-journal part-$SLURM_ARRAY_TASK_ID.jsonl")

	parts, _ := filepath.Glob(filepath.Join(dir, "part-*.jsonl"))
	if len(parts) != 4 {
		showLogs(t, dir)
		t.Fatalf("the tasks left the journals %v, want four", parts)
	}
	for _, part := range parts {
		if m, _, err := loadJournals([]string{part}); err != nil || len(m.games) != 4 {
			t.Errorf("%s: %v, want the settings and 4 games", filepath.Base(part), err)
		}
	}
	all, one := filepath.Join(dir, "all.jsonl"), filepath.Join(dir, "one.jsonl")
	merged, err := exec.Command(arena, append([]string{"merge", "-o", all}, parts...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	single, err := exec.Command(arena, append(args, "-journal", one)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(merged, single) {
		t.Errorf("merged:\n%s\nsingle run:\n%s", merged, single)
	}
	a, _, err := loadJournals([]string{all})
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := loadJournals([]string{one})
	if err != nil {
		t.Fatal(err)
	}
	if len(a.games) != 16 || !reflect.DeepEqual(essences(a), essences(b)) {
		t.Errorf("%d merged games differ from those of the single run", len(a.games))
	}
	t.Logf("\n%s", merged)
}
