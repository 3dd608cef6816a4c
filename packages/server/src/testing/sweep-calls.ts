import { type Api, defaultTheme, defaultTimeFormat, type EndpointName, type Role } from '@bey/contract'
import { uuidv7 } from '../platform/crypto/uuid.ts'
import type { TestApp } from './app.ts'
import type { GivenUser } from './given.ts'
import { memberSweepCalls } from './sweep-members.ts'
import { clusterReads } from './sweep-cluster-reads.ts'
import { auditSweepCalls } from './sweep-audit.ts'
import { notificationSweepCalls } from './sweep-notifications.ts'
import { secretSweepCalls } from './sweep-secrets.ts'
import { webhookSweepCalls } from './sweep-webhooks.ts'
import { workflowSweepCalls } from './sweep-workflows.ts'
import { signInSweepCalls } from './sweep-sign-in.ts'

/** What the sweep calls endpoints on: one organization with a cluster that really runs. */
export type World = { app: TestApp; organizationId: number; runningClusterId: number }

export type SweepCall = {
  params?: Record<string, string | number>
  query?: string
  body?: unknown
  headers?: Record<string, string>
  /** Who makes the call that succeeds, where it would end the organization of the sweep. */
  as?: { token: string; organizationId: number }
  /** What represents the `*` at the end of a path. */
  rest?: string
}

export type SweepRow = {
  /** A call that succeeds, on rows made for it. */
  call(world: World, user: GivenUser): Promise<SweepCall> | SweepCall
  /** The least role for this very call, where the endpoint's permission is not all that it takes. */
  role?: Role
  /** Lists in its reply beside the rows, such as the columns of a table. */
  besideRows?: readonly string[]
  /** Its path names a kind of thing, not a thing of the organization. */
  isForEveryOrganization?: true
}

const besideAllClusters = ['namespaces', 'clusters', 'unreadable']
const plain: SweepRow = { call: () => ({}) }
const onRunning: SweepRow = { call: ({ runningClusterId }) => ({ params: { id: runningClusterId } }) }

/** A cluster of the organization that no machine holds. */
async function clusterOf({ app, organizationId }: World, status: 'RUNNING' | 'ERROR'): Promise<SweepCall> {
  const { id } = await app.given.cluster({ organizationId, status, version: 'v1.33.0' })
  return { params: { id } }
}

const faultOnRunning: SweepRow = {
  call: ({ runningClusterId }) => ({ params: { id: runningClusterId, faultId: 'unschedulable' } }),
}

async function runOf({ app, organizationId }: World): Promise<SweepCall> {
  const run = await app.given.run({ organizationId, status: 'running', startedAt: new Date() })
  return { params: { id: run.workflowId, runId: run.id } }
}

let counter = 0
const newName = () => `sweep-${(counter += 1)}`

/** A config map of the running cluster, and the path to it. */
async function configMapOf(world: World): Promise<SweepCall & { name: string }> {
  const name = newName()
  const params = { id: world.runningClusterId }
  const rest = 'api/v1/namespaces/default/configmaps'
  const owner = await world.app.given.user({ organizationId: world.organizationId, role: 'OWNER' })
  const reply = await world.app.ask('POST', `/api/kubernetes/clusters/${params.id}/proxy/${rest}`, {
    token: owner.token,
    organizationId: world.organizationId,
    body: configMap(name),
  })
  if (reply.status !== 201) throw new Error(`The config map was not made: ${reply.text}`)
  return { params, rest: `${rest}/${name}`, name }
}

const configMap = (name: string) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default' },
  data: { of: 'sweep' },
})

/** A node of the running cluster. */
async function nodeOf(world: World): Promise<string> {
  const owner = await world.app.given.user({ organizationId: world.organizationId, role: 'OWNER' })
  const reply = await world.app.ask('GET', `/api/kubernetes/clusters/${world.runningClusterId}/nodes`, {
    token: owner.token,
    organizationId: world.organizationId,
  })
  const { nodes } = JSON.parse(reply.text) as { nodes: { name: string }[] }
  const [first] = nodes
  if (!first) throw new Error(`The cluster has no node: ${reply.text}`)
  return first.name
}

