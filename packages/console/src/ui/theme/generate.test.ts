// @vitest-environment node
import { describe, expect, test } from 'vitest'
import { blend, contrastRatio, oklchOfCieLch, rgbOf } from './color.ts'
import type { Rgb } from './color.ts'
import { cssTextOf, generateTheme } from './generate.ts'
import type { Theme } from './generate.ts'
import { presets } from './presets.ts'
import type { ThemeSource } from './presets.ts'

const surfaces = ['bg', 'sunken', 'raised', 'overlay', 'hover', 'active']
const tones = ['ok', 'warn', 'danger', 'info']

function shown(theme: Theme, role: string): Rgb {
  const color = theme.colors[role]
  if (!color) throw new Error(`The theme has no role "${role}".`)
  return rgbOf(color)
}

function worstRatio(theme: Theme, role: string): number {
  return Math.min(...surfaces.map((surface) => contrastRatio(shown(theme, role), shown(theme, surface))))
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
      base: [next() * 100, next() * 40, next() * 360],
      accent: [next() * 100, next() * 130, next() * 360],
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
  const themes = [...Object.values(presets), ...randomThemes(120)].map((source) => ({
    source,
    theme: generateTheme(source),
  }))

  test('reads: every text and status role is at least 4.5 against the worst surface', () => {
    for (const { source, theme } of themes) {
      for (const role of ['text', 'text-2', 'text-3', 'accent-text', ...tones]) {
        expect(worstRatio(theme, role), `${role} of ${JSON.stringify(source)}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  test('reads on its own soft backgrounds', () => {
    for (const { source, theme } of themes) {
      for (const [role, soft] of [['accent-text', 'accent'], ...tones.map((tone) => [tone, tone])]) {
        for (const surface of surfaces) {
          const ground = blend(shown(theme, soft ?? ''), shown(theme, surface), theme.softAlpha)
          const ratio = contrastRatio(shown(theme, role ?? ''), ground)
          expect(
            ratio,
            `${role} on ${soft} over ${surface} of ${JSON.stringify(source)}`,
          ).toBeGreaterThanOrEqual(4.5)
        }
      }
    }
  })

  test('shows controls, focus rings and chart series at 3 or more', () => {
    for (const { source, theme } of themes) {
      for (const role of ['control', 'ring', ...[1, 2, 3, 4, 5, 6].map((n) => `chart-${n}`)]) {
        expect(worstRatio(theme, role), `${role} of ${JSON.stringify(source)}`).toBeGreaterThanOrEqual(3)
      }
    }
  })

  test('keeps labels readable on solid buttons, hovered or not', () => {
    for (const { source, theme } of themes) {
      const pairs = [
        ['accent-label', 'accent'],
        ['accent-label', 'accent-hover'],
        ['danger-label', 'danger-solid'],
      ] as const
      for (const [label, ground] of pairs) {
        const ratio = contrastRatio(shown(theme, label), shown(theme, ground))
        expect(ratio, `${label} on ${ground} of ${JSON.stringify(source)}`).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  test('gives body text 7 or more in every preset', () => {
    for (const source of Object.values(presets)) {
      expect(worstRatio(generateTheme(source), 'text')).toBeGreaterThanOrEqual(7)
    }
  })

  test('a base of middle lightness is moved out of 36–54, where no text can read', () => {
    const middle = generateTheme({ base: [44, 0, 0], accent: [55, 80, 300], contrast: 33 })
    const edge = generateTheme({ base: [36, 0, 0], accent: [55, 80, 300], contrast: 33 })
    expect(middle.tokens['bg']).toBe(edge.tokens['bg'])
  })

  test('fits in 2 KB of CSS', () => {
    expect(cssTextOf(generateTheme(presets.dark)).length).toBeLessThan(2048)
  })
})
