module github.com/dlferry/dlferry/bindings/go/onnxruntime

go 1.24

require (
	github.com/dlferry/dlferry/bindings/go v0.3.0
	github.com/yalue/onnxruntime_go v1.27.0
)

replace github.com/dlferry/dlferry/bindings/go => ../
