import { useQueryClient } from '@tanstack/react-query'
import { refetchBelow } from './api-query.ts'
import { useOrganizationId } from './session.ts'

/** What a change calls once the server has answered: everything of the organization below `path` is read anew. */
export function useRefetch(path: string): () => void {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  return () => refetchBelow(cache, organizationId, path)
}
