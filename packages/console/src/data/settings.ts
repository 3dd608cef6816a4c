import type { Settings, ThemeSettings, TimeFormat } from '@bey/contract'
import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiQuery } from './api-query.ts'
import { queryClient } from './query-client.ts'

/** What the user chose for themselves, the same in every organization. */
export const settingsQuery = () => apiQuery(undefined, 'settings.get', {})

/** Keeps the theme on the server. */
export async function saveTheme(theme: ThemeSettings): Promise<void> {
  keep(await api.call('settings.updateTheme', { body: { theme } }))
}

/** Keeps time zone and formats on the server. */
export function useSaveTimeFormat() {
  return useMutation({
    mutationFn: async (time: TimeFormat) => keep(await api.call('settings.updateTime', { body: { time } })),
  })
}

function keep(settings: Settings): void {
  queryClient.setQueryData(settingsQuery().queryKey, settings)
}
