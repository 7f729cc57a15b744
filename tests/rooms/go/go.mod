module github.com/dlferry/dlferry/tests/rooms/go

go 1.24

require (
	github.com/dlferry/dlferry/bindings/go v0.3.0
	photo v0.1.0
)

replace (
	github.com/dlferry/dlferry/bindings/go => ../../../bindings/go
	photo => ../../../examples/photo/packages/go
)
