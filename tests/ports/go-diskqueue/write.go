package main

import (
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/nsqio/go-diskqueue"
)

const (
	putCount  = 40
	readCount = 7
)

// write puts messages of growing sizes and reads some of them. It prints those that were read and
// those that are left. Then it closes the queue, or ends without closing it, as if killed: after
// `kill` the meta is some calls old, after `kill-early` there is none.
func write(directory, name, how string) error {
	every := int64(syncEvery)
	if how == "kill-early" {
		every = 1_000_000
	} else if how != "close" && how != "kill" {
		return fmt.Errorf("there is no way `%s` to end", how)
	}
	queue := diskqueue.New(name, directory, segmentBytesMax, messageBytesMin, messageBytesMax,
		every, syncTimeout, silent)
	messages := [][]byte{}
	for number := 0; number < putCount; number++ {
		message := make([]byte, number*number%messageBytesMax)
		copy(message, fmt.Sprintf("%d of go-diskqueue ", number))
		// With segments that roll, the meta is written although nothing owes a sync.
		if how == "kill-early" {
			message = message[:min(len(message), 5)]
		}
		if err := queue.Put(message); err != nil {
			return err
		}
		messages = append(messages, message)
	}
	for number := 0; number < readCount && how != "kill-early"; number++ {
		if _, ok := readOne(queue, 10*time.Second); !ok {
			return fmt.Errorf("message %d does not come", number)
		}
	}
	read := readCount
	if how == "kill-early" {
		read = 0
	}
	// The depth is answered once the loop has done what it owed.
	depth := queue.Depth()
	if how == "close" {
		if err := queue.Close(); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(object{
		"depth": depth, "read_b64": messages[:read], "left_b64": messages[read:],
	})
}
