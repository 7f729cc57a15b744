module github.com/dlferry/dlferry/bindings/go

go 1.24
