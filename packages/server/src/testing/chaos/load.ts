import { randomUUID } from 'node:crypto'

import { deliverEvents } from '../../features/workflows/engine/flow/deliver-events.ts'
import type { Database } from '../../platform/db/database.ts'
import type { GivenUser } from '../given.ts'
import { chaosNames } from './graph.ts'
import { chaosEvent, chaosGraphs } from './graphs.ts'
import type { Ledger } from './ledger.ts'
import type { Outside } from './outside.ts'
import { emittedEvent } from './workload-graph.ts'

/** How runs of each graph may end. */
const endings = {
  wide: ['completed'],
  undone: ['failed'],
  chain: ['completed'],
  outside: ['completed'],
  machine: ['completed'],
  workload: ['completed'],
} as const
export type GraphName = keyof typeof endings

/** After so long no request of a dead process is on its way any more. */
const knownAfterMs = 1_000

type Options = {
  url: string
  database: Database
  ledger: Ledger
  outside: Outside
  /** The graphs that are started. */
  graphs: readonly GraphName[]
  user: GivenUser
  random: () => number
  /** Open runs at once. */
  runsAtOnce: number
}

/** People and events around the runs: starts them, decides what they ask, and says what happened where nobody knows. */
export async function createLoad(options: Options) {
  const { url, database, ledger, outside, graphs, user, random, runsAtOnce } = options
  const expected = new Map<string, readonly string[]>()
  const delivered = new Set<string>()
  const uncertainSince = new Map<string, number>()
  const figures = { started: 0, cancelled: 0, approved: 0, events: 0, uncertain: 0, refusals: 0 }
  const { organizationId } = user

  async function ask<T>(method: string, path: string, body?: unknown, key?: string): Promise<T> {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${user.token}`,
        'x-organization-id': String(organizationId),
        'content-type': 'application/json',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`)
    return (await reply.json()) as T
  }

  /** As a client does that hears nothing: the same request again, with the same key. */
  async function postUntilAccepted<T>(path: string, body: unknown): Promise<T> {
    const key = randomUUID()
    const deadline = Date.now() + 60_000
    for (;;) {
      try {
        return await ask<T>('POST', path, body, key)
      } catch (error) {
        figures.refusals += 1
        if (Date.now() > deadline || /: 4(?!09|29)\d\d /.test(String(error))) throw error
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
  }

  await prepareOutside()
  const workflowIds = new Map<string, string>()
  for (const [name, definition] of Object.entries(chaosGraphs(ledger.url, outside.tlsPort))) {
    const { workflow } = await ask<{ workflow: { id: string } }>('POST', '/api/v1/workflows', definition)
    workflowIds.set(name, workflow.id)
  }

  /** The cluster is imported, and the secrets and the webhook are there. */
  async function prepareOutside(): Promise<void> {
    const values = { [chaosNames.databaseUrl]: outside.databaseUrl, [chaosNames.rotated]: 'the-first-value' }
    for (const [name, value] of Object.entries(values)) {
      await postUntilAccepted('/api/secrets', { name, value, type: 'opaque' })
    }
    await postUntilAccepted('/api/webhooks', {
      name: 'ledger',
      url: ledger.webhookUrl,
      events: [emittedEvent],
    })
    const { kubeconfig } = outside
    const clusters = [{ context: 'chaos', title: chaosNames.cluster }]
    await postUntilAccepted('/api/kubernetes/import', { kubeconfig, clusters })
    for (;;) {
      const found = await ask<{ clusters: { title: string; status: string }[] }>(
        'GET',
        '/api/kubernetes/clusters',
      )
      const status = found.clusters.find(({ title }) => title === chaosNames.cluster)?.status
      if (status === 'RUNNING') return
      if (status === 'FAILED') throw new Error('The cluster could not be imported')
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }

  async function startOne(): Promise<void> {
    const name = graphs[Math.floor(random() * graphs.length)] ?? 'chain'
    const isCancelled = random() < 0.1
    const workflowId = workflowIds.get(name) ?? ''
    const { run } = await postUntilAccepted<{ run: { id: string } }>(
      `/api/v1/workflows/${workflowId}/execute`,
      {},
    )
    figures.started += 1
    expected.set(run.id, isCancelled ? [...endings[name], 'cancelled'] : endings[name])
    if (!isCancelled) return
    await new Promise((resolve) => setTimeout(resolve, random() * 500))
    await postUntilAccepted(`/api/v1/workflows/${workflowId}/runs/${run.id}/cancel`, {})
    figures.cancelled += 1
  }

  const rowsOf = async <Row extends object>(query: string): Promise<Row[]> =>
    (await database.ownerPool.query(query)).rows as Row[]

  async function decideApprovals(): Promise<void> {
    const pending = await rowsOf<{ id: string }>(`select id from run_approvals where status = 'pending'`)
    for (const { id } of pending) {
      await postUntilAccepted(`/api/v1/workflows/approvals/${id}/decide`, {
        decision: 'approve',
        comment: '',
      })
      figures.approved += 1
    }
  }

  /** Each event once: a step that it does not reach stays, and is found at the end. */
  async function sendEvents(): Promise<void> {
    const waiting = await rowsOf<{ id: string }>(
      `select id from step_runs where type = 'wait_event' and status = 'waiting'`,
    )
    const fresh = waiting.filter(({ id }) => !delivered.has(id))
    if (fresh.length === 0) return
    await database.withTenant(organizationId, (db) =>
      deliverEvents(db, [{ organizationId, type: chaosEvent, data: { cluster: 'c' } }]),
    )
    for (const { id } of fresh) delivered.add(id)
    figures.events += 1
  }

  async function settleUncertain(): Promise<void> {
    const steps = await rowsOf<{ id: string; run_id: string; workflow_id: string; key: string }>(
      `select s.id, s.run_id, r.workflow_id, s.key from step_runs s join workflow_runs r on r.id = s.run_id
       where s.status = 'uncertain' and r.status = 'needs_attention'`,
    )
    for (const { id, run_id: runId, workflow_id: workflowId, key } of steps) {
      const since = uncertainSince.get(id) ?? Date.now()
      uncertainSince.set(id, since)
      if (Date.now() - since < knownAfterMs) continue
      const isWritten = (await outside.writes()).has(`${runId} ${key}`)
      const decision = isWritten || ledger.countOf(runId, key) > 0 ? 'happened' : 'repeat'
      await postUntilAccepted(`/api/v1/workflows/${workflowId}/runs/${runId}/steps/${key}/settle`, {
        decision,
        reason: 'As the ledger says',
      })
      uncertainSince.delete(id)
      figures.uncertain += 1
    }
  }

  return {
    figures,
    expected,
    /** Looks after everything once; answers how many runs are open. */
    async tick(mayStart: boolean): Promise<number> {
      const open = await rowsOf<{ count: number }>(
        'select count(*)::int as count from workflow_runs where finished_at is null and parent_run_id is null',
      )
      const count = open[0]?.count ?? 0
      const missing = mayStart ? runsAtOnce - count : 0
      await Promise.all([
        ...Array.from({ length: Math.max(0, missing) }, startOne),
        decideApprovals(),
        sendEvents(),
        settleUncertain(),
      ])
      return count
    },
  }
}
