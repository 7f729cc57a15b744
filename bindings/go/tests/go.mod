module github.com/dlferry/dlferry/bindings/go/tests

go 1.24

require (
	github.com/dlferry/dlferry/bindings/go v0.3.0
	golang.org/x/mod v0.24.0
	pgregory.net/rapid v1.3.0
	photo v0.1.0
)

replace github.com/dlferry/dlferry/bindings/go => ../

replace photo => ../../../examples/photo/packages/go
