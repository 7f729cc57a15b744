# SPDX-License-Identifier: Apache-2.0
"""An example for each function of docs.py that is the home of a C function; tests/test_docstrings.py runs them.

They know dlferry, and t, the tensor float32[2, 3] of 0 to 5. Each begins with new ones, in an empty folder.
"""

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
    "version": """
        >>> dlferry.version() == dlferry.__version__
        True""",
    "Tensor.copy": """
        >>> t.T.copy().strides
        (2, 1)""",
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
