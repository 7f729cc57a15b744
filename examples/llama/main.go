// SPDX-License-Identifier: Apache-2.0

// Generate text with llama.cpp on one thread, and read the logits where llama.cpp has them.
package main

import (
	"fmt"
	"log"
	"os"
	"strings"
	"unicode/utf8"

	"llama"

	dlferry "github.com/dlferry/dlferry/bindings/go"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func done(err error) { must(0, err) }

func whole[T dlferry.Element](values []T) dlferry.Arg { return dlferry.Of(values, len(values)) }

func context(model *llama.Model) *llama.Context {
	params := llama.ContextParamsDefaults()
	params.NCtx, params.NThreads, params.NThreadsBatch = 128, 1, 1
	return must(llama.ContextNew(model, params))
}

// best is the place of the largest logit, read in the memory of the context.
func best(ctx *llama.Context) int32 {
	logits := must(ctx.GetLogitsIth(llama.ContextGetLogitsIthOptions{}))
	defer logits.Close() // the next call writes there
	elements, place := must(dlferry.Look[float32](logits)), 0
	for i := range int(logits.Shape()[0]) {
		if elements.At(i) > elements.At(place) {
			place = i
		}
	}
	return int32(place)
}

func spaced(tokens []int32) string { return strings.Trim(fmt.Sprint(tokens), "[]") }

func truth(value bool) string {
	if value {
		return "True"
	}
	return "False"
}

func main() {
	params := llama.ModelParamsDefaults()
	params.UseExtraBufts = false
	model := must(llama.ModelLoadFromFile(os.Args[1]+"/model.gguf", params))
	vocab := must(model.GetVocab())
	fmt.Printf("%s: %d parameters, %d tokens, %d layers\n", must(model.Desc()), must(model.NParams()),
		must(vocab.NTokens()), must(model.NLayer()))

	room := make([]int32, 32)
	count := must(vocab.Tokenize("Once upon a time", whole(room), llama.VocabTokenizeOptions{}))
	prompt := room[:count]
	fmt.Println("prompt   ", spaced(prompt))

	ctx, greedy := context(model), must(llama.SamplerInitGreedy())
	done(ctx.Decode(whole(prompt), nil))
	generated := []int32{}
	for range 16 {
		token := must(greedy.Sample(ctx, -1))
		if best(ctx) != token {
			log.Fatal("the sampler took another token than the best")
		}
		generated = append(generated, token)
		done(ctx.Decode(whole([]int32{token}), nil))
	}
	fmt.Println("generated", spaced(generated))
	text := must(vocab.Detokenize(whole(generated), llama.VocabDetokenizeOptions{}))
	fmt.Println("as text  ", utf8.RuneCountInString(text), "characters, the prompt again:",
		must(vocab.Detokenize(whole(prompt), llama.VocabDetokenizeOptions{RemoveSpecial: true})))

	logits := must(ctx.GetLogitsIth(llama.ContextGetLogitsIthOptions{}))
	again := must(ctx.GetLogitsIth(llama.ContextGetLogitsIthOptions{}))
	fmt.Println("no copy  ", truth(logits.Data() == again.Data()))
	following := prompt[len(prompt)-1:]
	fmt.Println(ctx.Decode(whole(following), nil))
	done(logits.Close())
	done(again.Close())

	state, other := must(ctx.StateGetData()), context(model)
	must(other.StateSetData(state))
	both := []int32{}
	for _, each := range []*llama.Context{ctx, other} {
		done(each.Decode(whole(following), nil))
		both = append(both, must(greedy.Sample(each, -1)))
	}
	fmt.Println("restored ", truth(both[0] == both[1]))

	_, err := vocab.Tokenize("Once upon a time", whole(room[:3]), llama.VocabTokenizeOptions{})
	fmt.Println(err)
	fmt.Println(ctx.Decode(whole([]int32{-1}), nil))
	fmt.Println(ctx.Decode(whole(make([]int64, len(prompt))), nil))
	_, err = model.MetaValStr("no such key")
	fmt.Println(err)
	_, err = llama.ModelLoadFromFile("no such file", llama.ModelParamsDefaults())
	fmt.Println(err)
	for _, closed := range []interface{ Close() error }{state, other, ctx, greedy, vocab, model} {
		done(closed.Close())
	}
}
