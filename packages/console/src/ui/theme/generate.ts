import { blend, contrastRatio, cssOf, fitToGamut, oklchOfCieLch, rgbOf } from './color.ts'
import type { Oklch, Rgb } from './color.ts'
import type { ThemeSource } from './presets.ts'

const surfaceRoles = ['bg', 'sunken', 'raised', 'overlay', 'hover', 'active'] as const
const statusHues = { ok: 152, warn: 75, danger: 25, info: 245 } as const
const chartHues = [165, 75, 245, 25, 335, 205, 120, 295]
const chartCount = 6
const white: Rgb = [1, 1, 1]
const black: Rgb = [0, 0, 0]

type SurfaceRole = (typeof surfaceRoles)[number]
type StatusTone = keyof typeof statusHues

export interface Theme {
  isDark: boolean
  /** Opacity of the soft backgrounds of badges and selections. */
  softAlpha: number
  /** CSS value by role name, without the leading `--`. */
  tokens: Readonly<Record<string, string>>
  /** Opaque colours by role, for tests and canvases. */
  colors: Readonly<Record<string, Oklch>>
}

/** One step above WCAG's 4.5 and 3, for rounding to 8 bits eats up to 0.03. */
const readable = 4.6
const visible = 3.1

/**
 * Makes every colour role of the console from base, accent and contrast.
 * Ratios are solved against the worst surface instead of chosen, so any triple gives a readable theme.
 */
export function generateTheme(source: ThemeSource): Theme {
  const base = oklchOfCieLch([clampBase(source.base[0]), source.base[1], source.base[2]])
  const accent = oklchOfCieLch(source.accent)
  const isDark = contrastRatio(rgbOf(base), white) >= contrastRatio(rgbOf(base), black)
  const k = Math.min(100, Math.max(0, source.contrast)) / 33
  const toward = isDark ? 1 : -1
  const surfaces = solveSurfaces(base, k, toward)
  const worst = Object.values(surfaces).map(rgbOf)
  const tint = { c: Math.min(base.c, 0.02), h: base.h }
  const ink = (ratio: number) => solve({ l: base.l, ...tint }, toward, ratio, worst)
  const solid = solveAccent(accent)
  const { alpha, accentText, statuses } = solveSoft(base, accent, solid, toward, worst, isDark ? 0.18 : 0.12)

  const colors: Record<string, Oklch> = {
    ...surfaces,
    line: { ...base, l: base.l + toward * 0.075 * k },
    'line-strong': { ...base, l: base.l + toward * 0.13 * k },
    control: ink(visible),
    text: ink(Math.max(7, 7 + 4.5 * Math.min(1.6, k))),
    'text-2': ink(Math.max(4.7, 4.7 + 1.3 * Math.min(1.6, k))),
    'text-3': ink(readable),
    accent: solid,
    'accent-hover': { ...solid, l: solid.l + (bestText(rgbOf(solid)).isLight ? -0.035 : 0.035) },
    'accent-label': bestText(rgbOf(solid)).color,
    'accent-text': accentText,
    ring: solve(accent, toward, visible, worst),
  }
  Object.assign(colors, statuses)
  const danger = solveAccent({ l: 0.58, c: 0.2, h: statusHues.danger })
  colors['danger-solid'] = danger
  colors['danger-label'] = bestText(rgbOf(danger)).color
  chartSeries(accent).forEach((seed, index) => {
    colors[`chart-${index + 1}`] = solve(seed, toward, visible, worst)
  })

  const tokens: Record<string, string> = {}
  for (const [role, color] of Object.entries(colors)) tokens[role] = cssOf(color)
  tokens['accent-soft'] = cssOf(solid, alpha)
  for (const tone of Object.keys(statusHues)) tokens[`${tone}-soft`] = cssOf(colors[tone] ?? base, alpha)
  tokens['scrim'] = isDark ? 'oklch(0 0 0 / 0.6)' : `oklch(0.2 0.01 ${Math.round(base.h)} / 0.35)`
  tokens['shadow'] = isDark
    ? '0 8px 24px oklch(0 0 0 / 0.45), 0 2px 6px oklch(0 0 0 / 0.3)'
    : '0 8px 24px oklch(0.2 0.01 285 / 0.12), 0 2px 6px oklch(0.2 0.01 285 / 0.08)'
  return { isDark, softAlpha: alpha, tokens, colors }
}

// Between these neither black nor white text reaches 4.6 once surfaces spread around the base.
function clampBase(lightness: number): number {
  const bounded = Math.min(100, Math.max(0, lightness))
  if (bounded <= 36 || bounded >= 54) return bounded
  return bounded < 45 ? 36 : 54
}

function solveSurfaces(base: Oklch, k: number, toward: 1 | -1): Record<SurfaceRole, Oklch> {
  const root = Math.sqrt(k)
  const make = (scale: number): Record<SurfaceRole, Oklch> => {
    const at = (offset: number): Oklch =>
      fitToGamut({ ...base, l: Math.min(1, Math.max(0, base.l + offset * root * scale)) })
    return {
      bg: at(0),
      sunken: at(-0.018),
      raised: at(0.022),
      overlay: at(0.045),
      hover: at(toward * 0.035),
      active: at(toward * 0.06),
    }
  }
  for (let scale = 1; scale > 0.05; scale *= 0.8) {
    const surfaces = make(scale)
    if (Object.values(surfaces).every((surface) => reach(rgbOf(surface), toward) >= 5)) return surfaces
  }
  return make(0)
}

