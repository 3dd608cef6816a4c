import { demoLivesOf, demoPartsOf, type Feature, type Parts } from './feature.ts'
import { isLoopback } from './config.ts'
import { auditDemo } from './features/audit/demo.ts'
import type { authFeature } from './features/auth/feature.ts'
import { issueTicket, takeTicket } from './features/auth/tickets.ts'
import { clusterActs } from './features/clusters/demo/acts.ts'
import type { KeepPast } from './features/clusters/demo/keep-past.ts'
import { demoFeature } from './features/demo/feature.ts'
import type { kubernetesFeature } from './features/kubernetes/feature.ts'
import { recordPast } from './features/kubernetes/changes/past-versions.ts'
import { deleteRows, forgetAllRuns } from './features/organizations/purge.ts'
import type { openOperations } from './operations.ts'
import { backfill } from './platform/metrics/backfill.ts'

/** What a cluster of a demo recorded of its past, where the recorder and the collector would have put it. */
const keepPast: KeepPast = async (db, { organizationId, clusterId }, { versions, momentsMs, series }) => {
  await recordPast(db, { organizationId, clusterId }, versions)
  const entity = { type: 'cluster', id: String(clusterId) }
  await backfill(db, { organizationId, entity, now: new Date() }, momentsMs, series)
}

/** Demos are made of every feature: of the clusters first, then of what each feature adds. */
export function openDemo(
  parts: Parts,
  needs: {
    operations: Awaited<ReturnType<typeof openOperations>>
    kubernetes: Pick<ReturnType<typeof kubernetesFeature>, 'observe' | 'flushAudit'>
    auth: Pick<Awaited<ReturnType<typeof authFeature>>, 'enter'>
    features: () => readonly Feature[]
  },
) {
  const { operations, kubernetes, auth, features } = needs
  const { clock } = parts
  return demoFeature(parts, {
    clusters: {
      ...operations.demoClusters,
      start: (organizationId, ids) =>
        operations.demoClusters.start(organizationId, ids, {
          keep: keepPast,
          onTried: () => void kubernetes.observe(),
        }),
    },
    addDefaults: (db, id) => operations.workflows.ensureBuiltIns(db, id),
    parts: () => [auditDemo(clusterActs), ...demoPartsOf(features())],
    lives: () => demoLivesOf(features()),
    forgetRuns: (id) => forgetAllRuns(parts.database, id, (runIds) => operations.engine().forget(runIds)),
    stopObserving: kubernetes.observe,
    flushAudit: kubernetes.flushAudit,
    deleteRows,
    visits: {
      tickets: {
        issue: async (db) =>
          (await issueTicket(db, 'demo', { userId: null, data: {}, now: clock.now() })).token,
        take: async (db, ticket) => (await takeTicket(db, 'demo', ticket, clock.now())) !== undefined,
      },
      enter: (db, userId, caller) => auth.enter(db, { userId, method: 'demo', isFirst: true }, caller),
      isLoopback,
    },
  })
}
