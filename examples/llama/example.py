# SPDX-License-Identifier: Apache-2.0
"""Generate text with llama.cpp on one thread, and read the logits where llama.cpp has them."""

import sys

import llama
import numpy

model = llama.Model(f"{sys.argv[1]}/model.gguf", llama.ModelParams(use_extra_bufts=False))
vocab = model.get_vocab()
print(f"{model.desc()}: {model.n_params()} parameters, {vocab.n_tokens()} tokens, {model.n_layer()} layers")

room = numpy.empty(32, numpy.int32)
prompt = room[: vocab.tokenize("Once upon a time", room)]
print("prompt   ", *prompt)


def context():
    return llama.Context(model, llama.ContextParams(n_ctx=128, n_threads=1, n_threads_batch=1))


ctx, greedy = context(), llama.Sampler.init_greedy()
ctx.decode(prompt)
generated = []
for _ in range(16):
    token = greedy.sample(ctx, -1)
    logits = ctx.get_logits_ith()  # an array in the memory of the context
    assert logits.shape == (vocab.n_tokens(),) and logits.argmax() == token
    generated.append(token)
    del logits  # the next call writes there
    ctx.decode(numpy.array([token], numpy.int32))
print("generated", *generated)
text = vocab.detokenize(numpy.array(generated, numpy.int32))
print("as text  ", len(text), "characters, the prompt again:", vocab.detokenize(prompt, True))

logits, again = ctx.get_logits_ith(), ctx.get_logits_ith()
print("no copy  ", logits.ctypes.data == again.ctypes.data)
following = prompt[-1:]
try:
    ctx.decode(following)
except ValueError as error:
    print(error)
del logits, again

state = ctx.state_get_data()
with context() as other:
    other.state_set_data(state)
    both = []
    for each in (ctx, other):
        each.decode(following)
        both.append(greedy.sample(each, -1))
    print("restored ", both[0] == both[1])

for wrong in (
    lambda: vocab.tokenize("Once upon a time", room[:3]),
    lambda: ctx.decode(numpy.array([-1], numpy.int32)),
    lambda: ctx.decode(prompt.astype(numpy.int64)),
    lambda: model.meta_val_str("no such key"),
    lambda: llama.Model("no such file", llama.ModelParams()),
):
    try:
        wrong()
    except Exception as error:
        print(error)
