# SPDX-License-Identifier: Apache-2.0
"""Write a small model with random weights, always the same ones, and the vocabulary of Llama 2.

model.py VOCABULARY MODEL

VOCABULARY is models/ggml-vocab-llama-spm.gguf of llama.cpp. The model's text makes no sense, but its tokens are as
many, and take the same way through llama.cpp, as those of a real one.
"""

import sys

import gguf
import numpy

LAYERS, WIDTH, INNER, HEADS, CONTEXT = 2, 64, 128, 4, 256
FROM_VOCABULARY = (
    "tokenizer.ggml.model tokenizer.ggml.pre tokenizer.ggml.tokens tokenizer.ggml.scores tokenizer.ggml.token_type "
    "tokenizer.ggml.bos_token_id tokenizer.ggml.eos_token_id tokenizer.ggml.unknown_token_id "
    "tokenizer.ggml.add_bos_token tokenizer.ggml.add_eos_token"
).split()


def add_vocabulary(writer, path):
    """Copy the vocabulary; return its size."""
    fields = gguf.GGUFReader(path).fields
    for name in FROM_VOCABULARY:
        field = fields[name]
        inner = field.types[-1] if len(field.types) > 1 else None
        writer.add_key_value(name, field.contents(), field.types[0], inner)
    return len(fields["tokenizer.ggml.tokens"].data)


def add_weights(writer, vocabulary):
    random = numpy.random.Generator(numpy.random.PCG64(1))

    def add(name, *shape):
        values = numpy.ones(shape) if len(shape) == 1 else random.standard_normal(shape) / numpy.sqrt(shape[-1])
        writer.add_tensor(f"{name}.weight", values.astype(numpy.float32))

    add("token_embd", vocabulary, WIDTH)
    for layer in range(LAYERS):
        add(f"blk.{layer}.attn_norm", WIDTH)
        for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
            add(f"blk.{layer}.{part}", WIDTH, WIDTH)
        add(f"blk.{layer}.ffn_norm", WIDTH)
        add(f"blk.{layer}.ffn_gate", INNER, WIDTH)
        add(f"blk.{layer}.ffn_up", INNER, WIDTH)
        add(f"blk.{layer}.ffn_down", WIDTH, INNER)
    add("output_norm", WIDTH)
    add("output", vocabulary, WIDTH)


vocabulary_file, model_file = sys.argv[1:]
writer = gguf.GGUFWriter(model_file, "llama")
writer.add_name("dlferry's small model")
writer.add_block_count(LAYERS)
writer.add_context_length(CONTEXT)
writer.add_embedding_length(WIDTH)
writer.add_feed_forward_length(INNER)
writer.add_head_count(HEADS)
writer.add_head_count_kv(HEADS)
writer.add_layer_norm_rms_eps(1e-5)
writer.add_rope_dimension_count(WIDTH // HEADS)
size = add_vocabulary(writer, vocabulary_file)
writer.add_vocab_size(size)
add_weights(writer, size)
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()
