import type { SecurityPolicies } from '@bey/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiKey, apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

export function usePolicies() {
  return useQuery(apiQuery(useOrganizationId(), 'policies.get', {}))
}

export function useSavePolicies() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return useMutation({
    mutationFn: (body: SecurityPolicies) => api.call('policies.update', { body }),
    onSuccess: (policies) => {
      cache.setQueryData(apiKey(organizationId, 'policies.get'), policies)
      refetchBelow(cache, organizationId, apiPath('audit.list'))
    },
  })
}
