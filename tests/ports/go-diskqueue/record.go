package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/nsqio/go-diskqueue"
)

const (
	recordedQueue = "q"
	stepCount     = 40
	// How long a read waits before it counts as one that found nothing: short where the depth
	// says so, too.
	patienceEmpty = 50 * time.Millisecond
	patienceFull  = 500 * time.Millisecond
	// A trace takes a second or two; one that takes longer than this never ends.
	recordLimit = 30 * time.Second
)

type object map[string]interface{}

// options are those that traces vary.
type options struct {
	SegmentBytesMax int64 `json:"segment_bytes_max"`
	MessageBytesMin int32 `json:"message_bytes_min"`
	MessageBytesMax int32 `json:"message_bytes_max"`
	SyncEvery       int64 `json:"sync_every"`
}

// recorder runs one random sequence of operations and writes down what it sees.
type recorder struct {
	random *rand.Rand
	// Where the directories of the trace are: one, and one more for each kill.
	root      string
	directory string
	options   options
	tier      string
	queue     diskqueue.Interface
	depth     *int64
	files     map[string]string
	messages  int
	lines     []object
}

// recordAll writes one trace a file. Each is recorded by a process of its own, since the original
// may go into an endless loop, which only the end of its process stops; such a trace is left out.
func recordAll(target string, count int, seed int64) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	for index := 1; index <= count; index++ {
		name := filepath.Join(target, fmt.Sprintf("fresh-%d-%04d.jsonl", seed, index))
		limit, cancel := context.WithTimeout(context.Background(), recordLimit)
		child := exec.CommandContext(limit, self, "record-one", name,
			fmt.Sprint(seed*1_000_003+int64(index)))
		child.Stderr = os.Stderr
		err := child.Run()
		late := limit.Err() != nil
		cancel()
		if late {
			fmt.Printf("{\"skipped\":%q,\"reason\":\"endless loop\"}\n", name)
		} else if err != nil {
			return err
		}
	}
	return nil
}

// recordToFile records one trace; the file is written only when it is complete.
func recordToFile(name string, seed int64) error {
	root, err := os.MkdirTemp("", "go-diskqueue-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(root)
	lines, err := recordOne(rand.New(rand.NewSource(seed)), root)
	if err != nil {
		return err
	}
	return writeLines(name, lines)
}

func writeLines(name string, lines []object) error {
	file, err := os.Create(name)
	if err != nil {
		return err
	}
	defer file.Close()
	writer := bufio.NewWriter(file)
	encoder := json.NewEncoder(writer)
	for _, line := range lines {
		if err := encoder.Encode(line); err != nil {
			return err
		}
	}
	return writer.Flush()
}

func recordOne(random *rand.Rand, root string) ([]object, error) {
	r := &recorder{
		random:    random,
		root:      root,
		directory: filepath.Join(root, "start"),
		tier:      []string{"clean", "corner", "damage"}[random.Intn(3)],
		files:     map[string]string{},
	}
	if err := os.Mkdir(r.directory, 0o700); err != nil {
		return nil, err
	}
	r.options = r.drawOptions()
	r.lines = append(r.lines, object{
		"engine": "nsqio/go-diskqueue", "version": "v1.1.0", "tier": r.tier,
		"queue": recordedQueue, "options": r.options, "ended": "complete",
	})
	r.open()
	if err := r.note(object{"op": "open"}, object{"error": nil}); err != nil {
		return nil, err
	}
	for len(r.lines) <= stepCount {
		if err := r.step(); err != nil {
			return nil, err
		}
	}
	// The object that is still open is left to the end of the process, as after a kill.
	return r.lines, nil
}

func (r *recorder) drawOptions() options {
	return options{
		SegmentBytesMax: []int64{40, 64, 100, 160, 9000}[r.random.Intn(5)],
		MessageBytesMin: []int32{0, 1}[r.random.Intn(2)],
		MessageBytesMax: []int32{20, 36, 60, 6000}[r.random.Intn(4)],
		SyncEvery:       int64(r.random.Intn(6)),
	}
}

func (r *recorder) open() {
	r.queue = diskqueue.New(recordedQueue, r.directory, r.options.SegmentBytesMax,
		r.options.MessageBytesMin, r.options.MessageBytesMax, r.options.SyncEvery,
		syncTimeout, silent)
}

// step draws one operation, does it and notes it.
func (r *recorder) step() error {
	draw := r.random.Intn(100)
	switch {
	case draw < 45:
		return r.put()
	case draw < 84:
		return r.read()
	case draw < 90 || r.tier == "clean":
		return r.reopen()
	case draw < 92:
		return r.note(object{"op": "empty"}, object{"error": words(r.queue.Empty())})
	case draw < 96 || r.tier == "corner":
		return r.kill()
	default:
		return r.damage()
	}
}

func (r *recorder) put() error {
	size := r.random.Intn(int(r.options.MessageBytesMax) + 1)
	if r.tier != "clean" && r.random.Intn(8) == 0 {
		size = int(r.options.MessageBytesMax) + 1 + r.random.Intn(4)
	} else if r.tier == "clean" && size < int(r.options.MessageBytesMin) {
		size = int(r.options.MessageBytesMin)
	}
	r.messages++
	message := []byte(fmt.Sprintf("%d.", r.messages))
	for letter := 0; len(message) < size; letter++ {
		message = append(message, byte('a'+letter%26))
	}
	message = message[:size]
	err := r.queue.Put(message)
	return r.note(object{"op": "put", "data_b64": base64.StdEncoding.EncodeToString(message)},
		object{"error": words(err)})
}

func (r *recorder) read() error {
	result := object{"error": nil, "kind": "none"}
	patience := patienceEmpty
	if *r.depth > 0 {
		patience = patienceFull
	}
	if message, ok := readOne(r.queue, patience); ok {
		result["kind"] = "message"
		result["data_b64"] = base64.StdEncoding.EncodeToString(message)
	}
	return r.note(object{"op": "read"}, result)
}

func (r *recorder) reopen() error {
	step := object{"op": "reopen"}
	err := r.queue.Close()
	if r.tier != "clean" && r.random.Intn(3) == 0 {
		r.options = r.drawOptions()
		step["segment_bytes_max"] = r.options.SegmentBytesMax
		step["message_bytes_min"] = r.options.MessageBytesMin
		step["message_bytes_max"] = r.options.MessageBytesMax
		step["sync_every"] = r.options.SyncEvery
	}
	r.open()
	return r.note(step, object{"error": words(err)})
}

// kill goes on in a copy of the directory as it stands. The old object cannot be stopped, and may
// still look at its files.
func (r *recorder) kill() error {
	names, err := r.names()
	if err != nil {
		return err
	}
	copied := filepath.Join(r.root, fmt.Sprint(len(r.lines)))
	if err := os.Mkdir(copied, 0o700); err != nil {
		return err
	}
	for _, name := range names {
		bytes, err := os.ReadFile(filepath.Join(r.directory, name))
		if os.IsNotExist(err) {
			// A temporary file that was renamed or removed since the names were read.
			continue
		}
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(copied, name), bytes, 0o600); err != nil {
			return err
		}
	}
	r.directory = copied
	r.open()
	return r.note(object{"op": "kill_and_open"}, object{"error": nil})
}

