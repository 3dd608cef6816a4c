// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { blend, contrastRatio, cssOf, luminance, oklchOfCieLch, rgbOf } from './color.ts'
import type { Rgb } from './color.ts'
import { cssTextOf, generateTheme } from './generate.ts'
import type { Theme } from './generate.ts'
import { presets } from './presets.ts'
import type { ThemeSource } from './presets.ts'
import { solvedRatios } from './ratios.ts'
import { surfaceRoles } from './surfaces.ts'

const tones = ['ok', 'warn', 'danger', 'info']

function shown(theme: Theme, role: string): Rgb {
  const color = theme.colors[role]
  if (!color) throw new Error(`The theme has no role "${role}".`)
  return rgbOf(color)
}

// Mulberry32: the themes are random but the same on every run.
function* randomThemes(count: number): Generator<ThemeSource> {
  let state = 20_261_121
  const next = () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
  for (let index = 0; index < count; index++) {
    yield {
      base: [next() * 100, next() * 150, next() * 360],
      accent: [next() * 100, next() * 150, next() * 360],
      contrast: next() * 100,
    }
  }
}

describe('colour conversion', () => {
  test('CIE LCH white and mid grey land on their sRGB values', () => {
    expect(rgbOf(oklchOfCieLch([100, 0, 0])).map((v) => Math.round(v * 255))).toEqual([255, 255, 255])
    expect(rgbOf(oklchOfCieLch([53.585, 0, 0])).map((v) => Math.round(v * 255))).toEqual([128, 128, 128])
  })

  test('sRGB red in CIE LCH (D50) comes back as red', () => {
    const [red, green, blue] = rgbOf(oklchOfCieLch([54.29, 106.84, 40.85])).map((v) => Math.round(v * 255))
    expect(red).toBeGreaterThanOrEqual(254)
    expect(green).toBeLessThanOrEqual(3)
    expect(blue).toBeLessThanOrEqual(3)
  })

  test('contrast of black on white is 21', () => {
    expect(contrastRatio([0, 0, 0], [1, 1, 1])).toBeCloseTo(21, 5)
  })
})

describe('a generated theme', () => {
  const themes = [...Object.values(presets), ...randomThemes(1_000)].map((source) => ({
    source,
    theme: generateTheme(source),
  }))

  test('keeps every ratio that is promised, in every preset and in 1,000 random themes', () => {
    const broken = themes.flatMap(({ source, theme }) =>
      solvedRatios(theme)
        .filter(({ ratio, least }) => ratio < least)
        .map(({ role, ratio }) => `${role} ${ratio.toFixed(2)} of ${JSON.stringify(source)}`),
    )
    expect(broken).toEqual([])
  })

  test('promises what WCAG 2.2 AA asks, and 7 for text', () => {
    const least = Object.fromEntries(
      solvedRatios(generateTheme(presets.light)).map((each) => [each.role, each.least]),
    )
    expect(least).toMatchObject({ text: 7, 'text-2': 4.7, 'text-3': 4.5, 'accent-label': 4.5, ring: 3 })
    expect(Object.values(least).every((ratio) => ratio >= 3)).toBe(true)
  })

  test('has three tones of text that are told apart, 10 of L* from one to the next where there is room', () => {
    const stepsOf = (theme: Theme) => {
      const [text = 0, second = 0, third = 0] = ['text', 'text-2', 'text-3'].map((role) => {
        const y = luminance(shown(theme, role))
        return y > 216 / 24_389 ? 116 * Math.cbrt(y) - 16 : (24_389 / 27) * y
      })
      const toward = theme.isDark ? 1 : -1
      return {
        steps: [(text - second) * toward, (second - third) * toward],
        room: theme.isDark ? 100 - third : third,
      }
    }
    for (const source of Object.values(presets)) {
      expect(
        Math.min(...stepsOf(generateTheme(source)).steps),
        JSON.stringify(source),
      ).toBeGreaterThanOrEqual(10)
    }
    for (const { source, theme } of themes) {
      const { steps, room } = stepsOf(theme)
      expect(Math.min(...steps), JSON.stringify(source)).toBeGreaterThanOrEqual(Math.min(10, room / 2 - 0.6))
    }
  })

  test('keeps secondary text readable in notices and selected rows', () => {
    for (const { source, theme } of themes) {
      const ink = shown(theme, 'text-2')
      const surfaces = surfaceRoles.map((role) => shown(theme, role))
      for (const tint of ['accent', ...tones]) {
        const color = shown(theme, tint)
        const ratios = surfaces.map((surface) => contrastRatio(ink, blend(color, surface, theme.softAlpha)))
        expect(Math.min(...ratios), `on ${tint} of ${JSON.stringify(source)}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  test('keeps the label readable on a hovered button', () => {
    for (const { source, theme } of themes) {
      const ratio = contrastRatio(shown(theme, 'accent-label'), shown(theme, 'accent-hover'))
      expect(ratio, JSON.stringify(source)).toBeGreaterThanOrEqual(4.5)
    }
  })

  test('keeps soft backgrounds between 12 and 18 %', () => {
    for (const { source, theme } of themes) {
      expect(theme.softAlpha, JSON.stringify(source)).toBeGreaterThanOrEqual(0.12)
      expect(theme.softAlpha, JSON.stringify(source)).toBeLessThanOrEqual(0.18)
    }
  })

  test('a base of middle lightness is moved out of 36–54, where no text can read', () => {
    const middle = generateTheme({ base: [44, 0, 0], accent: [55, 80, 300], contrast: 33 })
    const edge = generateTheme({ base: [36, 0, 0], accent: [55, 80, 300], contrast: 33 })
    expect(middle.tokens['bg']).toBe(edge.tokens['bg'])
  })

  test('keeps a base on which text reads exactly as it was chosen', () => {
    for (const base of [presets.dark.base, presets.light.base, [25, 20, 140], [80, 20, 40]] as const) {
      const theme = generateTheme({ base, accent: [55, 80, 300], contrast: 33 })
      expect(theme.tokens['bg']).toBe(cssOf(oklchOfCieLch(base)))
    }
  })

  test('keeps lines and what is selected apart from their ground without any contrast', () => {
    for (const base of [presets.dark.base, presets.light.base, [54, 60, 130]] as const) {
      const { colors } = generateTheme({ base, accent: [55, 80, 300], contrast: 0 })
      for (const role of ['line', 'active']) {
        expect(Math.abs((colors[role]?.l ?? 0) - (colors['bg']?.l ?? 0)), role).toBeGreaterThan(0.012)
      }
    }
  })

  test('fits in 2 KB of CSS', () => {
    expect(cssTextOf(generateTheme(presets.dark)).length).toBeLessThan(2048)
  })
})

test('no line of a chart has a hue within 40 degrees of that of danger, and six are told apart', () => {
  const between = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180)
  // Accents of danger itself, beside it, and all around.
  const around = Array.from({ length: 72 }, (_, index) => ({
    base: [98, 1, 285],
    accent: [55, 80, index * 5],
    contrast: 33,
  })) satisfies ThemeSource[]
  for (const source of [...around, ...randomThemes(300)]) {
    const { colors } = generateTheme(source)
    const danger = colors['danger']?.h ?? 0
    const hues = [1, 2, 3, 4, 5, 6].map((n) => colors[`chart-${n}`]?.h ?? danger)
    for (const hue of hues) expect(between(hue, danger), JSON.stringify(source)).toBeGreaterThanOrEqual(39.9)
    for (const [index, hue] of hues.entries())
      for (const other of hues.slice(index + 1)) expect(between(hue, other)).toBeGreaterThan(28)
  }
})