function reach(surface: Rgb, toward: 1 | -1): number {
  return contrastRatio(surface, toward === 1 ? white : black)
}

function bestText(on: Rgb): { color: Oklch; isLight: boolean } {
  // White is preferred on middle tones: a solid button is then moved darker instead of turning its label black.
  const isLight = contrastRatio(on, white) * 1.8 >= contrastRatio(on, black)
  return { color: { l: isLight ? 1 : 0, c: 0, h: 0 }, isLight }
}

/** Moves the lightness away from the surfaces, no further than the ratio asks; the extreme if it is out of reach. */
function solve(seed: Oklch, toward: 1 | -1, ratio: number, against: readonly Rgb[]): Oklch {
  const holds = (l: number) => {
    const rgb = rgbOf({ ...seed, l })
    return against.every((surface) => contrastRatio(rgb, surface) >= ratio)
  }
  if (holds(seed.l) && isOnSide(seed, toward, against)) return fitToGamut(seed)
  const edge = against.map((surface) => surfaceLightness(surface))
  let near = toward === 1 ? Math.max(...edge) : Math.min(...edge)
  let far = toward === 1 ? 1 : 0
  if (!holds(far)) return { l: far, c: 0, h: seed.h }
  for (let step = 0; step < 20; step++) {
    const middle = (near + far) / 2
    if (holds(middle)) far = middle
    else near = middle
  }
  return fitToGamut({ ...seed, l: far })
}

function isOnSide(seed: Oklch, toward: 1 | -1, against: readonly Rgb[]): boolean {
  return against.every((surface) => (seed.l - surfaceLightness(surface)) * toward >= 0)
}

function surfaceLightness(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4))
  return Math.cbrt(0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0))
}

interface SoftColors {
  alpha: number
  accentText: Oklch
  statuses: Record<StatusTone, Oklch>
}

// Soft backgrounds pale until the colours on them read: extreme themes have no room for a stronger tint.
function solveSoft(
  base: Oklch,
  accent: Oklch,
  solid: Oklch,
  toward: 1 | -1,
  worst: readonly Rgb[],
  wishedAlpha: number,
): SoftColors {
  for (let alpha = wishedAlpha; ; alpha -= 0.02) {
    const tint = Math.max(0, alpha)
    const onSoft = (color: Oklch) => [...worst, ...worst.map((ground) => blend(rgbOf(color), ground, tint))]
    const status = (tone: StatusTone) =>
      solveOnSoft({ l: base.l, c: 0.17, h: statusHues[tone] }, toward, onSoft)
    const accentText = solveOnSoft(accent, toward, onSoft, solid)
    const statuses = {
      ok: status('ok'),
      warn: status('warn'),
      danger: status('danger'),
      info: status('info'),
    }
    const reads = (color: Oklch, ground: Oklch) =>
      onSoft(ground).every((surface) => contrastRatio(rgbOf(color), surface) >= 4.55)
    const allRead = reads(accentText, solid) && Object.values(statuses).every((color) => reads(color, color))
    if (allRead || tint === 0) return { alpha: Number(tint.toFixed(2)), accentText, statuses }
  }
}

/** A text colour that also reads on its own soft background, which changes with it: iterated until it holds. */
function solveOnSoft(
  seed: Oklch,
  toward: 1 | -1,
  grounds: (color: Oklch) => readonly Rgb[],
  softOf?: Oklch,
): Oklch {
  let color = solve(seed, toward, readable, grounds(softOf ?? seed).slice(0, surfaceRoles.length))
  for (let step = 0; step < 12; step++) {
    const next = solve(color, toward, readable, grounds(softOf ?? color))
    if (Math.abs(next.l - color.l) < 0.0005) return next
    color = { ...seed, l: next.l }
  }
  return color
}

/** The solid accent nearest to the wish on which its label, black or white, still reads. */
function solveAccent(seed: Oklch): Oklch {
  const label = bestText(rgbOf(seed))
  const labelRgb = rgbOf(label.color)
  let l = seed.l
  for (let step = 0; step < 200; step++) {
    const candidate = fitToGamut({ ...seed, l })
    if (contrastRatio(rgbOf(candidate), labelRgb) >= readable) return candidate
    l += label.isLight ? -0.005 : 0.005
  }
  return fitToGamut({ ...seed, l: label.isLight ? 0.4 : 0.8 })
}

function chartSeries(accent: Oklch): Oklch[] {
  const distance = (hue: number) => Math.abs(((hue - accent.h + 540) % 360) - 180)
  const others = chartHues.filter((hue) => distance(hue) > 28).slice(0, chartCount - 1)
  return [accent, ...others.map((h) => ({ l: accent.l, c: 0.15, h }))]
}

/** The tokens as CSS declarations, for a style sheet or an element's style. */
export function cssTextOf(theme: Theme): string {
  const declarations = Object.entries(theme.tokens).map(([role, value]) => `--${role}:${value}`)
  return [`color-scheme:${theme.isDark ? 'dark' : 'light'}`, ...declarations].join(';')
}
