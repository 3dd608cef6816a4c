import { useSyncExternalStore } from 'react'
import { storage } from '../lib/storage.ts'
import { applyThemeMode, isThemeMode } from '../ui/theme/mode.ts'
import type { ThemeMode } from '../ui/theme/mode.ts'

const listeners = new Set<() => void>()

/** The stored mode; anything unknown counts as system. */
function themeMode(): ThemeMode {
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
  return useSyncExternalStore(subscribe, themeMode)
}

/** A switch of the look that is kept as "true" or "false" and shown by an attribute of the document. */
interface LookSwitch {
  key: 'denseMode' | 'animationsEnabled'
  isOnByDefault: boolean
  apply: (isOn: boolean, root: HTMLElement) => void
}

export const looks: Record<'denseMode' | 'animationsEnabled', LookSwitch> = {
  denseMode: {
    key: 'denseMode',
    isOnByDefault: false,
    apply: (isOn, root) => {
      if (isOn) root.dataset['density'] = 'dense'
      else delete root.dataset['density']
    },
  },
  animationsEnabled: {
    key: 'animationsEnabled',
    isOnByDefault: true,
    apply: (isOn, root) => {
      if (isOn) delete root.dataset['motion']
      else root.dataset['motion'] = 'off'
    },
  },
}

/** Whether a switch of the look is on, and the way to set it; anything but "true" and "false" is its default. */
export function useLook(look: LookSwitch): [isOn: boolean, set: (isOn: boolean) => void] {
  const stored = useSyncExternalStore(subscribe, () => storage.read(look.key))
  const isOn = stored === 'true' || (stored !== 'false' && look.isOnByDefault)
  const set = (next: boolean) => {
    storage.write(look.key, String(next))
    look.apply(next, document.documentElement)
    for (const listener of listeners) listener()
  }
  return [isOn, set]
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
