import { apiQuery } from './api-query.ts'
import { queryClient } from './query-client.ts'
import { signedInOrganizationId } from './session.ts'

/**
 * Asks for the cluster of the page at the address, and for its pods where these are shown unfiltered, while the page's
 * own script is on its way. The page finds the replies, or the requests.
 */
export function prefetchCluster(): void {
  const organizationId = signedInOrganizationId()
  const [, digits, tab] = /^\/kubernetes\/clusters\/(\d{1,9})(?:\/(\w+))?$/.exec(location.pathname) ?? []
  if (organizationId === undefined || digits === undefined) return
  const params = { id: Number(digits) }
  // A failure is kept by the query and shown by the page.
  queryClient.query(apiQuery(organizationId, 'clusters.get', { params })).catch(() => undefined)
  if (tab !== 'pods' || location.search !== '') return
  const pods = apiQuery(organizationId, 'kubernetes.pods', { params, query: { sort: 'health' } })
  queryClient.query(pods).catch(() => undefined)
}
