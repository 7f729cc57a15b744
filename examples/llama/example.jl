# SPDX-License-Identifier: Apache-2.0
# Generate text with llama.cpp on one thread, and read the logits where llama.cpp has them.
import Llama

model = Llama.model_load_from_file(joinpath(ARGS[1], "model.gguf"), Llama.ModelParams(use_extra_bufts = false))
vocab = Llama.model_get_vocab(model)
println(Llama.model_desc(model), ": ", Llama.model_n_params(model), " parameters, ", Llama.vocab_n_tokens(vocab),
    " tokens, ", Llama.model_n_layer(model), " layers")

room = zeros(Int32, 32)
count = Llama.vocab_tokenize!(room, vocab, "Once upon a time")
prompt = room[1:count]
println("prompt    ", join(prompt, " "))

context() = Llama.context_new(model, Llama.ContextParams(n_ctx = 128, n_threads = 1, n_threads_batch = 1))
ctx, greedy = context(), Llama.sampler_init_greedy()

# Generate tokens; the logits are an array in the memory of the context, which the next call writes again.
function generate(ctx, greedy, count)
    tokens = Int32[]
    for _ in 1:count
        token = Llama.sampler_sample(greedy, ctx, -1)
        logits = Llama.context_get_logits_ith(ctx)
        @assert argmax(logits) - 1 == token
        close(logits)
        push!(tokens, token)
        Llama.context_decode(ctx, [token])
    end
    tokens
end

Llama.context_decode(ctx, prompt)
generated = generate(ctx, greedy, 16)
println("generated ", join(generated, " "))
println("as text   ", length(Llama.vocab_detokenize(vocab, generated)), " characters, the prompt again: ",
    Llama.vocab_detokenize(vocab, prompt; remove_special = true))

truth(value) = value ? "True" : "False"
logits, again = Llama.context_get_logits_ith(ctx), Llama.context_get_logits_ith(ctx)
println("no copy   ", truth(pointer(logits) == pointer(again)))
following = prompt[end:end]
try
    Llama.context_decode(ctx, following)
catch error
    println(error.msg)
end
close(logits)
close(again)

other = context()
Llama.context_state_set_data(other, Llama.context_state_get_data(ctx))
both = map((ctx, other)) do each
    Llama.context_decode(each, following)
    Llama.sampler_sample(greedy, each, -1)
end
println("restored  ", truth(both[1] == both[2]))

for wrong in (
    () -> Llama.vocab_tokenize!(room[1:3], vocab, "Once upon a time"),
    () -> Llama.context_decode(ctx, Int32[-1]),
    () -> Llama.context_decode(ctx, Int64.(prompt)),
    () -> Llama.model_meta_val_str(model, "no such key"),
    () -> Llama.model_load_from_file("no such file", Llama.ModelParams()),
)
    try
        wrong()
    catch error
        println(error.msg)
    end
end
