# SPDX-License-Identifier: Apache-2.0
# Properties from getters and setters: read, set, refused, of a closed object.
using Properties

refused(call) =
    try
        call()
    catch error
        println(error.msg)
    end

function use(lamp)
    println("level ", lamp.level, " weight ", lamp.weight)
    lamp.level = 60
    println("level ", lamp.level, " weight ", lamp.weight)
    lamp.mode = Properties.EXACT
    println("mode ", Int(lamp.mode))
    println("owner ", something(lamp.owner, "nobody"))
    lamp.lit = true
    println("lit ", Int(lamp.lit), " owner ", lamp.owner)
    lamp.name = "lantern"
    println("name ", lamp.name, " hue ", lamp.hue, " id ", lamp.id)
    println("brightness ", lamp.brightness)
    println("next ", Properties.lamp_get_next(lamp), " age ", Properties.lamp_get_age(lamp), " sum ",
        Properties.lamp_get_sum(lamp, 2), " seed ", Properties.lamp_set_seed(lamp, 5))
end

function refuse(lamp)
    refused(() -> lamp.level = 101)
    lamp.level = 13
    refused(() -> lamp.hue)
    lamp.name = "broken"
    refused(() -> lamp.lit = false)
    println("level ", lamp.level)
end

throws(call, type) =
    try
        call()
        false
    catch error
        error isa type
    end

# Julia's own errors, and what it knows.
function julia_alone(lamp)
    @assert throws(() -> lamp.level = "a", MethodError)
    @assert throws(() -> lamp.weight = 1.0, ArgumentError)
    @assert throws(() -> lamp.get_level, Exception)
    @assert :level in propertynames(lamp) && !(:get_age in propertynames(lamp))
    @assert Base.return_types(x -> x.level, (Properties.Lamp,)) == [Int32]
    @assert occursin("`weight` (read-only)", string(@doc Properties.Lamp))
end

lamp = Properties.lamp_new("lamp")
use(lamp)
refuse(lamp)
julia_alone(lamp)
close(lamp)
refused(() -> lamp.level)
refused(() -> lamp.level = 1)
refused(() -> lamp.owner)
println("live ", Properties.live())
