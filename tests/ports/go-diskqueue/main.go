// Command go-diskqueue lets the real go-diskqueue work on directories of ours, and records what
// it does.
//
//	go-diskqueue drain DIR QUEUE         open, print depth and all messages, close
//	go-diskqueue write DIR QUEUE HOW     put and read, then end as HOW says: close, kill
//	go-diskqueue record DIR COUNT SEED   write COUNT traces of random operations into DIR
//
// Output is JSON lines; the exit code is 0 unless something could not be done at all.
package main

import (
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/nsqio/go-diskqueue"
)

// The options of all queues that are drained or written. Segments are small, so that there are
// several.
const (
	segmentBytesMax = 256
	messageBytesMin = 0
	messageBytesMax = 200
	syncEvery       = 5
)

// An hour: the sync timer never fires.
const syncTimeout = time.Hour

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "go-diskqueue:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	switch {
	case len(args) == 3 && args[0] == "drain":
		return drain(args[1], args[2])
	case len(args) == 4 && args[0] == "write":
		return write(args[1], args[2], args[3])
	case len(args) == 3 && args[0] == "record-one":
		seed, err := strconv.ParseInt(args[2], 10, 64)
		if err != nil {
			return err
		}
		return recordToFile(args[1], seed)
	case len(args) == 4 && args[0] == "record":
		count, err := strconv.Atoi(args[2])
		if err != nil {
			return err
		}
		seed, err := strconv.ParseInt(args[3], 10, 64)
		if err != nil {
			return err
		}
		return recordAll(args[1], count, seed)
	}
	return fmt.Errorf("usage: drain DIR QUEUE | write DIR QUEUE close|kill | record DIR COUNT SEED")
}

// openQueue opens with the options above and without a log.
func openQueue(directory, queue string) diskqueue.Interface {
	return diskqueue.New(queue, directory, segmentBytesMax, messageBytesMin, messageBytesMax,
		syncEvery, syncTimeout, silent)
}

func silent(diskqueue.LogLevel, string, ...interface{}) {}

// readOne returns the next message, or false once none has come for as long as patience lasts.
// The queue reads ahead in a goroutine of its own, so that "nothing" can only be waited for.
func readOne(queue diskqueue.Interface, patience time.Duration) ([]byte, bool) {
	select {
	case message := <-queue.ReadChan():
		return message, true
	case <-time.After(patience):
		return nil, false
	}
}
