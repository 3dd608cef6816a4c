import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, apiQuery, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

const progressMs = 1_000

/** Which keys seal the organization's values; asked every second while a verification runs. */
export function useSecretKeys(isEnabled: boolean) {
  return useQuery({
    ...apiQuery(useOrganizationId(), 'secrets.keys', {}),
    enabled: isEnabled,
    refetchInterval: ({ state }) => (state.data?.verifying ? progressMs : false),
  })
}

/** Opens every value and checks the audit chain before and after. */
export function useVerifySecrets() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  const refetch = () => refetchBelow(cache, organizationId, apiPath('secrets.keys'))
  return useMutation({
    mutationFn: () => {
      const result = api.call('secrets.verify')
      // Shows the progress from its beginning.
      setTimeout(refetch, 200)
      return result
    },
    onSettled: refetch,
  })
}