// damage closes, changes one of the files, and opens.
func (r *recorder) damage() error {
	err := r.queue.Close()
	names, listErr := r.names()
	if listErr != nil {
		return listErr
	}
	name := names[r.random.Intn(len(names))]
	step := object{"op": "close_damage_open", "file": name}
	if err := r.damageFile(filepath.Join(r.directory, name), step); err != nil {
		return err
	}
	r.open()
	return r.note(step, object{"error": words(err)})
}

func (r *recorder) damageFile(path string, step object) error {
	bytes, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	how := r.random.Intn(4)
	if how == 2 && len(bytes) == 0 {
		how = 3
	}
	switch how {
	case 0:
		step["how"] = "remove"
		return os.Remove(path)
	case 1:
		size := r.random.Intn(len(bytes) + 1)
		step["how"], step["size"] = "truncate", size
		return os.Truncate(path, int64(size))
	case 2:
		at := r.random.Intn(len(bytes))
		value := []byte{byte(r.random.Intn(256)), '0' + byte(r.random.Intn(10)), ' ', '-'}[r.random.Intn(4)]
		step["how"], step["at"], step["value"] = "byte", at, value
		bytes[at] = value
		return os.WriteFile(path, bytes, 0o600)
	default:
		size := 1 + r.random.Intn(20)
		step["how"], step["size"] = "append_zeros", size
		return os.WriteFile(path, append(bytes, make([]byte, size)...), 0o600)
	}
}

// note waits until the queue has come to rest and writes down what has changed.
func (r *recorder) note(step, result object) error {
	after := object{}
	files, depth, err := r.rest()
	if err != nil {
		return err
	}
	if r.depth == nil || *r.depth != depth {
		after["depth"] = depth
	}
	changed, gone := map[string]string{}, []string{}
	for name, mark := range files {
		if r.files[name] != mark {
			changed[name] = mark
		}
	}
	for name := range r.files {
		if _, there := files[name]; !there {
			gone = append(gone, name)
		}
	}
	sort.Strings(gone)
	if len(changed) > 0 {
		after["files"] = changed
	}
	if len(gone) > 0 {
		after["gone"] = gone
	}
	r.depth, r.files = &depth, files
	step["result"], step["after"] = result, after
	r.lines = append(r.lines, step)
	return nil
}

// rest asks for the depth, which the queue answers once it has done what it owed, until two looks
// at the directory in a row are alike. With sync_every 0 every answer owes a sync, so that a look
// may fall into the replacing of the meta; without a fault no temporary file stays.
func (r *recorder) rest() (map[string]string, int64, error) {
	var before map[string]string
	for {
		depth := r.queue.Depth()
		files, err := r.look()
		if err != nil {
			return nil, 0, err
		}
		if files == nil {
			continue
		}
		if before != nil && fmt.Sprint(before) == fmt.Sprint(files) {
			return files, depth, nil
		}
		before = files
	}
}

// look tells what the directory holds, or nothing if a file is just being replaced.
func (r *recorder) look() (map[string]string, error) {
	names, err := r.names()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, name := range names {
		bytes, err := os.ReadFile(filepath.Join(r.directory, name))
		if os.IsNotExist(err) || strings.HasSuffix(name, ".tmp") {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		hash := sha256.Sum256(bytes)
		files[name] = fmt.Sprintf("%d:%x", len(bytes), hash[:6])
	}
	return files, nil
}

func (r *recorder) names() ([]string, error) {
	entries, err := os.ReadDir(r.directory)
	if err != nil {
		return nil, err
	}
	names := []string{}
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names, nil
}

// words is an error's text, or null.
func words(err error) interface{} {
	if err == nil {
		return nil
	}
	return err.Error()
}
