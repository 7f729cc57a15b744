// SPDX-License-Identifier: Apache-2.0

// Getters and setters without "Get": read, set, refused, of a closed object.
package main

import (
	"fmt"
	"log"

	"properties"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func done(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func use(lamp *properties.Lamp) {
	fmt.Println("level", must(lamp.Level()), "weight", must(lamp.Weight()))
	done(lamp.SetLevel(60))
	fmt.Println("level", must(lamp.Level()), "weight", must(lamp.Weight()))
	done(lamp.SetMode(properties.Exact))
	fmt.Println("mode", int(must(lamp.Mode())))
	if must(lamp.Owner()) == nil {
		fmt.Println("owner nobody")
	}
	done(lamp.SetLit(true))
	fmt.Println("lit 1 owner", *must(lamp.Owner()))
	done(lamp.SetName("lantern"))
	fmt.Println("name", must(lamp.Name()), "hue", must(lamp.Hue()), "id", must(lamp.Id()))
	fmt.Println("brightness", must(lamp.Brightness()))
	fmt.Println("next", must(lamp.GetNext()), "age", must(lamp.GetAge()), "sum", must(lamp.GetSum(2)),
		"seed", must(lamp.SetSeed(5)))
}

func refuse(lamp *properties.Lamp) {
	fmt.Println(lamp.SetLevel(101))
	done(lamp.SetLevel(13))
	_, err := lamp.Hue()
	fmt.Println(err)
	done(lamp.SetName("broken"))
	fmt.Println(lamp.SetLit(false))
	fmt.Println("level", must(lamp.Level()))
}

func main() {
	lamp := must(properties.LampNew("lamp"))
	use(lamp)
	refuse(lamp)
	done(lamp.Close())
	_, err := lamp.Level()
	fmt.Println(err)
	fmt.Println(lamp.SetLevel(1))
	_, err = lamp.Owner()
	fmt.Println(err)
	fmt.Println("live", properties.Live())
}
