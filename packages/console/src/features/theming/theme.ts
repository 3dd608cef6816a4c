import { useSyncExternalStore } from 'react'
import type { ThemeMode, ThemeSettings } from '@bey/contract'
import { session } from '../../data/session.ts'
import { log } from '../../lib/log.ts'
import { storage, storageKeys } from '../../lib/storage.ts'
import { applyThemeMode } from '../../ui/theme/mode.ts'
import type { ThemeSource } from '../../ui/theme/presets.ts'
import { changed, readTheme, shownSource, writeTheme } from './theme-settings.ts'

const listeners = new Set<() => void>()
let current: ThemeSettings | undefined

/** The theme that is shown, read from this browser on first use. */
export function themeSettings(): ThemeSettings {
  current ??= readTheme(storage, isDarkPreferred())
  return current
}

/** Whether the operating system asks for a dark theme. */
export function isDarkPreferred(): boolean {
  return darkPreference().matches
}

function darkPreference(): MediaQueryList {
  return window.matchMedia('(prefers-color-scheme: dark)')
}

/** Shows a change of the user, keeps it in this browser at once, and notes that the server does not have it yet. */
export function changeTheme(change: Partial<ThemeSettings>): void {
  const state = session.get()
  if ('user' in state) storage.write('themeUnsaved', String(state.user.id))
  show(changed(themeSettings(), change, isDarkPreferred()))
  for (const listener of changeListeners) listener()
}

/** Shows and keeps a theme that is saved already. */
export function replaceTheme(theme: ThemeSettings): void {
  if (!isShown(theme)) show(theme)
}

function isShown(theme: ThemeSettings): boolean {
  return JSON.stringify(theme) === JSON.stringify(themeSettings())
}

export function setThemeMode(mode: ThemeMode): void {
  changeTheme({ themeMode: mode })
}

const changeListeners = new Set<() => void>()

/** Calls back after each change that the user makes here; returns the way to stop. */
export function onThemeChange(listener: () => void): () => void {
  changeListeners.add(listener)
  return () => changeListeners.delete(listener)
}

/** Shows what another tab changes; returns the way to stop. */
export function followOtherTabs(): () => void {
  const keys = new Set<string | null>([
    storageKeys.themeMode,
    storageKeys.animationsEnabled,
    storageKeys.denseMode,
    storageKeys.themeTokens,
    null,
  ])
  const renew = () => {
    const kept = readTheme(storage, isDarkPreferred())
    // The very theme that is shown stays: its colours may be in the making.
    const theme = isShown(kept) ? themeSettings() : kept
    current = theme
    // Nothing is written: the other tab has, and may be about to write more.
    applyThemeMode(theme.themeMode, storage.read('themeTokens'), document.documentElement)
    announce(theme)
  }
  const follow = ({ key }: StorageEvent) => {
    if (keys.has(key)) renew()
  }
  window.addEventListener('storage', follow)
  // Changes by other tabs while this page was loading raised no event here.
  renew()
  return () => window.removeEventListener('storage', follow)
}

export function useThemeSettings(): ThemeSettings {
  return useSyncExternalStore(subscribe, themeSettings)
}

export function useThemeMode(): ThemeMode {
  return useThemeSettings().themeMode
}

/** `isDarkPreferred`, as it changes. */
export function useDarkPreferred(): boolean {
  return useSyncExternalStore(subscribeToPreference, isDarkPreferred)
}

function subscribeToPreference(listener: () => void) {
  const preference = darkPreference()
  preference.addEventListener('change', listener)
  return () => preference.removeEventListener('change', listener)
}

/** Makes the colours of a custom theme anew, in case another release kept them. */
export function refreshTokens(): void {
  const theme = themeSettings()
  if (theme.themeMode === 'custom') void showCustom(theme)
}

function show(theme: ThemeSettings): void {
  current = theme
  writeTheme(storage, theme)
  if (theme.themeMode === 'custom') void showCustom(theme)
  else applyThemeMode(theme.themeMode, null, document.documentElement)
  announce(theme)
}

function announce({ denseMode, animationsEnabled }: ThemeSettings): void {
  const root = document.documentElement
  if (denseMode) root.dataset['density'] = 'dense'
  else delete root.dataset['density']
  if (animationsEnabled) delete root.dataset['motion']
  else root.dataset['motion'] = 'off'
  for (const listener of listeners) listener()
}

let makeCss: ((source: ThemeSource) => string) | undefined

// What makes the colours is loaded with the first custom theme: at start those that are kept suffice.
async function showCustom(theme: ThemeSettings): Promise<void> {
  try {
    makeCss ??= (await import('./cached-theme.ts')).cachedCss
    if (theme !== current) return
    const css = makeCss(shownSource(theme, isDarkPreferred()))
    storage.write('themeTokens', css)
    applyThemeMode('custom', css, document.documentElement)
  } catch (error) {
    // The chunk is not to be had while the server is being replaced; what is on screen stays.
    log('warning', 'The custom theme could not be shown', error)
  }
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
