import { blend, contrastRatio, cssOf, oklchOfCieLch, rgbOf } from './color.ts'
import type { Oklch, Rgb } from './color.ts'
import type { ThemeSource } from './presets.ts'
import { atLightness, labelOn, lightnessOf, readable, solve, solveSolid, visible } from './solve.ts'
import type { Toward } from './solve.ts'
import { solveSurfaces, surfaceRoles, textReach } from './surfaces.ts'

const statusHues = { ok: 152, warn: 75, danger: 25, info: 245 } as const
const chartHues = [165, 75, 245, 335, 205, 120, 295]
/** A line whose hue is closer to that of danger would say that something fails. */
const leastFromDanger = 40
const chartCount = 6

/** Below this lines, and what is selected or under the pointer, could not be made out. */
const minContrast = 8

type StatusTone = keyof typeof statusHues
const tones: readonly StatusTone[] = ['ok', 'warn', 'danger', 'info']

export interface Theme {
  isDark: boolean
  /** Opacity of the soft backgrounds of badges and selections. */
  softAlpha: number
  /** CSS value by role name, without the leading `--`. */
  tokens: Readonly<Record<string, string>>
  /** Opaque colours by role, for tests and canvases. */
  colors: Readonly<Record<string, Oklch>>
}

/**
 * Makes every colour role of the console from base, accent and contrast.
 * Ratios are solved against the worst surface instead of chosen, so any triple gives a readable theme.
 */
export function generateTheme(source: ThemeSource): Theme {
  const k = Math.max(minContrast, Math.min(100, source.contrast)) / 33
  const { surfaces, toward } = solveSurfaces(source.base, k)
  const base = surfaces.bg
  const accent = oklchOfCieLch(source.accent)
  const isDark = toward === 1
  const worst = Object.values(surfaces).map(rgbOf)
  const solid = solveSolid(accent)
  const soft = solveSoft(base, accent, solid, toward, worst, isDark ? 0.18 : 0.12)
  const tinted = [...worst, ...soft.grounds]
  const ink = (ratio: number) => solve(inkSeed(base), toward, ratio, worst)
  // Secondary text also appears in notices and selected rows.
  const quiet = (ratio: number) => farther(ink(ratio), solve(inkSeed(base), toward, readable, tinted), toward)
  const boost = Math.min(1.6, k)

  const colors: Record<string, Oklch> = {
    ...surfaces,
    line: { ...base, l: base.l + toward * 0.075 * k },
    'line-strong': { ...base, l: base.l + toward * 0.13 * k },
    control: ink(visible),
    ...textTones(
      farther(ink(textReach), ink(7 + 4.5 * boost), toward),
      quiet(4.75 + 1.25 * boost),
      quiet(readable),
      toward,
    ),
    accent: solid,
    'accent-hover': { ...solid, l: solid.l + (labelOn(solid).isLight ? -0.035 : 0.035) },
    'accent-label': labelOn(solid).color,
    'accent-text': soft.accentText,
    ring: solve(accent, toward, visible, worst),
    ...soft.statuses,
  }
  const danger = solveSolid({ l: 0.58, c: 0.2, h: statusHues.danger })
  colors['danger-solid'] = danger
  colors['danger-label'] = labelOn(danger).color
  chartSeries(accent).forEach((seed, index) => {
    colors[`chart-${index + 1}`] = solve(seed, toward, visible, worst)
  })

  const tokens: Record<string, string> = {}
  for (const [role, color] of Object.entries(colors)) tokens[role] = cssOf(color)
  tokens['accent-soft'] = cssOf(solid, soft.alpha)
  for (const tone of tones) tokens[`${tone}-soft`] = cssOf(soft.statuses[tone], soft.alpha)
  tokens['scrim'] = isDark ? 'oklch(0 0 0 / 0.6)' : `oklch(0.2 0.01 ${Math.round(base.h)} / 0.35)`
  tokens['shadow'] = isDark
    ? '0 8px 24px oklch(0 0 0 / 0.45), 0 2px 6px oklch(0 0 0 / 0.3)'
    : '0 8px 24px oklch(0.2 0.01 285 / 0.12), 0 2px 6px oklch(0.2 0.01 285 / 0.08)'
  return { isDark, softAlpha: soft.alpha, tokens, colors }
}

