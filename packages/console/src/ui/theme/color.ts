/** Lightness 0–100, chroma ≥ 0, hue in degrees: CIE LCH (D50), the form in which themes are stored. */
export type CieLch = readonly [lightness: number, chroma: number, hue: number]

/** OKLCH: lightness 0–1, chroma ≥ 0, hue in degrees; the form in which CSS receives colours. */
export interface Oklch {
  l: number
  c: number
  h: number
}

/** sRGB with each channel 0–1, gamma-encoded and rounded to 8 bits as a screen shows it. */
export type Rgb = readonly [red: number, green: number, blue: number]

type Vector = readonly [number, number, number]
type Matrix = readonly [Vector, Vector, Vector]

function multiply(matrix: Matrix, vector: Vector): Vector {
  const row = (r: Vector) => r[0] * vector[0] + r[1] * vector[1] + r[2] * vector[2]
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])]
}

// CSS Color 4, section 18: sample conversion code.
const d50ToD65: Matrix = [
  [0.9554734527042182, -0.023098536874261423, 0.0632593086610217],
  [-0.028369706963208136, 1.0099954580058226, 0.021041398966943008],
  [0.012314001688319899, -0.020507696433477912, 1.3303659366080753],
]
const xyzToLinearRgb: Matrix = [
  [3.2409699419045226, -1.537383177570094, -0.4986107602930034],
  [-0.9692436362808796, 1.8759675015077202, 0.04155505740717559],
  [0.05563007969699366, -0.20397695888897652, 1.0569715142428786],
]
const linearRgbToLms: Matrix = [
  [0.4122214708, 0.5363325363, 0.0514459929],
  [0.2119034982, 0.6806995451, 0.1073969566],
  [0.0883024619, 0.2817188376, 0.6299787005],
]
const lmsToOklab: Matrix = [
  [0.2104542553, 0.793617785, -0.0040720468],
  [1.9779984951, -2.428592205, 0.4505937099],
  [0.0259040371, 0.7827717662, -0.808675766],
]

/** Converts a stored colour to OKLCH; colours outside sRGB keep their hue and lose chroma when shown. */
export function oklchOfCieLch([lightness, chroma, hue]: CieLch): Oklch {
  const radians = (hue * Math.PI) / 180
  const a = chroma * Math.cos(radians)
  const b = chroma * Math.sin(radians)
  const fy = (lightness + 16) / 116
  const unfold = (f: number) => (f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27))
  const y = lightness > 8 ? fy ** 3 : lightness / (24389 / 27)
  const xyzD50: Vector = [unfold(a / 500 + fy) * 0.9642956764, y, unfold(fy - b / 200) * 0.8251046025]
  return oklchOfLinear(multiply(xyzToLinearRgb, multiply(d50ToD65, xyzD50)))
}

function oklchOfLinear(linear: Vector): Oklch {
  const [l, m, s] = multiply(linearRgbToLms, linear)
  const [lightness, a, b] = multiply(lmsToOklab, [Math.cbrt(l), Math.cbrt(m), Math.cbrt(s)])
  const hue = (Math.atan2(b, a) * 180) / Math.PI
  return { l: lightness, c: Math.hypot(a, b), h: (hue + 360) % 360 }
}

function linearOfOklch({ l, c, h }: Oklch): Vector {
  const radians = (h * Math.PI) / 180
  const a = c * Math.cos(radians)
  const b = c * Math.sin(radians)
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

function isInGamut(color: Oklch): boolean {
  return linearOfOklch(color).every((channel) => channel > -0.0001 && channel < 1.0001)
}

/** The same lightness and hue with as much of the chroma as sRGB can show. */
export function fitToGamut(color: Oklch): Oklch {
  const l = Math.min(1, Math.max(0, color.l))
  if (isInGamut({ ...color, l })) return { ...color, l }
  let low = 0
  let high = color.c
  for (let step = 0; step < 18; step++) {
    const middle = (low + high) / 2
    if (isInGamut({ l, c: middle, h: color.h })) low = middle
    else high = middle
  }
  return { l, c: low, h: color.h }
}

/** What an 8-bit screen shows of the colour. */
export function rgbOf(color: Oklch): Rgb {
  const [red, green, blue] = linearOfOklch(fitToGamut(color))
  return [encode(red), encode(green), encode(blue)]
}

function encode(linear: number): number {
  const clamped = Math.min(1, Math.max(0, linear))
  const encoded = clamped <= 0.0031308 ? clamped * 12.92 : 1.055 * clamped ** (1 / 2.4) - 0.055
  return Math.round(encoded * 255) / 255
}

/** WCAG 2.2 relative luminance, 0–1. */
export function luminance(rgb: Rgb): number {
  const linear = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
  return 0.2126 * linear(rgb[0]) + 0.7152 * linear(rgb[1]) + 0.0722 * linear(rgb[2])
}

/** WCAG 2.2 contrast ratio, 1–21. */
export function contrastRatio(one: Rgb, other: Rgb): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

/** `top` painted with `alpha` (0–1) over an opaque `bottom`, as a browser blends it. */
export function blend(top: Rgb, bottom: Rgb, alpha: number): Rgb {
  const mix = (index: 0 | 1 | 2) => Math.round((top[index] * alpha + bottom[index] * (1 - alpha)) * 255) / 255
  return [mix(0), mix(1), mix(2)]
}

/** The CSS text of a colour, with at most four decimals. */
export function cssOf(color: Oklch, alpha = 1): string {
  const { l, c, h } = fitToGamut(color)
  const short = (value: number, digits: number) => Number(value.toFixed(digits)).toString()
  const suffix = alpha === 1 ? '' : ` / ${short(alpha, 2)}`
  return `oklch(${short(l, 4)} ${short(c, 4)} ${short(h, 1)}${suffix})`
}
