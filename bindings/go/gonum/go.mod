module github.com/dlferry/dlferry/bindings/go/gonum

go 1.24.0

require (
	github.com/dlferry/dlferry/bindings/go v0.3.0
	gonum.org/v1/gonum v0.17.0
)

replace github.com/dlferry/dlferry/bindings/go => ../
