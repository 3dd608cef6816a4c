import { readdirSync, readFileSync } from 'node:fs'
import { entityOf, entityTypes } from '@bey/contract'
import type { EntityType } from '@bey/contract'
import { root } from './source-files.ts'

/** Ids that routes with parameters are visited with. */
export type RouteIds = {
  clusterId: number
  workflowId: string
  runId: string
  errorId: string
  secretId: string
  apiKeyId: string
  webhookId: string
}

export const publicRoutes = [
  '/login',
  '/signup',
  '/forgot-password',
  '/invite#bey_invite_unheard-of',
  '/reset-password#bey_ticket_unknown',
  '/oauth/callback#provider=github&error=account_exists',
  '/demo/visit#bey_ticket_unknown',
  `/share/00000000-0000-4000-8000-000000000000#${'A'.repeat(43)}`,
]

const folder = `${root}/packages/console/src/app/routes`

/** Patterns of every guarded page as the console declares them: `/workflows/$id`. */
export function guardedPatterns(): string[] {
  return readdirSync(folder)
    .filter((file) => file !== 'root.ts')
    .flatMap((file) => [
      ...readFileSync(`${folder}/${file}`, 'utf8').matchAll(/^\s*path: '([^']+)'|[{ ]path: '([^']+)'/gm),
    ])
    .map((match) => `/${(match[1] ?? match[2] ?? '').replace(/^\//, '')}`)
}

/** Every guarded route of the console, for screenshots and for the sweep over screens. */
export function guardedRoutes(ids: RouteIds): string[] {
  const known: Partial<Record<EntityType, string>> = {
    cluster: String(ids.clusterId),
    workflow: ids.workflowId,
    error: ids.errorId,
    secret: ids.secretId,
    apiKey: ids.apiKeyId,
    webhook: ids.webhookId,
  }
  const visited = guardedPatterns().flatMap((pattern) => {
    if (pattern === '/$') return ['/there/is/no/such/page']
    const type = entityTypes.find((each) => {
      const { detail } = entityOf(each).paths
      return detail !== undefined && `${pattern}/`.startsWith(`${detail.replace('{id}', '$id')}/`)
    })
    const filled = pattern
      .replace('$section/$page', 'guides/find-out-why-it-fails')
      .replace('$workflowId', ids.workflowId)
      .replace('$runId', ids.runId)
      // No group has it: the page says that there is none.
      .replace('$groupId', ids.runId)
      // Nothing waits for a decision: the page says that there is no such approval.
      .replace('$approvalId', ids.runId)
      // A page that is not built yet says so whatever the id.
      .replace('$id', (type && known[type]) ?? '1')
      // Every cluster has it.
      .replace('$resource/$namespace/$name', 'namespaces/-/default')
    if (!filled.includes('$tab')) return [filled]
    return (type ? (entityOf(type).paths.tabs ?? []) : []).map((tab) => filled.replace('$tab', tab))
  })
  return [
    ...visited,
    ...['versions', 'clusters', 'access', 'activity', 'settings'].map(
      (tab) => `/secrets/${ids.secretId}?tab=${tab}`,
    ),
    '/secrets/00000000-0000-7000-8000-000000000000',
    '/errors/00000000-0000-7000-8000-000000000000',
  ]
}
