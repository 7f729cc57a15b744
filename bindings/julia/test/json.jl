# SPDX-License-Identifier: Apache-2.0
# Reads the shared cases: JSON as they use it, with nothing outside Julia's standard library.
module JSON

parse(text::AbstractString) = (p = Ref(1); v = value(text, p); skip(text, p); @assert p[] > lastindex(text); v)

function skip(s, p)
    while p[] <= lastindex(s) && isspace(s[p[]])
        p[] = nextind(s, p[])
    end
end

function peek(s, p)
    skip(s, p)
    return s[p[]]
end

function expect(s, p, word)
    skip(s, p)
    startswith(SubString(s, p[]), word) || error("JSON: expected $word at byte $(p[])")
    p[] += ncodeunits(word)
end

function value(s, p)
    c = peek(s, p)
    c == '{' && return members(s, p)
    c == '[' && return elements(s, p)
    c == '"' && return text(s, p)
    for (word, v) in ("true" => true, "false" => false, "null" => nothing)
        startswith(SubString(s, p[]), word) && (expect(s, p, word); return v)
    end
    m = match(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", s, p[])
    (m === nothing || m.offset != p[]) && error("JSON: expected a value at byte $(p[]), got $c")
    p[] += ncodeunits(m.match)
    return m[1] === nothing && m[2] === nothing ? Base.parse(Int, m.match) : Base.parse(Float64, m.match)
end

function members(s, p)
    found = Dict{String,Any}()
    expect(s, p, "{")
    while peek(s, p) != '}'
        isempty(found) || expect(s, p, ",")
        peek(s, p)
        key = text(s, p)
        expect(s, p, ":")
        found[key] = value(s, p)
    end
    expect(s, p, "}")
    return found
end

function elements(s, p)
    found = []
    expect(s, p, "[")
    while peek(s, p) != ']'
        isempty(found) || expect(s, p, ",")
        push!(found, value(s, p))
    end
    expect(s, p, "]")
    return found
end

function text(s, p)
    m = match(r"\"((?:[^\"\\]|\\.)*)\"", s, p[])
    p[] += ncodeunits(m.match)
    return unescape_string(replace(m[1], "\\/" => "/"))
end

end
