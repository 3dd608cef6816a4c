import { defaultTheme, defaultTimeFormat, type Settings } from '@bey/contract'
import { themeSettings, timeFormat } from '@bey/contract/settings/endpoints'
import type { SettingsRow } from './store.ts'

/** What was stored by an earlier version and is not understood any more counts as not chosen. */
export function present(row: SettingsRow | undefined): Settings {
  const theme = themeSettings.safeParse(row?.theme)
  const time = timeFormat.safeParse(row?.time)
  return {
    // Who never chose follows the operating system.
    theme: theme.success ? theme.data : { ...defaultTheme, themeMode: 'system' },
    isThemeSaved: theme.success,
    time: time.success ? time.data : defaultTimeFormat,
  }
}
