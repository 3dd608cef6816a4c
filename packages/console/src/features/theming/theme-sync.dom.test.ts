import { defaultTheme, defaultTimeFormat } from '@bey/contract'
import type { Settings, ThemeSettings } from '@bey/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createStorage } from '../../lib/storage.ts'
import { createThemeSync } from './theme-sync.ts'
import type { ThemeSyncPorts } from './theme-sync.ts'

const dark: ThemeSettings = { ...defaultTheme, themeMode: 'dark' }
const saved = (theme: unknown): Settings =>
  // What a server of another version may answer.
  ({ theme, isThemeSaved: true, time: defaultTimeFormat }) as Settings

let theme: ThemeSettings
beforeEach(() => {
  vi.useFakeTimers()
  localStorage.clear()
  theme = defaultTheme
})
afterEach(() => vi.useRealTimers())

function given(ports: Partial<ThemeSyncPorts> = {}, { hasToken = true } = {}) {
  const storage = createStorage(localStorage)
  if (hasToken) storage.write('token', 'bey_session_x')
  const calls = {
    storage,
    userId: () => 7,
    theme: () => theme,
    replaceTheme: vi.fn<(theme: ThemeSettings) => void>(),
    showTimes: vi.fn<ThemeSyncPorts['showTimes']>(),
    fetchSettings: vi.fn<ThemeSyncPorts['fetchSettings']>(async () => saved(dark)),
    saveTheme: vi.fn<ThemeSyncPorts['saveTheme']>(async () => undefined),
    warn: vi.fn<ThemeSyncPorts['warn']>(),
    ...ports,
  }
  const sync = createThemeSync(calls)
  const change = (next: ThemeSettings) => {
    theme = next
    storage.write('themeUnsaved', '7')
    sync.themeChanged()
  }
  return { ...calls, sync, change }
}

test('the theme is loaded once a user with a token is there, and shown', async () => {
  const { sync, fetchSettings, replaceTheme, showTimes } = given()
  sync.sessionChanged()
  sync.sessionChanged()
  await vi.runAllTimersAsync()
  expect(fetchSettings).toHaveBeenCalledTimes(1)
  expect(replaceTheme).toHaveBeenCalledExactlyOnceWith(dark)
  expect(showTimes).toHaveBeenCalledWith(defaultTimeFormat)
})

test('without a token nothing is loaded and nothing is saved', async () => {
  const { sync, change, fetchSettings, saveTheme } = given({}, { hasToken: false })
  sync.sessionChanged()
  change(dark)
  await vi.runAllTimersAsync()
  expect([fetchSettings, saveTheme].map((call) => vi.mocked(call).mock.calls.length)).toEqual([0, 0])
})

test('it is saved 1000 ms after the last change, once', async () => {
  const { change, saveTheme, sync, storage } = given()
  change(dark)
  await vi.advanceTimersByTimeAsync(900)
  change({ ...dark, contrast: 50 })
  await vi.advanceTimersByTimeAsync(999)
  expect(saveTheme).not.toHaveBeenCalled()
  expect(sync.state().phase).toBe('saving')
  await vi.advanceTimersByTimeAsync(1)
  expect(saveTheme).toHaveBeenCalledExactlyOnceWith({ ...dark, contrast: 50 })
  expect(sync.state().phase).toBe('saved')
  expect(storage.read('themeUnsaved')).toBeNull()
})

test('a mode that does not exist is not saved, with a warning', async () => {
  const { change, saveTheme, warn } = given()
  change(Object.assign({ ...dark }, { themeMode: 'sepia' }))
  await vi.runAllTimersAsync()
  expect(saveTheme).not.toHaveBeenCalled()
  expect(warn).toHaveBeenCalledExactlyOnceWith('The theme is not saved: there is no mode "sepia"')
})

test.each([
  ['whose contrast is a text', { ...dark, contrast: '33' }],
  ['whose animations are a number', { ...dark, animationsEnabled: 1 }],
  ['whose dense mode is missing', { ...dark, denseMode: undefined }],
])('a theme of the server %s becomes the default light theme', async (_what, wrong) => {
  const { sync, replaceTheme, warn } = given({ fetchSettings: async () => saved(wrong) })
  sync.sessionChanged()
  await vi.runAllTimersAsync()
  expect(replaceTheme).toHaveBeenCalledExactlyOnceWith(defaultTheme)
  expect(warn).toHaveBeenCalledTimes(1)
})

test('a theme that the server never had leaves that of the browser alone', async () => {
  const { sync, replaceTheme } = given({
    fetchSettings: async () => ({ ...saved(dark), isThemeSaved: false }),
  })
  sync.sessionChanged()
  await vi.runAllTimersAsync()
  expect(replaceTheme).not.toHaveBeenCalled()
})

test('failures of loading and saving are only logged, and a failed save can be asked for again', async () => {
  let isDown = true
  const failure = new Error('down')
  const { sync, change, warn } = given({
    fetchSettings: () => Promise.reject(failure),
    saveTheme: () => (isDown ? Promise.reject(failure) : Promise.resolve()),
  })
  sync.sessionChanged()
  change(dark)
  await vi.runAllTimersAsync()
  expect(vi.mocked(warn).mock.calls.map(([message]) => message)).toEqual([
    'The theme could not be loaded',
    'The theme could not be saved',
  ])
  expect(sync.state()).toEqual({ phase: 'failed', error: failure })
  isDown = false
  sync.retry()
  await vi.runAllTimersAsync()
  expect(sync.state().phase).toBe('saved')
})

test('what was changed here and never arrived is saved on the next visit, not overwritten', async () => {
  const { sync, storage, saveTheme, replaceTheme } = given()
  storage.write('themeUnsaved', '7')
  sync.sessionChanged()
  await vi.runAllTimersAsync()
  expect(saveTheme).toHaveBeenCalledExactlyOnceWith(defaultTheme)
  expect(replaceTheme).not.toHaveBeenCalled()
})

test('what somebody else left unsaved in this browser is not saved for the next user', async () => {
  const { sync, storage, saveTheme, replaceTheme } = given()
  storage.write('themeUnsaved', '8')
  sync.sessionChanged()
  await vi.runAllTimersAsync()
  expect(saveTheme).not.toHaveBeenCalled()
  expect(replaceTheme).toHaveBeenCalledWith(dark)
})
