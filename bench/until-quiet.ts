import { positionHeader } from '@bey/contract'
import type { BeySession } from '../tools/api-session.ts'

const quietMs = 3_000
const longestMs = 60_000

/**
 * Waits until nothing has happened in an organization for three seconds: what moves while a page is loaded is rightly
 * read again. Throws after a minute.
 */
export async function untilQuiet({ baseUrl, token, organizationId }: BeySession): Promise<void> {
  const headers = { authorization: `Bearer ${token}`, 'x-organization-id': String(organizationId) }
  const startedAt = performance.now()
  let last = ''
  let since = startedAt
  while (performance.now() - startedAt < longestMs) {
    const reply = await fetch(`${baseUrl}/api/kubernetes/clusters?limit=1`, { headers })
    // Objects of clusters are counted behind the last dot; they may move for ever.
    const position = (reply.headers.get(positionHeader) ?? '').replace(/\.\d+$/, '')
    if (position !== last) since = performance.now()
    if (performance.now() - since > quietMs) return
    last = position
    await new Promise((done) => setTimeout(done, 250))
  }
  throw new Error('The organization of the benchmark did not come to rest.')
}
