import { randomBytes } from 'node:crypto'

import { webhookAttempts, webhookDeliveries } from '../tables/webhook-deliveries.ts'
import { webhooks, webhookSecrets } from '../tables/webhooks.ts'
import { workflowDefinition } from '@bey/contract/workflows/definition'

import { auditCheckpoints } from '../tables/audit-checkpoints.ts'
import { auditStreams } from '../tables/audit-streams.ts'
import { auditVerifications } from '../tables/audit-verifications.ts'
import { notificationChannels } from '../tables/notification-channels.ts'
import { notificationDeliveries } from '../tables/notification-deliveries.ts'
import { notificationRules } from '../tables/notification-rules.ts'
import { organizationPolicies } from '../tables/organization-policies.ts'
import { accessTickets } from '../tables/access-tickets.ts'
import { annotationReplies } from '../tables/annotation-replies.ts'
import { apiKeys, apiKeySecrets } from '../tables/api-keys.ts'
import { asCodeMarks } from '../tables/as-code-marks.ts'
import { clusterConnections } from '../tables/cluster-connections.ts'
import { clusterLists } from '../tables/cluster-lists.ts'
import { clusterHealth } from '../tables/cluster-health.ts'
import { errorGroups, errorHours, errorReleases, errorUsers } from '../tables/error-groups.ts'
import { errorOccurrences } from '../tables/error-occurrences.ts'
import { idempotencyKeys } from '../tables/idempotency-keys.ts'
import { invitations } from '../tables/invitations.ts'
import { notifications } from '../tables/notifications.ts'
import { kubeconfigTokens } from '../tables/kubeconfig-tokens.ts'
import { objectVersions } from '../tables/object-versions.ts'
import { metricHours, metricMinutes, metricPending, metricSamples } from '../tables/metric-points.ts'
import { metricQuotas, metricSeries } from '../tables/metric-series.ts'
import { organizationKeys } from '../tables/organization-keys.ts'
import { secretGrants } from '../tables/secret-grants.ts'
import { secretShares } from '../tables/secret-shares.ts'
import { secretSyncs } from '../tables/secret-syncs.ts'
import { secretUses } from '../tables/secret-uses.ts'
import { resourceTags } from '../tables/resource-tags.ts'
import { dashboardLayouts } from '../tables/dashboard-layouts.ts'
import { resourceViews } from '../tables/resource-views.ts'
import { secretVersions } from '../tables/secret-versions.ts'
import { secrets } from '../tables/secrets.ts'
import { approvalDecisions, runApprovals } from '../tables/run-approvals.ts'
import { stepAttempts } from '../tables/step-attempts.ts'
import { stepEvents } from '../tables/step-events.ts'
import { triggerEvents } from '../tables/trigger-events.ts'
import { visits } from '../tables/visits.ts'
import { workflowTriggers } from '../tables/workflow-triggers.ts'
import { workflowVersions } from '../tables/workflow-versions.ts'
import { audit, type AuditEntry } from '../platform/audit/audit.ts'
import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { Database } from '../platform/db/database.ts'
import { entityTables } from '../tables/entity-tables.ts'
import { fillTable } from './fill-table.ts'
import type { createGiven } from './given.ts'
import { insertDatabaseRows } from './one-row-of-databases.ts'
import { insertAlertRows } from './one-row-of-alerts.ts'
import { insertBillingRows } from './one-row-of-billing.ts'
import { insertBoardRows } from './one-row-of-boards.ts'
import { insertDemoRow } from './one-row-of-demos.ts'
import { insertReportRows } from './one-row-of-reports.ts'
import { insertNetworkRows } from './one-row-of-networks.ts'
import { insertUsageRows, insertUsageSums } from './one-row-of-usage.ts'

/** An entry of the audit trail. */
export const entryOf = (organizationId: number): AuditEntry => ({
  organizationId,
  actor: { type: 'system', name: 'Bey', email: null },
  via: 'api',
  action: 'cluster.create',
  class: 'create',
})