const annotationInput = (user: GivenUser) => ({
  userId: user.id,
  componentName: 'Table',
  xpath: '//*[@id="main"]/div[1]',
  annotationText: 'The columns jump.',
  url: '/workflows',
  viewport: { width: 1440, height: 900 },
  elementRect: { top: 0, left: 0, width: 10, height: 10 },
})

async function annotationOf({ app, organizationId }: World, user: GivenUser): Promise<SweepCall> {
  const note = await app.given.annotation({ organizationId, userId: user.id })
  return { params: { id: note.id } }
}

async function apiKeyOf({ app }: World, user: GivenUser): Promise<SweepCall> {
  return { params: { id: (await app.given.apiKey(user)).id } }
}

const errorEntry = (message: string) => ({ message, timestamp: new Date().toISOString() })

async function asOwner(world: World, method: string, path: string, body?: unknown) {
  const { organizationId } = world
  const { token } = await world.app.given.user({ organizationId, role: 'OWNER' })
  return world.app.ask(method, path, { token, organizationId, ...(body === undefined ? {} : { body }) })
}

/** An error that was reported to the organization. */
async function errorOf(world: World): Promise<SweepCall & { params: { id: string } }> {
  const entry = errorEntry(`Sweep of ${String.fromCharCode(97 + ((counter += 1) % 26))}`)
  const { body } = await asOwner(world, 'POST', '/api/v1/errors/log', { errors: [entry] })
  return { params: { id: body.errorIds[0] } }
}

const noticeOf = () => ({
  id: uuidv7(),
  level: 'error',
  title: 'Action failed',
  at: new Date().toISOString(),
})

/** Id of a notification of this user. */
async function noted({ app }: World, { token, organizationId }: GivenUser): Promise<string> {
  const note = noticeOf()
  await app.ask('POST', '/api/notifications', { token, organizationId, body: { notifications: [note] } })
  return note.id
}

/** A kubeconfig for the running cluster, which leads through this server's own proxy. */
async function kubeconfigOf({ app, organizationId, runningClusterId }: World) {
  const { token } = await app.given.user({ organizationId, role: 'OWNER' })
  const path = `/api/kubernetes/clusters/${runningClusterId}/kubeconfig`
  const { text } = await app.ask('GET', path, { token, organizationId })
  return { kubeconfig: text, context: /current-context: "?([^"\n]+)/.exec(text)?.[1] ?? '' }
}

/** A cluster that was imported by such a kubeconfig. */
async function importedOf(
  world: World,
): Promise<SweepCall & { body: { kubeconfig: string; context: string } }> {
  const { kubeconfig, context } = await kubeconfigOf(world)
  const clusters = [{ context, title: newName() }]
  const { body } = await asOwner(world, 'POST', '/api/kubernetes/import', { kubeconfig, clusters })
  return { params: { id: body.clusters[0].id }, body: { kubeconfig, context } }
}

/** Endpoints that take nothing but what is in their path and query have no row unless their path names something. */
type Explicit = {
  [N in EndpointName]: Api[N] extends { params: object } | { body: object } ? N : never
}[EndpointName]

/** How to call every endpoint that needs more than its name: one without a row does not compile. */
type Named =
  | Explicit
  | 'kubernetes.allWorkloads'
  | 'kubernetes.search'
  | 'audit.checkpoints'
  | 'organization.delete'
