// SPDX-License-Identifier: Apache-2.0

package dlferry

// Ptr returns a pointer to a value, for the options of generated packages. There a field is a pointer if its default is
// not zero: nil means the default, and Ptr of a zero means zero.
//
//	photo.Blur(image, photo.BlurOptions{})                         // the default of the C header
//	photo.Blur(image, photo.BlurOptions{Sigma: dlferry.Ptr(1.5)})  // another value
//	photo.Scale(image, photo.ScaleOptions{Factor: dlferry.Ptr[float32](0)})
func Ptr[T any](value T) *T { return &value }
