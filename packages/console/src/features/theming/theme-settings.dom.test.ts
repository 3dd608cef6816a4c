import { defaultTheme } from '@bey/contract'
import { expect, test } from 'vitest'
import { createStorage, storageKeys } from '../../lib/storage.ts'
import { presets } from '../../ui/theme/presets.ts'
import { changed, isCustomised, parseTheme, readTheme, shownSource, writeTheme } from './theme-settings.ts'

const kept = (items: Record<string, string>) => {
  localStorage.clear()
  for (const [key, value] of Object.entries(items)) localStorage.setItem(key, value)
  return createStorage(localStorage)
}
const custom = {
  themeMode: 'custom',
  baseColor: [20, 5, 100],
  accentColor: [60, 50, 200],
  contrast: 40,
  animationsEnabled: true,
  denseMode: false,
} as const

test('the light theme of the server is the light preset', () => {
  expect(defaultTheme).toMatchObject({
    themeMode: 'light',
    baseColor: presets.light.base,
    accentColor: presets.light.accent,
    contrast: presets.light.contrast,
  })
})

test('the presets are those that are specified', () => {
  expect(Object.keys(presets)).toEqual(['dark', 'light', 'github', 'vercel', 'tailwind'])
  expect(presets.dark).toMatchObject({
    base: [12, expect.any(Number), 285],
    accent: [55, 80, 300],
    contrast: 33,
  })
  expect([presets.light.base[0], presets.light.contrast]).toEqual([98, 33])
})

test('animations are on and dense mode is off until somebody says otherwise', () => {
  expect(readTheme(kept({}), false)).toMatchObject({
    themeMode: 'system',
    animationsEnabled: true,
    denseMode: false,
  })
})

test.each([{ baseColor: [30, 1, 1] as const }, { accentColor: [30, 1, 1] as const }, { contrast: 50 }])(
  'changing %o switches to custom and starts from what is shown',
  (change) => {
    const dark = { ...defaultTheme, themeMode: 'dark' } as const
    const { base, accent, contrast } = presets.dark
    expect(changed(dark, change, false)).toEqual({
      ...dark,
      themeMode: 'custom',
      baseColor: base,
      accentColor: accent,
      contrast,
      ...change,
    })
  },
)

test('density and motion leave the mode as it is', () => {
  const dark = { ...defaultTheme, themeMode: 'dark' } as const
  expect(changed(dark, { denseMode: true }, false).themeMode).toBe('dark')
})

test('colours of one’s own survive a while in another mode', () => {
  const light = changed(custom, { themeMode: 'light' }, false)
  expect(shownSource(light, true)).toBe(presets.light)
  expect(changed(light, { themeMode: 'custom' }, false)).toEqual(custom)
})

test('custom without colours of one’s own starts from what is shown', () => {
  const system = { ...defaultTheme, themeMode: 'system' } as const
  const chosen = changed(system, { themeMode: 'custom' }, true)
  expect(shownSource(chosen, false)).toEqual(presets.dark)
  expect(isCustomised(chosen)).toBe(false)
})

test('what is written is read again, under the specified keys', () => {
  const storage = kept({})
  writeTheme(storage, custom)
  expect(Object.fromEntries(Object.entries(localStorage))).toEqual({
    'theme-mode': 'custom',
    'base-color': '[20,5,100]',
    'accent-color': '[60,50,200]',
    contrast: '40',
    'animations-enabled': 'true',
    'dense-mode': 'false',
  })
  expect(readTheme(storage, false)).toEqual(custom)
})

test.each([
  [storageKeys.themeMode, 'sepia'],
  [storageKeys.baseColor, 'red'],
  [storageKeys.baseColor, '[1,2]'],
  [storageKeys.accentColor, '[1,2,900]'],
  [storageKeys.accentColor, 'null'],
  [storageKeys.contrast, '"33"'],
  [storageKeys.contrast, 'NaN'],
  [storageKeys.animationsEnabled, '1'],
  [storageKeys.denseMode, 'yes'],
])('a kept theme whose %s is %s is the default light theme', (key, value) => {
  const storage = kept({})
  writeTheme(storage, custom)
  localStorage.setItem(key, value)
  expect(readTheme(storage, true)).toEqual(defaultTheme)
})

test('a theme from elsewhere is taken whole or not at all', () => {
  expect(parseTheme({ ...custom })).toEqual(custom)
  for (const wrong of [
    null,
    'dark',
    {},
    { ...custom, themeMode: 'sepia' },
    { ...custom, contrast: '33' },
    { ...custom, contrast: null },
    { ...custom, animationsEnabled: 'true' },
    { ...custom, denseMode: 0 },
    { ...custom, baseColor: [1, 2, '3'] },
  ]) {
    expect(parseTheme(wrong), JSON.stringify(wrong)).toBeUndefined()
  }
})
