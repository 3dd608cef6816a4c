import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { presets } from '../../ui/theme/presets.ts'
import { changeTheme, followOtherTabs, refreshTokens, setThemeMode, themeSettings } from './theme.ts'

const { tailwind } = presets
const kept = () => localStorage.getItem('bey-theme-tokens')
const chooseTailwind = () =>
  changeTheme({
    themeMode: 'custom',
    baseColor: tailwind.base,
    accentColor: tailwind.accent,
    contrast: tailwind.contrast,
  })

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false }))
  localStorage.clear()
})
afterEach(() => {
  setThemeMode('system')
  vi.unstubAllGlobals()
})

test('colours in the making are shown and kept although the page begins to follow other tabs meanwhile', async () => {
  chooseTailwind()
  const stop = followOtherTabs()
  await expect.poll(kept).toContain('--')
  expect(document.documentElement.style.cssText).not.toBe('')
  expect(themeSettings().themeMode).toBe('custom')
  stop()
})

test('colours that nobody made are made at the next start', async () => {
  chooseTailwind()
  await expect.poll(kept).toContain('--')
  localStorage.removeItem('bey-theme-tokens')
  const stop = followOtherTabs()
  refreshTokens()
  await expect.poll(kept).toContain('--')
  stop()
})
