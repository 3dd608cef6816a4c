import { contrastRatio, fitToGamut, luminance, rgbOf } from './color.ts'
import type { Oklch, Rgb } from './color.ts'

/** One step above WCAG's 4.5 and 3, for rounding to 8 bits eats up to 0.03. */
export const readable = 4.6
export const visible = 3.1
export const white: Rgb = [1, 1, 1]
export const black: Rgb = [0, 0, 0]

/** From the surfaces to their text: 1 where text is lighter, -1 where it is darker. */
export type Toward = 1 | -1

/** Moves the lightness away from the grounds, no further than the ratio asks; the extreme if it is out of reach. */
export function solve(seed: Oklch, toward: Toward, ratio: number, grounds: readonly Rgb[]): Oklch {
  // Text on one side of every ground has the least contrast with the ground nearest to it.
  const lights = grounds.map(luminance)
  const nearest = toward === 1 ? Math.max(...lights) : Math.min(...lights)
  const limit = toward === 1 ? (nearest + 0.05) * ratio - 0.05 : (nearest + 0.05) / ratio - 0.05
  const holds = (l: number) => (luminance(rgbOf({ ...seed, l })) - limit) * toward >= 0
  if (holds(seed.l)) return fitToGamut(seed)
  // The lightness of a grey of that luminance.
  let near = Math.cbrt(nearest)
  let far = toward === 1 ? 1 : 0
  if (!holds(far)) return { l: far, c: 0, h: seed.h }
  for (let step = 0; step < 14; step++) {
    const middle = (near + far) / 2
    if (holds(middle)) far = middle
    else near = middle
  }
  return fitToGamut({ ...seed, l: far })
}

/** The same hue at a CIE lightness, L* from 0 to 100; black or white beyond them. */
export function atLightness(seed: Oklch, lightness: number): Oklch {
  const limit = luminanceAt(Math.min(100, Math.max(0, lightness)))
  let [near, far] = [0, 1]
  for (let step = 0; step < 16; step++) {
    const middle = (near + far) / 2
    if (luminance(rgbOf({ ...seed, l: middle })) >= limit) far = middle
    else near = middle
  }
  return fitToGamut({ ...seed, l: far })
}

/** L* of CIE 1976 of a colour. */
export function lightnessOf(color: Oklch): number {
  const y = luminance(rgbOf(color))
  return y > 216 / 24_389 ? 116 * Math.cbrt(y) - 16 : (24_389 / 27) * y
}

const luminanceAt = (lightness: number) =>
  lightness > 8 ? ((lightness + 16) / 116) ** 3 : (lightness * 27) / 24_389

/** The label of a solid ground. White is preferred on middle tones: the ground is then moved darker instead of turning its label black. */
export function labelOn(ground: Oklch): { color: Oklch; isLight: boolean } {
  const rgb = rgbOf(ground)
  const isLight = contrastRatio(rgb, white) * 1.8 >= contrastRatio(rgb, black)
  return { color: { l: isLight ? 1 : 0, c: 0, h: 0 }, isLight }
}

/** The solid ground nearest to the wish on which its label, black or white, still reads. */
export function solveSolid(seed: Oklch): Oklch {
  const label = labelOn(seed)
  const labelRgb = rgbOf(label.color)
  let l = seed.l
  for (let step = 0; step < 200; step++) {
    const candidate = fitToGamut({ ...seed, l })
    if (contrastRatio(rgbOf(candidate), labelRgb) >= readable) return candidate
    l += label.isLight ? -0.005 : 0.005
  }
  return fitToGamut({ ...seed, l: label.isLight ? 0.4 : 0.8 })
}