const explicit: Record<Named, SweepRow> = {
  ...signInSweepCalls,
  'auth.login': {
    async call({ app }) {
      const { email } = await app.given.user({ password: 'difference-1!' })
      return { body: { email, password: 'difference-1!' } }
    },
  },
  'auth.signup': {
    call: () => ({
      body: {
        name: 'Ada',
        email: `${newName()}@example.com`,
        password: 'difference-1!',
        organizationName: 'Engines',
      },
    }),
  },
  'auth.rename': { call: () => ({ body: { name: newName() } }) },
  'auth.changePassword': {
    async call({ app }, user) {
      await app.given.password(user, 'difference-1!')
      return { body: { currentPassword: 'difference-1!', newPassword: 'analytical-2!' } }
    },
  },
  'godmode.impersonate': { call: async ({ app }) => ({ body: { userId: (await app.given.user()).id } }) },
  'settings.updateTheme': { call: () => ({ body: { theme: defaultTheme } }) },
  'settings.updateTime': { call: () => ({ body: { time: defaultTimeFormat } }) },
  ...auditSweepCalls({ asOwner }),
  'organizations.create': { call: () => ({ body: { name: newName() } }) },
  'organizations.activate': { call: (_world, user) => ({ params: { id: user.organizationId } }) },
  'clusters.get': onRunning,
  'clusters.create': { call: () => ({ body: { title: newName(), provider: 'sandbox' } }) },
  'clusters.update': {
    call: async (world) => ({
      ...(await clusterOf(world, 'ERROR')),
      body: { description: 'Checkout in Europe' },
    }),
  },
  'clusters.delete': { call: (world) => clusterOf(world, 'ERROR') },
  'clusters.startDeletion': { call: (world) => clusterOf(world, 'ERROR') },
  'clusters.provision': { call: (world) => clusterOf(world, 'ERROR') },
  'clusters.status': onRunning,
  'clusters.references': onRunning,
  'kubeconfig.read': {
    async call(world) {
      const { kubeconfig } = await kubeconfigOf(world)
      return { body: { kubeconfig } }
    },
  },
  'kubeconfig.test': { call: async (world) => ({ body: await kubeconfigOf(world) }) },
  'kubeconfig.import': {
    async call(world) {
      const { kubeconfig, context } = await kubeconfigOf(world)
      return { body: { kubeconfig, clusters: [{ context, title: newName() }] } }
    },
  },
  'clusters.connection': onRunning,
  'clusters.testConnection': {
    async call(world) {
      const { body: _body, ...call } = await importedOf(world)
      return call
    },
  },
  'clusters.replaceCredentials': { call: importedOf },
  'clusters.chooseNamespaces': {
    call: async (world) => ({ ...(await importedOf(world)), body: { namespaces: ['default'] } }),
  },
  'sandboxes.faults': onRunning,
  'sandboxes.applyFault': faultOnRunning,
  'sandboxes.endFault': faultOnRunning,
  'clusters.kubeconfig': onRunning,
  'clusters.tokens': onRunning,
  'clusters.revokeToken': {
    async call({ app, runningClusterId }, { token, organizationId }) {
      const path = `/api/kubernetes/clusters/${runningClusterId}`
      await app.ask('GET', `${path}/kubeconfig`, { token, organizationId })
      const { body } = await app.ask('GET', `${path}/tokens`, { token, organizationId })
      return { params: { id: runningClusterId, tokenId: body.tokens[0].id } }
    },
  },
  'metrics.read': {
    call: ({ runningClusterId }) => ({
      params: { entity: 'cluster' },
      query: `ids=${runningClusterId}&metrics=cpu_used_millicores`,
    }),
  },
  'kubernetes.overview': onRunning,
  'kubernetes.nodes': onRunning,
  'kubernetes.namespaces': onRunning,
  'kubernetes.pods': onRunning,
  'kubernetes.workloads': onRunning,
  'kubernetes.events': onRunning,
  'kubernetes.allWorkloads': { ...plain, besideRows: besideAllClusters },
  'kubernetes.resources': onRunning,
  ...clusterReads,
  'kubernetes.drainNode': {
    // By the cluster's own roles: only those of owners and admins may cordon nodes.
    role: 'ADMIN',
    call: async (world) => ({
      params: { id: world.runningClusterId, name: await nodeOf(world) },
      body: {},
    }),
  },
  'kubernetes.proxyGet': {
    call: ({ runningClusterId }) => ({ params: { id: runningClusterId }, rest: 'api/v1/nodes' }),
  },
  'kubernetes.proxyPost': {
    role: 'MEMBER',
    call: ({ runningClusterId }) => ({
      params: { id: runningClusterId },
      rest: 'api/v1/namespaces/default/configmaps',
      body: configMap(newName()),
    }),
  },
  'kubernetes.proxyPut': {
    role: 'MEMBER',
    async call(world) {
      const { name, ...call } = await configMapOf(world)
      return { ...call, body: configMap(name) }
    },
  },
  'kubernetes.proxyPatch': {
    role: 'MEMBER',
    async call(world) {
      const { name: _name, ...call } = await configMapOf(world)
      return {
        ...call,
        body: { data: { of: 'patch' } },
        headers: { 'content-type': 'application/merge-patch+json' },
      }
    },
  },
  'kubernetes.proxyDelete': { role: 'MEMBER', call: (world) => configMapOf(world) },
  'workflows.get': {
    async call({ app, organizationId }) {
      return { params: { id: (await app.given.workflow({ organizationId })).id } }
    },
  },
  'workflows.runs': {
    async call({ app, organizationId }) {
      return { params: { id: (await app.given.workflow({ organizationId })).id } }
    },
  },
  'workflows.run': { call: runOf, besideRows: ['children', 'retries', 'attempts'] },
  'workflows.step': {
    async call({ app, organizationId }) {
      const run = await app.given.run({ organizationId })
      const step = await app.given.step({ organizationId, runId: run.id })
      return { params: { id: run.workflowId, runId: run.id, stepKey: step.key } }
    },
    besideRows: ['attempts'],
  },
  'workflows.approval': {
    async call({ app, organizationId }) {
      return { params: { approvalId: (await app.given.approval({ organizationId })).id } }
    },
  },
  'workflows.statistics': {
    async call({ app, organizationId }) {
      return { params: { id: (await app.given.workflow({ organizationId })).id } }
    },
    besideRows: ['days', 'steps'],
  },
  'workflows.runLogs': { call: runOf },
  'workflows.downloadLogs': { call: runOf },
  'workflows.cancel': { call: runOf },
  'annotations.create': { call: (_world, user) => ({ body: annotationInput(user) }) },
  'annotations.get': { call: annotationOf },
  'annotations.reply': {
    call: async (world, user) => ({ ...(await annotationOf(world, user)), body: { text: 'Seen.' } }),
  },
  'annotations.update': {
    call: async (world, user) => ({ ...(await annotationOf(world, user)), body: { status: 'resolved' } }),
  },
  'annotations.delete': { call: annotationOf },
  'errors.log': { call: () => ({ body: { errors: [errorEntry('Sweep')] } }) },
  'errors.get': { call: errorOf },
  'errors.update': {
    call: async (world) => ({ ...(await errorOf(world)), body: { status: 'resolved' } }),
  },
  'errors.occurrences': { call: errorOf },
  'errors.occurrence': {
    async call(world) {
      const { params } = await errorOf(world)
      const { body } = await asOwner(world, 'GET', `/api/v1/errors/${params.id}/occurrences`)
      return { params: { id: params.id, occurrenceId: body.occurrences[0].id } }
    },
  },
  'apiKeys.get': { call: apiKeyOf },
  'apiKeys.create': {
    call: () => ({ body: { name: newName(), isPersonal: true, permissions: ['clusters.read'] } }),
  },
  'apiKeys.update': {
    call: async (world, user) => ({ ...(await apiKeyOf(world, user)), body: { name: newName() } }),
  },
  'apiKeys.rotate': { call: async (world, user) => ({ ...(await apiKeyOf(world, user)), body: {} }) },
  'apiKeys.revoke': { call: apiKeyOf },
  'apiKeys.test': {
    call: async ({ app }, user) => ({ body: { token: (await app.given.apiKey(user)).token } }),
  },
  ...webhookSweepCalls({ asOwner, newName }),
  ...secretSweepCalls({ asOwner, newName }),
  ...notificationSweepCalls({ newName }),
  ...workflowSweepCalls({ asOwner, newName }),
  ...memberSweepCalls({ asOwner, newName }),
  'notifications.record': { call: () => ({ body: { notifications: [noticeOf()] } }) },
  'notifications.readAll': {
    async call(world, user) {
      await noted(world, user)
      return { body: { until: new Date().toISOString() } }
    },
  },
  'notifications.update': {
    call: async (world, user) => ({ params: { id: await noted(world, user) }, body: { isRead: true } }),
  },
  'notifications.dismiss': { call: async (world, user) => ({ params: { id: await noted(world, user) } }) },
}

/** How to call an endpoint successfully. */
export function sweepCallOf(name: EndpointName): SweepRow {
  return Object.hasOwn(explicit, name) ? explicit[name as Explicit] : plain
}
