package main

import (
	"encoding/json"
	"os"
	"time"
)

// A message that does not come for so long does not come any more.
const drainPatience = 500 * time.Millisecond

// drain opens a directory that another implementation wrote, reads everything and closes it. It
// prints the depth that the queue told at first and the messages.
func drain(directory, name string) error {
	queue := openQueue(directory, name)
	depth := queue.Depth()
	messages := [][]byte{}
	for {
		message, ok := readOne(queue, drainPatience)
		if !ok {
			break
		}
		messages = append(messages, message)
	}
	left := queue.Depth()
	if err := queue.Close(); err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(object{
		"depth": depth, "depth_at_the_end": left, "messages_b64": messages,
	})
}