/** A new organization with a member and a row in each table of an organization. */
export async function oneRowOfEach(
  database: Database,
  given: ReturnType<typeof createGiven>,
): Promise<{ organizationId: number; userId: number }> {
  const user = await given.user()
  const { organizationId } = user
  const cluster = await given.cluster({ organizationId })
  const step = await given.step({ organizationId })
  await given.logs(step, ['one'])
  const note = await given.annotation({ organizationId, userId: user.id })
  await database.withTenant(organizationId, async (db) => {
    await db.insert(clusterConnections).values({ clusterId: cluster.id, organizationId })
    await db
      .insert(clusterHealth)
      .values({ clusterId: cluster.id, organizationId, observer: 'test', leaseUntil: new Date() })
    await db.insert(clusterLists).values({
      organizationId,
      clusterId: cluster.id,
      key: 'pods',
      asOf: new Date(),
      content: Buffer.from(''),
    })
    await db.insert(visits).values({ organizationId, userId: user.id, seenAt: new Date() })
    await db
      .insert(dashboardLayouts)
      .values({ organizationId, userId: user.id, cards: [], updatedAt: new Date() })
    await insertDatabaseRows(db, organizationId, user.id)
    await insertAlertRows(db, organizationId)
    await insertNetworkRows(db, organizationId, cluster.id)
    await insertBoardRows(db, organizationId)
    await insertDemoRow(db, organizationId)
    await insertUsageRows(db, organizationId)
    await insertBillingRows(db, organizationId)
    await insertReportRows(db, organizationId, user.id)
    await db.insert(objectVersions).values({
      id: uuidv7(),
      organizationId,
      clusterId: cluster.id,
      resource: 'configmaps',
      kind: 'ConfigMap',
      namespace: 'default',
      name: 'settings',
      uid: 'u',
      at: new Date(),
      change: 'created',
      hash: '',
      bytes: 2,
      object: {},
    })
    await db.insert(kubeconfigTokens).values({
      id: uuidv7(),
      organizationId,
      userId: user.id,
      clusterId: cluster.id,
      tokenHash: randomBytes(32),
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    const webhookId = uuidv7()
    const deliveryId = uuidv7()
    await db.insert(webhooks).values({
      id: webhookId,
      organizationId,
      name: 'ci',
      url: 'https://example.com/',
      events: ['run.updated'],
    })
    await db
      .insert(webhookSecrets)
      .values({ id: uuidv7(), organizationId, webhookId, sealed: randomBytes(32) })
    await db.insert(webhookDeliveries).values({
      id: deliveryId,
      organizationId,
      webhookId,
      eventId: uuidv7(),
      type: 'run.updated',
      payload: '{}',
    })
    await db.insert(auditStreams).values({ organizationId, webhookId, classes: [], position: 0 })
    await db.insert(webhookAttempts).values({
      id: uuidv7(),
      organizationId,
      deliveryId,
      number: 1,
      at: new Date(),
      durationMs: 1,
      requestHeaders: {},
      responseHeaders: {},
    })
    const keyId = uuidv7()
    await db.insert(apiKeys).values({
      id: keyId,
      organizationId,
      name: 'ci',
      ownerId: user.id,
      madeBy: user.id,
      role: 'OWNER',
      permissions: ['clusters.read'],
    })
    await db
      .insert(apiKeySecrets)
      .values({ id: uuidv7(), organizationId, keyId, tokenHash: randomBytes(32), start: 'bey_key_a' })
    await db.insert(accessTickets).values({
      id: uuidv7(),
      organizationId,
      clusterId: cluster.id,
      sessionId: user.sessionId,
      kind: 'stream',
      ticketHash: randomBytes(32),
      path: '/',
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    await db.insert(idempotencyKeys).values({
      id: uuidv7(),
      organizationId,
      userId: user.id,
      key: 'k',
      endpoint: 'POST /x',
      requestHash: randomBytes(32),
    })
    await db.insert(invitations).values({
      id: uuidv7(),
      organizationId,
      email: 'ada@example.com',
      role: 'MEMBER',
      tokenHash: randomBytes(32),
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    await db
      .insert(annotationReplies)
      .values({ id: uuidv7(), organizationId, annotationId: note.id, text: 'Seen.' })
    await db
      .insert(resourceTags)
      .values({ organizationId, resourceId: `cluster:${cluster.id}`, tags: ['blue'] })
    await db.insert(resourceViews).values({
      id: uuidv7(),
      organizationId,
      name: 'Failing',
      query: 'is:failing',
      isShared: true,
      createdBy: user.id,
    })
    await db.insert(notifications).values({
      organizationId,
      userId: user.id,
      id: uuidv7(),
      kind: 'toast',
      level: 'error',
      title: 'Action failed',
      at: new Date(),
    })
    const secretId = uuidv7()
    const ofSecret = { organizationId, secretId }
    await db.insert(secrets).values({
      id: secretId,
      organizationId,
      name: 's',
      type: 'opaque',
      valueHash: 'h',
      facts: { fields: {}, certificate: null, contexts: [] },
      currentVersion: 1,
      lastVersion: 1,
      maxVersions: 10,
    })
    await db
      .insert(secretVersions)
      .values({ ...ofSecret, version: 1, status: 'current', sealed: randomBytes(60) })
    await db
      .insert(secretGrants)
      .values({ ...ofSecret, subjectType: 'role', subjectId: 'MEMBER', access: 'use' })
    await db
      .insert(secretUses)
      .values({ ...ofSecret, subjectType: 'user', subjectId: '1', subjectName: 'Ada', lastVersion: 1 })
    await db
      .insert(secretShares)
      .values({ ...ofSecret, id: uuidv7(), ciphertext: 'c', expiresAt: new Date() })
    const place = { clusterId: cluster.id, namespace: 'default', name: 'one' }
    const copy = { kubernetesType: 'Opaque', keys: {}, nextAt: new Date() } as const
    await db.insert(secretSyncs).values({ ...ofSecret, ...place, ...copy, id: uuidv7() })
    const workflow = { organizationId, workflowId: (await given.run({ organizationId })).workflowId }
    const definition = workflowDefinition.parse({ name: 'w', steps: [] })
    await db.insert(workflowVersions).values({ ...workflow, version: 1, definition, checksum: '' })
    const triggerId = uuidv7()
    await db.insert(workflowTriggers).values({
      ...workflow,
      id: triggerId,
      name: 't',
      type: 'event',
      settings: { type: 'event', event: 'RUN', input: {} },
    })
    const arrival = { payload: {}, status: 'waiting' }
    await db.insert(triggerEvents).values({ ...arrival, organizationId, triggerId, id: uuidv7() })
    const ofStep = { organizationId, runId: step.runId, stepRunId: step.id }
    await db
      .insert(stepAttempts)
      .values({ ...ofStep, attempt: 1, status: 'running', executorId: 'x', startedAt: new Date() })
    await db.insert(stepEvents).values({ ...ofStep, event: {} })
    const approvalId = uuidv7()
    const approvers = { role: null, userIds: [user.id], allowsRequester: false }
    await db.insert(runApprovals).values({ ...ofStep, id: approvalId, question: 'q', approvers })
    await db
      .insert(approvalDecisions)
      .values({ organizationId, approvalId, userId: user.id, decision: 'approve' })
    await db.insert(organizationKeys).values({ organizationId, wrapped: randomBytes(60) })
    const point = { organizationId, block: 1, at: new Date() }
    await db.insert(metricSamples).values({ ...point, readings: [1] })
    await db.insert(metricMinutes).values({ ...point, averages: [1], maxima: [1] })
    await db.insert(metricHours).values({ ...point, averages: [1], maxima: [1] })
    await db.insert(metricPending).values({ organizationId, step: 'minute', at: new Date() })
    await db.insert(metricQuotas).values({ organizationId })
    await db.insert(metricSeries).values({
      organizationId,
      block: 1,
      slot: 1,
      entityType: 'cluster',
      entityId: String(cluster.id),
      metric: 'cpu_used_millicores',
      labels: {},
      span: 'year',
      lastSeenAt: new Date(),
    })
    const error = { organizationId, groupId: uuidv7() }
    const seen = { firstSeenAt: new Date(), lastSeenAt: new Date(), firstRelease: '1', lastRelease: '1' }
    await db.insert(errorGroups).values({
      ...seen,
      id: error.groupId,
      organizationId,
      fingerprint: randomBytes(32),
      message: 'm',
      culprit: '',
      kind: 'error',
    })
    await db.insert(errorHours).values({ ...error, hour: new Date(), occurrenceCount: 1 })
    await db
      .insert(errorReleases)
      .values({ ...error, release: '1', occurrenceCount: 1, lastSeenAt: new Date() })
    await db.insert(errorUsers).values({ ...error, userId: user.id })
    const texts = { message: '', stack: '', componentStack: '', source: '', userAgent: '', url: '' }
    await db.insert(errorOccurrences).values({
      ...error,
      ...texts,
      id: uuidv7(),
      at: new Date(),
      reportedAt: new Date(),
      release: '1',
      sessionId: '',
      errorBoundary: '',
      errorBoundaryStack: '',
    })
    await db.insert(organizationPolicies).values({ organizationId })
    const ruleId = uuidv7()
    const channelId = uuidv7()
    await db.insert(notificationChannels).values({
      organizationId,
      id: channelId,
      name: 'ops',
      kind: 'slack',
      sealedUrl: randomBytes(60),
      host: 'example.com',
    })
    await db.insert(notificationRules).values({
      organizationId,
      id: ruleId,
      name: 'failures',
      events: ['run.failed'],
      minSeverity: 'info',
      whose: 'anyone',
      inApp: true,
      mail: false,
      timeZone: 'UTC',
      digest: 'none',
    })
    await db.insert(notificationDeliveries).values({
      organizationId,
      id: uuidv7(),
      ruleId,
      channelId,
      event: 'run.failed',
      severity: 'error',
      title: 'failed',
      repeatKey: 'k',
      at: new Date(),
      dueAt: new Date(Date.now() + 3_600_000),
    })
    await db
      .insert(auditVerifications)
      .values({ organizationId, startedAt: new Date(), heartbeatAt: new Date() })
    await db.insert(asCodeMarks).values({ organizationId, kind: 'alert', thingId: 'one', label: 'set=shop' })
    await audit(db, entryOf(organizationId))
  })
  await database.asSystem('test', (db) =>
    db.insert(auditCheckpoints).values({
      organizationId,
      kind: 'hourly',
      position: 1,
      at: new Date(),
      hash: randomBytes(32),
      keyId: 'k',
      signature: randomBytes(64),
    }),
  )
  // What entities bring beside these.
  for (const { name } of Object.values(entityTables)) await fillTable(database, name, organizationId)
  await insertUsageSums(database, organizationId)
  return { organizationId, userId: user.id }
}
