# SPDX-License-Identifier: Apache-2.0
"""Write the service's models into a folder: model.py FOLDER

Both take float32[n, 3, h, w], red, green and blue from 0 to 1, and give float32[n, 1, h, w]. gray.onnx computes the
brightness, which costs little; edges.onnx the length of its gradient, which costs ten times as much.
"""

import sys
from pathlib import Path

import numpy
import onnx
from onnx import helper, numpy_helper

LUMA = numpy.array([0.299, 0.587, 0.114], numpy.float32).reshape(1, 3, 1, 1)
SOBEL = numpy.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], numpy.float32)


def model(name, nodes, **constants):
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("image", onnx.TensorProto.FLOAT, ["n", 3, "h", "w"])],
        [helper.make_tensor_value_info("result", onnx.TensorProto.FLOAT, ["n", 1, "h", "w"])],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=10)
    onnx.checker.check_model(made, full_check=True)
    return made


def gray():
    return model("gray", [helper.make_node("Conv", ["image", "luma"], ["result"])], luma=LUMA)


def edges():
    nodes = [
        helper.make_node("Conv", ["image", "luma"], ["gray"]),
        helper.make_node("Conv", ["gray", "sobel"], ["gradient"], pads=[1, 1, 1, 1]),
        helper.make_node("ReduceL2", ["gradient", "axes"], ["result"], keepdims=1),
    ]
    sobel = numpy.stack([SOBEL, SOBEL.T]).reshape(2, 1, 3, 3)
    return model("edges", nodes, luma=LUMA, sobel=sobel, axes=numpy.array([1], numpy.int64))


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    onnx.save(gray(), folder / "gray.onnx")
    onnx.save(edges(), folder / "edges.onnx")
