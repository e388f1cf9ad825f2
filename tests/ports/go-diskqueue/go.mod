module crashline/ports/go-diskqueue

go 1.21

require github.com/nsqio/go-diskqueue v1.1.0
