import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

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
