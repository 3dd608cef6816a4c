import { useMutation } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchSoon } from './refetch-later.ts'

export const resourceReducers: Pick<LiveReducers, 'RESOURCES_UPDATE'> = {
  RESOURCES_UPDATE: (cache, { organizationId }) => {
    refetchSoon(cache, apiKey(organizationId, 'resources.list'))
    refetchSoon(cache, apiKey(organizationId, 'resources.views'))
  },
}

/** The text of a file with the matches of a query. */
export function useExportResources() {
  return useMutation({
    mutationFn: (query: { query: string }) => api.call('resources.export', { query }),
    gcTime: 0,
  })
}
