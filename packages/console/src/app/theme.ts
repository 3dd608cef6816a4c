import { useSyncExternalStore } from 'react'
import { storage } from '../lib/storage.ts'
import { applyThemeMode, isThemeMode } from '../ui/theme/mode.ts'
import type { ThemeMode } from '../ui/theme/mode.ts'

const listeners = new Set<() => void>()

/** The stored mode; anything unknown counts as system. */
export function themeMode(): ThemeMode {
  const stored = storage.read('themeMode')
  return isThemeMode(stored) ? stored : 'system'
}

/** Shows and keeps a theme. */
export function setThemeMode(mode: ThemeMode): void {
  storage.write('themeMode', mode)
  applyThemeMode(mode, storage.read('themeTokens'), document.documentElement)
  for (const listener of listeners) listener()
}

export function useThemeMode(): ThemeMode {
  return useSyncExternalStore((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }, themeMode)
}
