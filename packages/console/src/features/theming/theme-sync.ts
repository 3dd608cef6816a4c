import { defaultTheme, isThemeMode } from '@bey/contract'
import type { Settings, ThemeSettings, TimeFormat } from '@bey/contract'
import type { TextStorage } from '../../lib/storage.ts'
import { parseTheme } from './theme-settings.ts'

/** After the last change of a theme; a slider that is dragged makes many. */
const saveDelayMs = 1000

export type SaveState =
  | { phase: 'idle' }
  /** Changed, and not on its way yet or on its way. */
  | { phase: 'saving' }
  | { phase: 'saved' }
  | { phase: 'failed'; error: unknown }

/** What keeping a theme on the server needs of the outside world. */
export interface ThemeSyncPorts {
  storage: TextStorage
  /** The signed-in user; undefined while nobody is. */
  userId: () => number | undefined
  theme: () => ThemeSettings
  replaceTheme: (theme: ThemeSettings) => void
  showTimes: (time: TimeFormat) => void
  fetchSettings: () => Promise<Settings>
  saveTheme: (theme: ThemeSettings) => Promise<unknown>
  warn: (message: string, detail?: unknown) => void
}

export interface ThemeSync {
  state: () => SaveState
  subscribe: (listener: () => void) => () => void
  /** The session changed: a user who was not here before has their settings loaded. */
  sessionChanged: () => void
  /** The user changed the theme. */
  themeChanged: () => void
  /** Saves now, after a failure. */
  retry: () => void
}

export function createThemeSync(ports: ThemeSyncPorts): ThemeSync {
  const { storage } = ports
  let state: SaveState = { phase: 'idle' }
  let loadedFor: number | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let saving: Promise<void> = Promise.resolve()
  const listeners = new Set<() => void>()

  const set = (next: SaveState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const hasToken = () => storage.read('token') !== null
  const isUnsavedOf = (userId: number) => storage.read('themeUnsaved') === String(userId)

  async function load(userId: number) {
    try {
      const settings = await ports.fetchSettings()
      if (ports.userId() !== userId) return
      ports.showTimes(settings.time)
      // What was changed here and never reached the server is newer than what the server has.
      if (isUnsavedOf(userId)) return save()
      if (settings.isThemeSaved) ports.replaceTheme(checked(settings.theme))
    } catch (error) {
      ports.warn('The theme could not be loaded', error)
    }
  }

  function checked(value: unknown): ThemeSettings {
    const theme = parseTheme(value)
    if (!theme) ports.warn('The theme of the server is not valid: the light theme is shown')
    return theme ?? defaultTheme
  }

  function save() {
    clearTimeout(timer)
    // One after the other: the last to be sent must be the last to arrive.
    saving = saving.then(saveNow)
  }

  async function saveNow() {
    const theme = ports.theme()
    const userId = ports.userId()
    if (userId === undefined || !hasToken()) return
    if (!isThemeMode(theme.themeMode)) {
      return ports.warn(`The theme is not saved: there is no mode "${String(theme.themeMode)}"`)
    }
    set({ phase: 'saving' })
    try {
      await ports.saveTheme(theme)
      if (ports.theme() !== theme) return
      storage.remove('themeUnsaved')
      set({ phase: 'saved' })
    } catch (error) {
      set({ phase: 'failed', error })
      ports.warn('The theme could not be saved', error)
    }
  }

  return {
    state: () => state,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    sessionChanged: () => {
      const userId = hasToken() ? ports.userId() : undefined
      if (userId === loadedFor) return
      loadedFor = userId
      clearTimeout(timer)
      set({ phase: 'idle' })
      if (userId !== undefined) void load(userId)
    },
    themeChanged: () => {
      clearTimeout(timer)
      if (!hasToken()) return
      set({ phase: 'saving' })
      timer = setTimeout(save, saveDelayMs)
    },
    retry: save,
  }
}
