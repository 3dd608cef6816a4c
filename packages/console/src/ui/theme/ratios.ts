import { blend, contrastRatio, rgbOf } from './color.ts'
import type { Rgb } from './color.ts'
import type { Theme } from './generate.ts'
import { surfaceRoles } from './surfaces.ts'

/** A guarantee of every theme: the contrast ratio of a colour against its worst background. */
export interface SolvedRatio {
  role: string
  label: string
  /** Against what it is measured. */
  on: string
  /** WCAG 2.2, 1–21. */
  ratio: number
  /** What it is never below. */
  least: number
}

const softs = ['accent', 'ok', 'warn', 'danger', 'info']

/** Every ratio that a theme promises, with what it came to. */
export function solvedRatios(theme: Theme): SolvedRatio[] {
  const shown = (role: string): Rgb => {
    const color = theme.colors[role]
    if (!color) throw new Error(`The theme has no role "${role}".`)
    return rgbOf(color)
  }
  const surfaces = surfaceRoles.map(shown)
  const over = (tint: string) => surfaces.map((surface) => blend(shown(tint), surface, theme.softAlpha))
  const tinted = [...surfaces, ...softs.flatMap(over)]
  const row = (role: string, label: string, on: string, grounds: readonly Rgb[], least: number) => ({
    role,
    label,
    on,
    ratio: Math.min(...grounds.map((ground) => contrastRatio(shown(role), ground))),
    least,
  })
  const solid = (label: string, name: string, ground: string) =>
    row(label, name, 'the button', [shown(ground)], 4.5)
  const anySurface = 'any surface'
  return [
    row('text', 'Text', anySurface, surfaces, 7),
    row('text-2', 'Secondary text', anySurface, surfaces, 4.7),
    row('text-3', 'Faint text', anySurface, tinted, 4.5),
    solid('accent-label', 'Accent label', 'accent'),
    row('accent-text', 'Accent text', 'any surface and its tint', [...surfaces, ...over('accent')], 4.5),
    row('ring', 'Focus ring', anySurface, surfaces, 3),
    row('control', 'Borders of controls', anySurface, surfaces, 3),
    ...['ok', 'warn', 'danger', 'info'].map((tone) =>
      row(tone, statusLabels[tone] ?? tone, 'any surface and its tint', [...surfaces, ...over(tone)], 4.5),
    ),
    solid('danger-label', 'Label of a destructive button', 'danger-solid'),
    ...[1, 2, 3, 4, 5, 6].map((n) => row(`chart-${n}`, `Chart series ${n}`, anySurface, surfaces, 3)),
  ]
}

const statusLabels: Record<string, string> = {
  ok: 'Fine',
  warn: 'Warning',
  danger: 'Error',
  info: 'Information',
}
