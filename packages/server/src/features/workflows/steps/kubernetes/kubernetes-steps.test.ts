import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test } from 'vitest'

import { createClusterAgents } from '../../../kubernetes/connection/cluster-agents.ts'
import { createClusterAccess } from '../../../kubernetes/run-access/cluster-access.ts'
import { sandboxCalls } from '../../../kubernetes/testing/sandbox-calls.ts'
import { realClock } from '../../../../platform/clock.ts'
import { createAddressGuard } from '../../../../platform/outbound/address-guard.ts'
import { createOutbound } from '../../../../platform/outbound/outbound.ts'
import { testDatabase } from '../../../../testing/database.ts'
import { createGiven } from '../../../../testing/given.ts'
import type { Json } from '../../definition/definition.ts'
import type { StepParts } from '../ports.ts'
import { createStepTypes } from '../registry.ts'
import { actionContext } from '../testing/action-context.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-steps-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
const database = await testDatabase()
const given = createGiven(database)
const agents = createClusterAgents()
afterAll(async () => {
  agents.close()
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})

const member = await given.user({ role: 'MEMBER' })
const { organizationId } = member
const admin = await given.user({ role: 'ADMIN', organizationId })
const viewer = await given.user({ role: 'VIEWER', organizationId })
await given.cluster({ organizationId, title: 'prod', status: 'RUNNING' })
const connection = {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
  isOwn: true,
} as const
const unused = () => Promise.reject(new Error('not used here'))
const parts: StepParts = {
  database,
  clock: realClock,
  publish: async () => undefined,
  outbound: createOutbound(createAddressGuard({ kind: 'any' })),
  kubernetes: createClusterAccess({ connect: async () => connection, agents, clock: realClock }),
  clusters: { create: unused, remove: unused, get: unused },
  isMailConfigured: unused,
  openDatabase: unused,
  databaseProofs: { begin: unused, outcome: unused },
  networks: { apply: unused, applied: unused, reach: unused, drift: unused },
  rotateSecret: unused,
}
const types = createStepTypes(parts)
const kube = sandboxCalls(sandbox)

async function run(type: string, config: Json, options: { key?: string; by?: number; isDry?: boolean } = {}) {
  const found = types.get(type)
  if (found?.kind !== 'action') throw new Error(`No action ${type}`)
  const run_ = { organizationId, createdBy: options.by ?? member.id }
  const context = actionContext(run_, { ...(options.key && { key: options.key }) })
  const parsed = found.config.parse({ cluster: 'prod', ...config })
  const dry = typeof found.test === 'string' ? undefined : found.test.dryRun
  const output = options.isDry && dry ? await dry(context, parsed) : await found.execute(context, parsed)
  return { output: output ?? {}, lines: context.lines.map(({ message }) => message) }
}

const deployment = (image: string, replicas = 2) => `apiVersion: apps/v1
kind: Deployment
metadata: { name: shop, namespace: default }
spec:
  replicas: ${replicas}
  selector: { matchLabels: { app: shop } }
  template:
    metadata: { labels: { app: shop } }
    spec:
      containers: [{ name: main, image: "${image}" }]
---
apiVersion: v1
kind: ConfigMap
metadata: { name: shop }
data: { level: info }
`
const target = { api_version: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'shop' }

test('a manifest is applied, again without a change, and a dry run tells what would change', async () => {
  const plan = await run('kubernetes.apply', { manifest: deployment('shop:1') }, { isDry: true })
  expect(plan.lines).toEqual([
    'Deployment default/shop: would be created',
    'ConfigMap default/shop: would be created',
  ])
  await expect(run('kubernetes.get', target)).rejects.toThrow('There is no Deployment "shop".')
  await run('kubernetes.apply', { manifest: deployment('shop:1') })
  const rolledOut = await run('kubernetes.wait', { ...target, until: 'rollout' })
  expect(rolledOut.output['objects']).toEqual(['Deployment default/shop'])
  const again = await run('kubernetes.apply', { manifest: deployment('shop:1') })
  expect(again.lines).toEqual(['Deployment default/shop: unchanged', 'ConfigMap default/shop: unchanged'])
  const next = await run('kubernetes.apply', { manifest: deployment('shop:1', 3) }, { isDry: true })
  expect(next.output['objects']).toMatchObject([{ result: 'changed', fields: ['spec.replicas'] }, {}])
})

test.each([
  ['no YAML', { manifest: 'a: [' }, 'The manifest is not YAML'],
  ['no name', { manifest: 'kind: Pod\napiVersion: v1' }, 'Object 1 of the manifest has no metadata.name.'],
  [
    'an unknown kind',
    { manifest: 'kind: Nope\napiVersion: v1\nmetadata: {name: a}' },
    'serves no Nope in v1',
  ],
  ['an unknown cluster', { cluster: 'gone', manifest: 'a: 1' }, 'has no metadata.name'],
  [
    'a field that does not fit',
    { manifest: 'kind: Service\napiVersion: v1\nmetadata: {name: a}\nspec: {ports: [{port: 0}]}' },
    'Service default/a could not be applied: ',
  ],
])('%s fails the step with a sentence', async (_name, config, message) => {
  await expect(run('kubernetes.apply', config)).rejects.toThrow(message)
})