/** Text differs from secondary, and that from faint text, by so much of L*; by 10 after rounding to 8 bits. */
const toneStep = 10.4

/**
 * Three tones of text that are told apart: each at least a step from the next. Where black or white is too near for two
 * steps, both are half of what there is.
 */
function textTones(text: Oklch, secondary: Oklch, faint: Oklch, toward: Toward): Record<string, Oklch> {
  const end = toward === 1 ? 100 : 0
  const from = lightnessOf(faint)
  const step = Math.min(toneStep, Math.abs(end - from) / 2)
  const farthest = (one: number, other: number) => (toward === 1 ? Math.max : Math.min)(one, other)
  const nearest = (one: number, other: number) => (toward === 1 ? Math.min : Math.max)(one, other)
  const wished = farthest(lightnessOf(secondary), from + toward * step)
  const second = nearest(wished, end - toward * step)
  return {
    text: atLightness(text, farthest(lightnessOf(text), second + toward * step)),
    'text-2': atLightness(secondary, second),
    'text-3': faint,
  }
}

// Text carries a breath of the base's hue, never a colour.
function inkSeed(base: Oklch): Oklch {
  return { l: base.l, c: Math.min(base.c, 0.02), h: base.h }
}

function farther(one: Oklch, other: Oklch, toward: Toward): Oklch {
  return (one.l - other.l) * toward >= 0 ? one : other
}

interface SoftColors {
  alpha: number
  accentText: Oklch
  statuses: Record<StatusTone, Oklch>
  /** Every soft background on every surface. */
  grounds: Rgb[]
}

// Soft backgrounds pale until the colours on them read: extreme themes have no room for a stronger tint.
function solveSoft(
  base: Oklch,
  accent: Oklch,
  solid: Oklch,
  toward: Toward,
  worst: readonly Rgb[],
  wishedAlpha: number,
): SoftColors {
  for (let alpha = wishedAlpha; ; alpha -= 0.02) {
    const tint = Math.max(0, alpha)
    const over = (color: Oklch) => worst.map((ground) => blend(rgbOf(color), ground, tint))
    const onSoft = (color: Oklch) => [...worst, ...over(color)]
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
    if (!allRead && tint > 0) continue
    const grounds = [solid, ...Object.values(statuses)].flatMap(over)
    return { alpha: Number(tint.toFixed(2)), accentText, statuses, grounds }
  }
}

/** A text colour that also reads on its own soft background, which changes with it: iterated until it holds. */
function solveOnSoft(
  seed: Oklch,
  toward: Toward,
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

/** The accent first, unless it looks like danger: then the hue beside it that does not. */
function chartSeries(accent: Oklch): Oklch[] {
  const fromDanger = signedDistance(accent.h, statusHues.danger)
  const side = fromDanger < 0 ? -1 : 1
  const first =
    Math.abs(fromDanger) < leastFromDanger
      ? { ...accent, h: (statusHues.danger + side * leastFromDanger + 360) % 360 }
      : accent
  const others = chartHues.filter((hue) => Math.abs(signedDistance(hue, first.h)) > 28)
  return [first, ...others.slice(0, chartCount - 1).map((h) => ({ l: accent.l, c: 0.15, h }))]
}

/** Between two hues, from −180 to 180 degrees. */
function signedDistance(hue: number, from: number): number {
  return ((hue - from + 540) % 360) - 180
}

/** The tokens as CSS declarations, for a style sheet or an element's style. */
export function cssTextOf(theme: Theme): string {
  const declarations = Object.entries(theme.tokens).map(([role, value]) => `--${role}:${value}`)
  return [`color-scheme:${theme.isDark ? 'dark' : 'light'}`, ...declarations].join(';')
}
