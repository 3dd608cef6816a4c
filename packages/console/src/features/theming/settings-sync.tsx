import { useEffect, useSyncExternalStore } from 'react'
import { queryClient } from '../../data/query-client.ts'
import { session } from '../../data/session.ts'
import { saveTheme, settingsQuery } from '../../data/settings.ts'
import { log } from '../../lib/log.ts'
import { storage, storageKeys } from '../../lib/storage.ts'
import { parseTimeStyle, setTimeStyle, timeStyleText } from '../../ui/time-style.ts'
import { followOtherTabs, onThemeChange, refreshTokens, replaceTheme, themeSettings } from './theme.ts'
import { createThemeSync } from './theme-sync.ts'
import type { SaveState } from './theme-sync.ts'

const sync = createThemeSync({
  storage,
  userId: () => {
    const state = session.get()
    return state.phase === 'signed-in' ? state.user.id : undefined
  },
  theme: themeSettings,
  replaceTheme,
  showTimes: (time) => {
    storage.write('timeStyle', timeStyleText(time))
    setTimeStyle(time)
  },
  fetchSettings: () => queryClient.query(settingsQuery()),
  saveTheme,
  warn: (message, detail) => log('warning', message, detail),
})

/** Keeps theme and times of the user in step with the server and with other tabs; draws nothing. */
export function SettingsSync() {
  useEffect(() => {
    const stops = [
      session.subscribe(sync.sessionChanged),
      onThemeChange(sync.themeChanged),
      followOtherTabs(),
      followTimes(),
    ]
    refreshTokens()
    sync.sessionChanged()
    return () => stops.forEach((stop) => stop())
  }, [])
  return null
}

function followTimes(): () => void {
  const follow = ({ key, newValue }: StorageEvent) => {
    if (key === storageKeys.timeStyle && newValue) setTimeStyle(parseTimeStyle(newValue))
  }
  window.addEventListener('storage', follow)
  return () => window.removeEventListener('storage', follow)
}

/** Whether the server has the theme that is shown. */
export function useThemeSaveState(): SaveState {
  return useSyncExternalStore(sync.subscribe, sync.state)
}

export function retryThemeSave(): void {
  sync.retry()
}
