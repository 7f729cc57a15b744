# SPDX-License-Identifier: Apache-2.0
# Call each function of shapes.h well and badly.
import Shapes
using DLFerry: rowmajor
using Printf

# The result of a call, or the error's text.
said(call) = try show_(call()) catch error; error.msg end

# Numbers alike in all languages.
show_(x::Tuple) = join(map(show_, x), " ")
show_(x::AbstractArray) = "[" * join(map(show_, vec(x)), " ") * "]"
show_(x::Bool) = x ? "yes" : "no"
show_(x::Enum) = show_(Integer(x))
show_(x::AbstractString) = x
show_(x) = @sprintf("%g", x)

tell(name, call) = println(rpad(name, 10), said(call))

tell("next", () -> Shapes.next(1))
tell("next", () -> Shapes.next(0))
tell("step", () -> Shapes.step(2, 0.5, true, Shapes.REST; by = -3))
tell("step", () -> Shapes.step(-11, 0.5, true, Shapes.REST))
tell("step", () -> Shapes.step(0, 0.5, true, Shapes.RUN))
tell("trace", () -> Shapes.trace(view(reshape(0.0:11.0, 4, 3) |> collect, 1:2, :)'))
tell("trace", () -> Shapes.trace(rowmajor(zeros(256, 300))))
short, long = Float32[1, 2], Float32[10, 20, 30]
tell("add", () -> Shapes.add(short, long))
tell("add", () -> Shapes.add!(zeros(Float32, 2), short, long))

x = Float32[-1, 2, 0, 4]
tell("keep", () -> Shapes.keep(x))
tell("keep", () -> Shapes.keep!(zeros(Float32, 5), x))
tell("keep", () -> Shapes.keep!(zeros(Float32, 2), x))
i = Int32[5, 6, 0, 7, 1]
tell("find", () -> Shapes.find(i; least = 6))
tell("find", () -> Shapes.find!(zeros(Int32, 1), zeros(Int32, 1), i; least = 6))
tell("find", () -> Shapes.find(i; least = 5))
tell("find", () -> Shapes.find!(zeros(Int32, 256), zeros(Int32, 256), i))
tell("pack", () -> Shapes.pack(UInt8[1 1; 1 2]'))
tell("pack", () -> Shapes.pack!(zeros(UInt8, 8), UInt16[0x0101, 0x0201]))
tell("unpack", () -> Shapes.unpack(UInt8[4, 7]))
tell("unpack", () -> Shapes.unpack(UInt8[3, 7]))
tell("unpack", () -> Shapes.unpack(UInt8[3]))
tell("down", () -> Shapes.down!(zeros(Int32, 5), 3))
tell("down", () -> Shapes.down!(zeros(Int32, 2), 3))
tell("down", () -> Shapes.down!(zeros(Int32, 4), 99))
tell("lie", () -> Shapes.lie(2))
tell("lie", () -> Shapes.lie(-1))
tell("lie", () -> Shapes.lie!(zeros(Float32, 4), 5))
tell("lie", () -> Shapes.lie_wide(typemax(UInt64)))
table = Shapes.table_new(3)
tell("weigh", () -> Shapes.table_weigh(table, transpose(collect(reshape(1.0:6.0, 3, 2)))))
tell("weigh", () -> Shapes.table_weigh(table, transpose(collect(reshape(1.0:6.0, 2, 3)))))
tell("weigh", () -> Shapes.table_weigh(Shapes.table_new(10), transpose(collect(reshape(1.0:6.0, 3, 2)))))
tell("repeat", () -> Shapes.table_repeat(table, 1))
tell("repeat", () -> Shapes.table_repeat(table, 64))
tell("weight", () -> Shapes.table_weight(table, 2))
tell("weight", () -> Shapes.table_weight(table, 3))
tell("weight", () -> Shapes.table_weight(table, -1))
tell("weight", () -> Shapes.table_weight(Shapes.table_new(10), 2))
tell("weigh row", () -> Shapes.table_weigh_row(table, collect(1.0:6.0)))
tell("weigh row", () -> Shapes.table_weigh_row(table, [1.0, 2.0]))
tell("weigh row", () -> Shapes.table_weigh_row(Shapes.table_new(5), [1.0, 2.0]))