test('the intent of a change is in the audit trail before it, and its end after it', async () => {
  await run('kubernetes.scale', { namespace: 'default', name: 'shop', replicas: 1 })
  const { rows } = await database.ownerPool.query<{ outcome: string; via: string; is_end: boolean }>(
    `select outcome, via, intent_id is not null as is_end from audit_entries
     where action = 'kubernetes.scale' order by id`,
  )
  expect(rows).toEqual([
    { outcome: 'unknown', via: 'workflow', is_end: false },
    { outcome: 'success', via: 'workflow', is_end: true },
  ])
  const scaled = await run('kubernetes.get', target)
  expect(scaled.output).toMatchObject({ object: { spec: { replicas: 1 } } })
})

test('a restart and a rollback happen once for each step, whatever a crash repeats', async () => {
  // Scaling has made another manager own the number of replicas.
  const manifest = deployment('shop:2')
  await expect(run('kubernetes.apply', { manifest })).rejects.toThrow('conflict')
  await run('kubernetes.apply', { manifest, force: true })
  await run('kubernetes.wait', { ...target, until: 'rollout' })
  const back = await run('kubernetes.rollback', { name: 'shop' }, { key: 'run:undo' })
  expect(back.output).toEqual({ from_revision: 2, to_revision: 1 })
  const repeated = await run('kubernetes.rollback', { name: 'shop' }, { key: 'run:undo' })
  expect(repeated.lines).toEqual(['Deployment default/shop was rolled back by this step already.'])
  const image = (await run('kubernetes.get', target)).output
  expect(JSON.stringify(image)).toContain('"image":"shop:1"')
  const first = await run('kubernetes.restart', { name: 'shop' }, { key: 'run:restart' })
  const second = await run('kubernetes.restart', { name: 'shop' }, { key: 'run:restart' })
  expect(second.output).toEqual(first.output)
})

test('objects are listed by an expression and cut down to fields, and values of Secrets are left out', async () => {
  await kube('POST', '/api/v1/namespaces/default/secrets', {
    metadata: { name: 'token' },
    stringData: { password: 'hunter2-hunter2' },
  })
  const secrets = await run('kubernetes.list', { api_version: 'v1', kind: 'Secret', namespace: 'default' })
  expect(JSON.stringify(secrets.output)).not.toContain(Buffer.from('hunter2-hunter2').toString('base64'))
  const pods = await run('kubernetes.list', {
    api_version: 'v1',
    kind: 'Pod',
    namespace: 'default',
    where: 'object.metadata.labels.?app.orValue("") == "shop"',
    select: { name: 'object.metadata.name', phase: 'object.status.phase' },
    limit: 1,
  })
  expect(pods.output).toMatchObject({ items: [{ phase: expect.any(String) }], count: 1 })
  await expect(
    run('kubernetes.list', { api_version: 'v1', kind: 'Pod', where: 'object.nothing.here' }),
  ).rejects.toThrow('There is no "nothing"')
})

test('a job runs to its end with its log, under a name that a repetition finds', async () => {
  const config = { namespace: 'default', image: 'busybox', command: ['sh', '-c', 'echo hello; echo {}'] }
  const first = await run('kubernetes.job', config, { key: 'run:job' })
  expect(first.output).toMatchObject({ job: expect.stringMatching(/^bey-[0-9a-f]{20}$/) })
  expect(first.lines[0]).toContain('Created the job')
  const again = await run('kubernetes.job', config, { key: 'run:job' })
  expect(again.output['job']).toBe(first.output['job'])
  expect(again.lines[0]).toContain('was there already')
})

test('the last lines of pods are collected', async () => {
  const { output } = await run('kubernetes.logs', {
    namespace: 'default',
    selector: 'app=shop',
    tail_lines: 3,
  })
  expect(JSON.stringify(output['containers'])).toContain('listening')
})

test('waiting ends with what is missing when its time is over', async () => {
  const waiting = run('kubernetes.wait', {
    ...target,
    until: 'expression',
    expression: 'object.spec.replicas == 99',
    timeout_ms: 1_500,
  })
  await expect(waiting).rejects.toThrow(
    'The time limit is over: Deployment default/shop: the expression is false',
  )
})

test('a node is drained, and its pods run elsewhere', async () => {
  const nodes = (await kube('GET', '/api/v1/nodes'))['items'] as { metadata: { name: string } }[]
  const node = nodes.at(-1)?.metadata.name ?? ''
  const { output } = await run(
    'kubernetes.drain',
    { node, delete_empty_dir_data: true, force: true },
    { by: admin.id },
  )
  expect(output).toEqual({ evicted: expect.any(Number) })
  expect(await kube('GET', `/api/v1/nodes/${node}`)).toMatchObject({ spec: { unschedulable: true } })
})

test('objects are deleted by name and by selector, and nothing twice', async () => {
  const config = { api_version: 'v1', kind: 'ConfigMap', namespace: 'default', name: 'shop' }
  expect((await run('kubernetes.delete', config)).output).toEqual({ deleted: ['ConfigMap default/shop'] })
  expect((await run('kubernetes.delete', config)).output).toEqual({ deleted: [] })
  await expect(run('kubernetes.delete', { ...config, ignore_missing: false })).rejects.toThrow('to delete')
  await expect(run('kubernetes.delete', { ...config, name: undefined })).rejects.toThrow('name or a selector')
})

test('who may not change clusters changes none, and what RBAC forbids is refused by the cluster', async () => {
  await expect(run('kubernetes.delete', target, { by: viewer.id })).rejects.toThrow(
    'the role VIEWER lacks kubernetes.delete',
  )
  await expect(
    run('kubernetes.apply', {
      manifest: 'apiVersion: v1\nkind: Namespace\nmetadata: {name: not-for-members}',
    }),
  ).rejects.toThrow(/could not be applied: .*(forbidden|cannot)/)
})
