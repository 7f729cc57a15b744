# SPDX-License-Identifier: Apache-2.0
"""What docs.py makes docstrings of: the signature, the C functions and the text of each Python name, and its example.

tests/test_docstrings.py runs the examples. They know dlferry, and t, the tensor float32[2, 3] of 0 to 5. Each begins
with new ones, in an empty folder.
"""

ANY_TWO = "a and b are anything that from_dlpack takes; a capsule is consumed."
ORDER = "order is 'row_major', 'column_major' or 'dense'; NumPy's 'C' and 'F' are the first two."
INTO = "out is anything that from_dlpack takes and that is known to be writable; it is the result. "
FILES = "A FOREIGN failure is also an OSError, FileNotFoundError or PermissionError, with errno."

# Python name: (signature, C functions, more text). The docstring has the text of the first function. A name with a dot
# is a method; a property has no signature.
FUNCTIONS = {
    "create": (
        "(dtype, shape, device='cpu')",
        "dlf_create",
        """shape may be one number. The order of NumPy, create((2, 3), 'float32'), is understood too.""",
    ),
    "wrap": (
        "(buffer, dtype=None, shape=None, strides=None)",
        "dlf_wrap, dlf_wrap_queued, dlf_check_window",
        """The buffer is any object with the buffer protocol; its owner is kept until the last reference goes. With
        dtype or shape its bytes, which must be contiguous, are read as elements of that dtype, as many as fit unless
        shape is given. strides are in elements.""",
    ),
    "from_dlpack": (
        "(x, /, *, device=None, copy=None)",
        "dlf_from_dlpack, dlf_from_dlpack_legacy, dlf_to_device",
        """x is an array of any framework with __dlpack__ or an exchange table, a NumPy array, an object with the buffer
        protocol, or a DLPack capsule of either kind, which is consumed. With copy None data is shared if possible, with
        True always copied, with False never. device is anything that Device reads, such as 'cpu' or a DLPack pair.

        Fails with VERSION for another major version of DLPack, with INVALID, OVERFLOW or DTYPE for a malformed tensor,
        DEVICE or NO_MEMORY. An exception of the producer's own class passes through.""",
    ),
    "to": (
        "(x, target, /)",
        "dlf_exchange_export",
        """x is anything that from_dlpack takes, target the type of an array: torch.Tensor, numpy.ndarray, jax.Array and
        others. A type with an exchange table, such as torch.Tensor, makes the array through it; any other by the
        from_dlpack of its class or package. The memory is shared, and a framework without read-only arrays, such as
        torch, drops the flag. An array of exactly that type is returned as it is.

        Fails with TypeError for a type that makes no arrays, or with the framework's exception.""",
    ),
    "to_dlpack": ("(tensor, /)", "dlf_to_dlpack", 'The result is a capsule "dltensor_versioned".'),
    "to_dlpack_legacy": ("(tensor, /)", "dlf_to_dlpack_legacy", 'The result is a capsule "dltensor".'),
    "check": (
        "(x, level='structure')",
        "dlf_check",
        """x is anything that from_dlpack takes; a capsule is read without being consumed. level is 'structure' or
        'strict'.""",
    ),
    "describe": ("(x)", "dlf_describe", ""),
    "format": ("(x)", "dlf_format", ""),
    "identical": ("(a, b)", "dlf_identical", ANY_TWO),
    "equal": ("(a, b)", "dlf_equal", ANY_TWO),
    "all_close": ("(a, b, rtol=1e-05, atol=1e-08, equal_nan=False)", "dlf_all_close", ANY_TWO),
    "describe_json": ("(tensor)", "dlf_describe_json", ""),
    "count": ("(x)", "dlf_count", ""),
    "byte_size": ("(x)", "dlf_byte_size", ""),
    "byte_range": ("(x)", "dlf_byte_range", "The result is (low, high)."),
    "is_contiguous": ("(x, order='row_major')", "dlf_is_contiguous", ORDER),
    "compact_strides": ("(shape, order='row_major')", "dlf_compact_strides", ORDER),
    "alignment": ("(x)", "dlf_alignment", ""),
    "overlap": ("(a, b)", "dlf_overlap", ""),
    "is_reachable": ("(x)", "dlf_is_reachable", ""),
    "is_unique": ("(tensor, /)", "dlf_is_unique", "Further names and attributes of the Python object do not count."),
    "oneapi_enable": (
        "(library=None)",
        "dlf_oneapi_enable",
        """library is a path. Importing a tensor of such a device does this itself once dpctl is imported; a generated
        package has a hub of its own, for which only that import does it.""",
    ),
    "contract_compile": ("(text, function, parameters)", "dlf_contract_compile", "For dlferry.Contract."),
    "contract_match": ("(contract, arguments)", "dlf_contract_match", "For dlferry.Contract."),
    "contract_match_inputs": ("(contract, arguments)", "dlf_contract_match_inputs", "For dlferry.Contract."),
    "contract_infer": ("(contract, arguments, which)", "dlf_contract_infer", "For dlferry.Contract."),
    "contract_create": ("(contract, arguments, which)", "dlf_contract_create", "For dlferry.Contract."),
    "contract_format": ("(contract, which)", "dlf_contract_format", "For dlferry.Contract."),
    "npy_open": ("(path)", "dlf_npy_open", "path is a str, bytes or an os.PathLike. " + FILES),
    "npy_save": ("(x, path)", "dlf_npy_save", "x is anything that from_dlpack takes. " + FILES),
    "version_number": ("()", "dlf_version_number", ""),
    "live": ("()", "dlf_live", ""),
    "set_threads": ("(count)", "dlf_set_threads", ""),
    "version": ("()", "dlf_version", ""),
    "Tensor.copy": ("($self, /, *, out=None)", "dlf_copy, dlf_copy_into", INTO + "Without it the copy is new."),
    "Tensor.copy_into": (
        "($self, destination, /)",
        "dlf_copy_into",
        "destination is anything that from_dlpack takes and that is known to be writable.",
    ),
    "Tensor.release": (
        "($self, /)",
        "dlf_release",
        """Arrays that share the memory keep it alive. Releasing twice does nothing; any other use afterwards fails with
        INVALID. A with statement releases at its end.""",
    ),
    "Tensor.numpy": (
        "($self, /, copy=None)",
        "dlf_dltensor, dlf_look, dlf_copy_padded",
        """The array shares the memory, keeps it alive, and is read-only like the tensor; with copy True it is a copy.
        bfloat16, float8 and similar dtypes need ml_dtypes. NumPy has whole bytes for elements below a byte: padded ones
        are shared, packed ones can only be copied. Fails with DEVICE or DTYPE.""",
    ),
    "Tensor.__copy__": ("($self, /)", "dlf_copy", "For copy.copy, as in NumPy. A subclass keeps its attributes."),
    "Tensor.__deepcopy__": ("($self, memo, /)", "dlf_copy", "For copy.deepcopy."),
    "Tensor.contiguous": (
        "($self, /, order='row_major')",
        "dlf_contiguous",
        "The result is the tensor itself if its elements lie so, else a copy. " + ORDER,
    ),
    "Tensor.astype": (
        "($self, dtype, copy=True, *, saturate=False, out=None)",
        "dlf_cast, dlf_dtype_equal, dlf_copy",
        INTO
        + """dtype is its dtype then. The tensor's own dtype is a copy, or with copy False the tensor itself.

        The rules are those of cast_into.""",
    ),
    "Tensor.cast_into": (
        "($self, destination, /, *, saturate=False)",
        "dlf_cast_into",
        """destination is anything that from_dlpack takes and that is known to be writable.

        With saturate, integers, finite reals and infinities become the nearest number of the dtype.""",
    ),
    "Tensor.fill": (
        "($self, value, /)",
        "dlf_fill",
        "value is a number of Python or NumPy.",
    ),
    "Tensor.__setitem__": (
        "($self, index, value, /)",
        "dlf_fill, dlf_copy_into, dlf_broadcast",
        """A number fills the view t[index]. Anything that from_dlpack takes is copied into it, broadcast to its shape;
        another dtype is refused, since astype converts.""",
    ),
    "Tensor.describe": ("($self, /)", "dlf_describe", ""),
    "Tensor.__dlpack__": (
        "($self, /, *, stream=None, max_version=None, dl_device=None, copy=None)",
        "dlf_to_dlpack, dlf_to_dlpack_copy, dlf_export",
        "A consumer that passes no max_version gets the structure of DLPack 0.8.",
    ),
    "Tensor.__dlpack_device__": ("($self, /)", "dlf_export_device", ""),
    "Tensor.__sizeof__": (
        "($self, /)",
        "dlf_held_bytes",
        "For sys.getsizeof: the Python object, the handle, and elements that nothing else refers to.",
    ),
    "Tensor.all_close": ("($self, other, rtol=1e-05, atol=1e-08, equal_nan=False)", "dlf_all_close", ""),
    "Tensor.equal": ("($self, other, /)", "dlf_equal", ""),
    "Tensor.identical": ("($self, other, /)", "dlf_identical", ""),
    "Tensor.__getitem__": ("($self, index, /)", "dlf_index, dlf_slice, dlf_select", ""),
    "Tensor.__contains__": ("($self, number, /)", "dlf_contains", ""),
    "Tensor.item": (
        "($self, /, *index)",
        "dlf_read",
        """Without an index the tensor has one element. A single index counts the elements in row-major order. Lanes are
        a tuple.""",
    ),
    "Tensor.tolist": ("($self, /)", "dlf_read", "Lanes are tuples. Any dtype with arithmetic; needs no NumPy."),
    "Tensor.tobytes": ("($self, /)", "dlf_copy, dlf_byte_size", "bytes(t) is the same."),
    "Tensor.__complex__": ("($self, /)", "dlf_read", ""),
    "Tensor.permute_dims": ("($self, *axes)", "dlf_permute", "Another name of permute: the array API's."),
    "Tensor.__array__": ("($self, /, dtype=None, copy=None)", "", "Return numpy(), for numpy.asarray."),
    "Tensor.__jax_array__": ("($self, /)", "", "Return jax.numpy.from_dlpack of it, for jax.numpy.asarray."),
    "Tensor.__reduce_ex__": (
        "($self, protocol, /)",
        "dlf_is_contiguous, dlf_copy, dlf_check_window",
        """For pickle. From protocol 5 on the elements are a buffer that a program can carry beside the pickle without a
        copy (buffer_callback, buffers). Fails with DEVICE for data that the processor cannot reach.""",
    ),
    "Tensor.__enter__": ("($self, /)", "", "Return the tensor itself."),
    "Tensor.__exit__": ("($self, /, *exception)", "dlf_release", ""),
    "dtype.numpy": (
        "($self, /)",
        "",
        """Return NumPy's dtype. numpy.dtype(x) gives the same. bfloat16, float8 and similar ones need ml_dtypes. Fails
        with DTYPE.""",
    ),
    "dtype.torch": (
        "($self, /)",
        "",
        "Return torch's dtype, since torch's functions take no other object. Fails with DTYPE.",
    ),
    "dtype.decode": ("($self, bits, /)", "dlf_float_decode", ""),
    "dtype.encode": ("($self, value, /)", "dlf_float_encode", ""),
    "dtype.__dlpack_data_type__": ("($self, /)", "", "Return DLPack's code, bits and lanes, as tvm-ffi asks for them."),
    "Device.torch": (
        "($self, /)",
        "",
        "Return torch's device, since torch's functions take no other object but a name. Fails with DEVICE.",
    ),
    "Device.__dlpack_device__": ("($self, /)", "", "Return DLPack's device type and device id, as tuple(x) does."),
}
# Methods that give a view, by the function hub_NAME of view.c; docs.py makes their rows of the type from the signature.
VIEWS = {
    "permute": (
        "($self, *axes)",
        "dlf_permute",
        "axes is one argument, also as a keyword, or several; negative axes count from the end.",
    ),
    "reshape": (
        "($self, *shape, copy=None)",
        "dlf_reshape",
        """With copy True a copy is reshaped. Elements that cannot be viewed so are refused otherwise: nothing is copied
        without being asked for.""",
    ),
    "broadcast_to": (
        "($self, *shape)",
        "dlf_broadcast",
        "shape is one argument, also as a keyword, or several; so it is in reshape.",
    ),
    "squeeze": ("($self, axis=None)", "dlf_squeeze", "axis may be several axes; None means all of extent 1."),
    "unsqueeze": (
        "($self, axis)",
        "dlf_unsqueeze",
        "axis may be several places in the result; a negative one counts from the end.",
    ),
    "flip": ("($self, axis=None)", "dlf_index, dlf_flip", "axis may be several axes; None means all."),
    "bitcast": ("($self, dtype, /)", "dlf_bitcast", ""),
    "pack_lanes": ("($self, /)", "dlf_pack_lanes", ""),
    "unpack_lanes": ("($self, /)", "dlf_unpack_lanes", ""),
}
FUNCTIONS |= {f"Tensor.{name}": view for name, view in VIEWS.items()}
PROPERTIES = {
    "shape": ("dlf_dltensor", "Extents, one for each axis."),
    "strides": ("dlf_dltensor", "Distances between neighbours along each axis, in elements."),
    "ndim": ("dlf_dltensor", "Number of axes."),
    "dtype": ("dlf_dltensor", "The dlferry.dtype, such as dlferry.float32; it equals its name."),
    "device": ("dlf_dltensor", "The dlferry.Device; it equals its name, such as 'cpu' or 'cuda:0'."),
    "flags": ("dlf_flags", "DLPack's flags, to be tested against dlferry.Flag."),
    "T": ("dlf_permute", "A view with the axes in reverse order."),
    "mT": ("dlf_permute", "A view with the last two axes exchanged."),
    "size": ("dlf_count", "Number of elements."),
    "nbytes": ("dlf_byte_size", "Bytes of the elements without gaps; packed elements below a byte share bytes."),
    "itemsize": ("dlf_dtype_size", "Bytes of one element with its lanes, rounded up."),
    "version": (
        "dlf_dlpack_version",
        "DLPack version of the structure that the tensor came in, (major, minor); (0, 8) stands for all before 1.0. A "
        "tensor that dlferry made has the version that dlferry implements.",
    ),
    "readonly": (
        "dlf_flags",
        "Whether consumers must not write the data. As in NumPy, a tensor of a producer before DLPack 1.0, without "
        "that flag, counts as read-only.",
    ),
    "__array_interface__": (
        "dlf_data",
        "NumPy's older protocol, for dtypes that NumPy itself has, where the processor reaches the data; otherwise "
        "AttributeError. The consumer must keep the tensor: from then on the memory lives as long as this object.",
    ),
    "__cuda_array_interface__": (
        "dlf_data",
        "The protocol of Numba and CuPy, version 3, for data on a CUDA device, ready on the legacy default stream; "
        "otherwise AttributeError. The memory then lives as long as this object.",
    ),
    "byte_offset": ("dlf_dltensor", "Bytes from DLPack's data pointer to the first element."),
    "data": ("dlf_data", "Address of the first element."),
}
# Of the small types: the C function, or "", and the text.
FIELDS = {
    "dtype.name": ("dlf_dtype_format", "The usual name, such as 'float32' or 'uint8x4', which is str(x) too."),
    "dtype.code": ("", "DLPack's number for the kind: 0 int, 1 uint, 2 float, 4 bfloat, 5 complex, 6 bool, and so on."),
    "dtype.bits": ("", "Bits of one lane."),
    "dtype.lanes": ("", "Lanes of one element: 1 unless the dtype is a vector such as uint8x4."),
    "dtype.itemsize": ("dlf_dtype_size", "Bytes of one element with all lanes, rounded up."),
    "dtype.__numpy_dtype__": ("", "numpy(), for numpy.dtype(x)."),
    "dtype.dtype": ("", "The same, as NumPy before 2.4 asks for it."),
    "Device.type": ("dlf_device_format", "Name of the kind, as in torch: 'cpu', 'cuda', 'rocm', 'oneapi', and so on."),
    "Device.id": ("", "Number among the devices of this kind. 0 for memory of the processor."),
    "Device.code": ("", "DLPack's number for the kind: 1 cpu, 2 cuda, 10 rocm, 14 oneapi, and so on."),
    "Device.is_cpu_accessible": (
        "dlf_is_cpu_accessible",
        """Whether the processor may use any address on this device. True for plain, pinned and managed memory; a
        backend answers for other devices, False without one.""",
    ),
}
# Signature, C functions, text.
TYPES = {
    "Tensor": (
        "(x, /, *, device=None, copy=None)",
        "dlf_tensor",
        """A tensor: shape, dtype, device, and memory shared with its producer.

        Tensor(x) is from_dlpack(x); a subclass is made in the same way. Tensors are equal if they are the same object,
        like any Python objects; equal, identical and all_close compare their elements.""",
    ),
    "dtype": (
        "(x, /)",
        "dlf_dtype_parse, dlf_dtype_format, dlf_dtype_equal",
        """The type of a tensor's elements.

        x is a name such as 'float32', a dtype of NumPy, ml_dtypes, JAX, PyTorch, TensorFlow or another package, a
        scalar type such as numpy.float32, or DLPack's (code, bits, lanes). NumPy's typestrings and the short names of
        contracts are refused, since 'i8' is int64 in the first and int8 in the second. Fails with DTYPE.

        A dtype equals its name and other packages' dtypes of the same name. It hashes like its name: as keys of a dict
        use either names or one package's dtypes. Every usual one is an attribute of this package, such as
        dlferry.float32.""",
    ),
    "Device": (
        "(x, /)",
        "dlf_device_parse, dlf_device_format, dlf_device_equal",
        """The place of a tensor's memory.

        x is a name such as 'cpu', 'cuda' or 'cuda:1', DLPack's pair of device type and device id, as __dlpack_device__
        gives it, or a device of PyTorch, JAX or another package. A name without a number is the first device. Fails
        with DEVICE.

        A Device equals its name, other packages' devices, and DLPack's pair; tuple(x) is that pair. It hashes like its
        name.""",
    ),
}
# Functions whose text in the header is only about C structures.
SUMMARIES = {
    "from_dlpack": "Share the memory of an array of any framework with DLPack.",
    "to": "Return a tensor as an array of a given type.",
    "wrap": "Make a tensor around existing memory.",
    "Tensor.__dlpack_device__": "Return DLPack's device type and device id.",
    "Tensor.__reduce_ex__": "Return what makes an equal tensor.",
    "Tensor.numpy": "Return the data as a NumPy array.",
    "Tensor.__sizeof__": "Count the bytes that are freed with the tensor.",
    "Tensor.flip": "Reverse axes, without copying.",
    "Tensor.__copy__": "Copy the elements.",
    "Tensor.__deepcopy__": "Copy the elements, and the attributes of a subclass deeply.",
    "Tensor.contiguous": "Return the elements in an order without gaps.",
    "Tensor.copy": "Copy the elements into a new, writable row-major tensor, or into existing memory.",
    "Tensor.astype": "Convert the elements to a dtype, into a new tensor or existing memory.",
    "Tensor.__setitem__": "Write elements.",
    "Tensor.item": "Return one element as a Python number.",
    "Tensor.tolist": "Return the elements as nested lists of Python numbers.",
    "Tensor.tobytes": "Return the bytes of the elements in row-major order.",
    "Tensor.__complex__": "Return the only element as a complex.",
    "Tensor.squeeze": "Drop axes of extent 1, without copying.",
    "Tensor.unsqueeze": "Add axes of extent 1, without copying.",
}
EXAMPLES = {
    "create": """
        >>> dlferry.create("int16", [2, 2]).tolist()
        [[0, 0], [0, 0]]""",
    "wrap": """
        >>> dlferry.wrap(bytearray(8), "float32").describe()
        'float32[2] cpu'""",
    "from_dlpack": """
        >>> import numpy as np
        >>> a = np.zeros(3, "float32")
        >>> t = dlferry.from_dlpack(a)
        >>> a[1] = 7
        >>> t.tolist()
        [0.0, 7.0, 0.0]
        >>> dlferry.from_dlpack(dlferry.to_dlpack_legacy(t)).version
        (0, 8)
        >>> dlferry.from_dlpack(a, device="cpu", copy=True).tolist()
        [0.0, 7.0, 0.0]""",
    "to": """
        >>> import numpy as np
        >>> dlferry.to(t, np.ndarray)
        array([[0., 1., 2.],
               [3., 4., 5.]], dtype=float32)""",
    "to_dlpack": """
        >>> dlferry.from_dlpack(dlferry.to_dlpack(t)).describe()
        'float32[2, 3] cpu'""",
    "to_dlpack_legacy": """
        >>> capsule = dlferry.to_dlpack_legacy(t)
        >>> dlferry.from_dlpack(capsule).describe()
        'float32[2, 3] cpu read-only'""",
    "check": """
        >>> dlferry.check(dlferry.create("float32", [2]), "strict")""",
    "describe": """
        >>> dlferry.describe(t.T)
        'float32[3, 2] strides [1, 3] cpu'""",
    "format": """
        >>> print(dlferry.format(t))
        float32[2, 3] cpu
        [[0., 1., 2.],
         [3., 4., 5.]]""",
    "identical": """
        >>> dlferry.identical(t, t.copy())
        True""",
    "equal": """
        >>> import numpy as np
        >>> dlferry.equal(t, np.arange(6).reshape(2, 3))  # of int64
        True""",
    "all_close": """
        >>> import numpy as np
        >>> dlferry.all_close(t, np.arange(6).reshape(2, 3) + 1e-7, rtol=0, atol=1e-6)
        True""",
    "describe_json": """
        >>> import json
        >>> json.loads(dlferry.describe_json(t))["strides"]
        [3, 1]""",
    "count": """
        >>> dlferry.count(t)
        6""",
    "byte_size": """
        >>> dlferry.byte_size(t), dlferry.byte_size(dlferry.create("int4", [3]))
        (24, 2)""",
    "byte_range": """
        >>> dlferry.byte_range(t.flip(0))
        (-12, 12)""",
    "is_contiguous": """
        >>> dlferry.is_contiguous(t.T), dlferry.is_contiguous(t.T, "column_major")
        (False, True)""",
    "compact_strides": """
        >>> dlferry.compact_strides([2, 3, 4]), dlferry.compact_strides([2, 3, 4], "column_major")
        ((12, 4, 1), (1, 2, 6))""",
    "alignment": """
        >>> dlferry.alignment(dlferry.create("uint8", [1])) >= 256
        True""",
    "overlap": """
        >>> dlferry.overlap(t[0], t[1]), dlferry.overlap(t[0], t)
        (False, True)""",
    "is_reachable": """
        >>> dlferry.is_reachable(t)
        True""",
    "is_unique": """
        >>> t = dlferry.create("float32", [2])
        >>> view = t[:1]
        >>> dlferry.is_unique(t)
        False
        >>> view.release()
        >>> dlferry.is_unique(t)
        True""",
    "oneapi_enable": """
        >>> dlferry.oneapi_enable("/no/such/libDPCTLSyclInterface.so")
        Traceback (most recent call last):
        ...
        dlferry.errors.ForeignError: ...""",
    "npy_open": """
        >>> dlferry.npy_save(t, "numbers.npy")
        >>> dlferry.npy_open("numbers.npy").describe()
        'float32[2, 3] cpu read-only'""",
    "npy_save": """
        >>> import numpy as np
        >>> dlferry.npy_save(t, "numbers.npy")
        >>> np.load("numbers.npy").shape
        (2, 3)""",
    "version_number": """
        >>> dlferry.version_number() // 10000 == int(dlferry.version().split(".")[0])
        True""",
    "live": """
        >>> x = dlferry.create("float32", [2])
        >>> dlferry.live() >= 1
        True""",
    "set_threads": """
        >>> dlferry.set_threads(2)
        >>> dlferry.set_threads(1)""",
    "version": """
        >>> dlferry.version() == dlferry.__version__
        True""",
    "Tensor.copy": """
        >>> t.T.copy().strides
        (2, 1)
        >>> import numpy as np
        >>> t.copy(out=np.empty((2, 3), "float32"))
        array([[0., 1., 2.],
               [3., 4., 5.]], dtype=float32)""",
    "Tensor.copy_into": """
        >>> t[0].copy_into(t[1])
        >>> t.tolist()
        [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]""",
    "Tensor.astype": """
        >>> t.astype("int8").tolist()
        [[0, 1, 2], [3, 4, 5]]
        >>> u = dlferry.create("float16", [2, 3])
        >>> t.astype("float16", out=u) is u
        True""",
    "Tensor.cast_into": """
        >>> import numpy as np
        >>> a = np.empty((3, 2), "int8")
        >>> t.T.cast_into(a)
        >>> a
        array([[0, 3],
               [1, 4],
               [2, 5]], dtype=int8)""",
    "Tensor.contiguous": """
        >>> t.T.contiguous().strides, t.contiguous("column_major").strides
        ((2, 1), (1, 2))""",
    "Tensor.fill": """
        >>> t.fill(7)
        >>> t.tolist()
        [[7.0, 7.0, 7.0], [7.0, 7.0, 7.0]]""",
    "Tensor.__setitem__": """
        >>> t[1] = t[0]
        >>> t[:, 0] = 9
        >>> t.tolist()
        [[9.0, 1.0, 2.0], [9.0, 1.0, 2.0]]""",
    "Tensor.release": """
        >>> t.release()
        >>> t.shape
        Traceback (most recent call last):
        ...
        dlferry.errors.InvalidError: shape: expected an open tensor, got a closed one""",
    "Tensor.numpy": """
        >>> a = t.numpy()
        >>> a[1, 2] = 9
        >>> t.item(1, 2)
        9.0
        >>> dlferry.create("int4", [2]).numpy(copy=True)
        array([0, 0], dtype=int4)""",
    "Tensor.__dlpack__": """
        >>> copy = t.__dlpack__(max_version=(1, 3), copy=True)
        >>> dlferry.from_dlpack(copy).describe()
        'float32[2, 3] cpu copied'""",
    "Tensor.__dlpack_device__": """
        >>> t.__dlpack_device__()
        (<DeviceType.CPU: 1>, 0)""",
    "Tensor.__sizeof__": """
        >>> import sys
        >>> sys.getsizeof(dlferry.create("uint8", [10000])) > 10000
        True""",
    "Tensor.__getitem__": """
        >>> t[1, ::-1].tolist()
        [5.0, 4.0, 3.0]
        >>> t[:, 2:0:-1].tolist()
        [[2.0, 1.0], [5.0, 4.0]]""",
    "Tensor.__contains__": """
        >>> 4 in t, 0.5 in t
        (True, False)""",
    "Tensor.item": """
        >>> t.item(1, -1), t.item(4)
        (5.0, 4.0)""",
    "Tensor.pack_lanes": """
        >>> t.pack_lanes().item(1)
        (3.0, 4.0, 5.0)""",
    "Tensor.bitcast": """
        >>> hex(t.bitcast("uint32").item(0, 1))
        '0x3f800000'""",
    "Tensor.broadcast_to": """
        >>> t[0].broadcast_to(2, 3).tolist()
        [[0.0, 1.0, 2.0], [0.0, 1.0, 2.0]]""",
    "Tensor.flip": """
        >>> t.flip(0).tolist()
        [[3.0, 4.0, 5.0], [0.0, 1.0, 2.0]]""",
    "Tensor.permute": """
        >>> t.permute(1, 0).tolist()
        [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]""",
    "Tensor.reshape": """
        >>> t.reshape(3, -1).tolist()
        [[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]]""",
    "Tensor.squeeze": """
        >>> t[:1].squeeze(0).shape
        (3,)""",
    "Tensor.unpack_lanes": """
        >>> t.pack_lanes().unpack_lanes().describe()
        'float32[2, 3] cpu'""",
    "Tensor.unsqueeze": """
        >>> t.unsqueeze(1).shape
        (2, 1, 3)""",
    "dtype.decode": """
        >>> dlferry.bfloat16.decode(0x4049)
        3.140625""",
    "dtype.encode": """
        >>> hex(dlferry.bfloat16.encode(3.14159)), dlferry.float8_e4m3fn.encode(1e9)
        ('0x4049', 127)""",
    "Tensor.shape": """
        >>> t.shape
        (2, 3)""",
    "Tensor.flags": """
        >>> dlferry.Flag(dlferry.from_dlpack(b"read").flags)
        <Flag.READ_ONLY: 1>""",
    "Tensor.itemsize": """
        >>> t.itemsize
        4""",
    "Tensor.version": """
        >>> t.version >= (1, 0)
        True""",
    "Tensor.data": """
        >>> t[1].data - t.data
        12""",
    "Device.is_cpu_accessible": """
        >>> t.device.is_cpu_accessible, dlferry.Device("cuda:0").is_cpu_accessible
        (True, False)""",
    "dtype": """
        >>> dlferry.dtype("float32") == t.dtype == "float32"
        True
        >>> dlferry.dtype((2, 32, 4)).name
        'float32x4'""",
    "Device": """
        >>> dlferry.Device("cuda:1") == (2, 1)
        True
        >>> str(t.device)
        'cpu'""",
    "Tensor": """
        >>> dlferry.Tensor(bytearray(b"abc")).tolist()
        [97, 98, 99]""",
}
