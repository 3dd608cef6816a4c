import { apiKey } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { refetchSoon } from './refetch-later.ts'

export const resourceReducers: Pick<LiveReducers, 'RESOURCES_UPDATE'> = {
  RESOURCES_UPDATE: (cache, { organizationId }) => {
    refetchSoon(cache, apiKey(organizationId, 'resources.list'))
    refetchSoon(cache, apiKey(organizationId, 'resources.views'))
  },
}
