import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, expect, test } from 'vitest'
import type { GivenUser } from '../../testing/given.ts'
import { execInPod } from './testing/exec-in-pod.ts'
import { LogReader } from './testing/log-reader.ts'
import { runningApp } from './testing/running-app.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-logs-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 20 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call, begin } = await runningApp()
const owner = await given.user({ role: 'OWNER' })
const viewer = await given.user({ role: 'VIEWER', organizationId: owner.organizationId })
const connection = { url: sandbox.url, caPem: sandbox.caPem, token: sandbox.adminToken, impersonate: true }
const prod = await cluster(owner.organizationId, connection)

const at = (rest: string, id = prod.id) => `/api/kubernetes/clusters/${id}${rest}`
const as = (user: GivenUser) => ({ token: user.token, organizationId: user.organizationId })

async function kube(method: string, path: string, body?: unknown, type = 'application/json') {
  const reply = await call(method, at(`/proxy${path}`), {
    ...as(owner),
    headers: { 'content-type': type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (reply.status >= 300) throw new Error(reply.text)
  return reply.json() as { metadata: { uid: string } }
}

const container = (script: string, name = 'app') => ({
  name,
  image: 'busybox',
  command: ['sh', '-c', script],
})

const pod = (name: string, spec: object, labels: Record<string, string> = {}) =>
  kube('POST', '/api/v1/namespaces/default/pods', {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels },
    spec,
  })

const deployment = (name: string, replicas: number, script: string) =>
  kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [container(script)] } },
    },
  })

function read(body: object, user = viewer, id = prod.id, before?: LogReader): Promise<LogReader> {
  const sent = begin('POST', at('/logs', id), {
    ...as(user),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace: 'default', ...body }),
  })
  return new LogReader(before).open(sent)
}

const readPod = (name: string, more: object = {}) => read({ resource: 'pods', name, ...more })
const counting = (pauseSeconds: number, lines = 1) =>
  `i=0; while true; do ${'i=$((i+1)); echo line $i; '.repeat(lines)}sleep ${pauseSeconds}; done`

test('a viewer reads the merged log of all pods of a deployment as it is written, and in order of time', async () => {
  await deployment('web', 3, counting(2))
  const logs = await read({ resource: 'deployments.apps', name: 'web' })
  const pods = () => new Set(logs.lines.map((line) => line.pod))
  await logs.until(() => pods().size === 3 && logs.lines.length > 60)
  logs.close()
  expect(logs.records[0]).toMatchObject({ type: 'begin' })
  expect(logs.lines[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/)
  for (const pod of pods()) {
    const own = logs.lines.filter((line) => line.pod === pod).map((line) => line.at)
    expect(own).toEqual(own.toSorted())
  }
  // What is there already comes in order of time, however slowly a pod answers.
  const whole = await read({ resource: 'deployments.apps', name: 'web', follow: false })
  await whole.closed()
  const times = whole.lines.map((line) => line.at)
  expect(new Set(whole.lines.map((line) => line.pod)).size).toBe(3)
  expect(times).toEqual(times.toSorted())
})

test('pods that come are read, and ones that go are said to have gone', async () => {
  await deployment('moving', 1, counting(4))
  const logs = await read({ resource: 'deployments.apps', name: 'moving' })
  await logs.until(() => logs.lines.length > 0)
  const scale = (replicas: number) =>
    kube(
      'PATCH',
      '/apis/apps/v1/namespaces/default/deployments/moving',
      { spec: { replicas } },
      'application/merge-patch+json',
    )
  await scale(2)
  await logs.until(() => new Set(logs.lines.map((line) => line.pod)).size === 2)
  await scale(0)
  await logs.until(() => logs.events().filter((event) => event.startsWith('pod_deleted')).length === 2)
  logs.close()
})

test('a restart is shown between the last line of one run and the first of the next, with its exit code', async () => {
  await pod('crashing', { containers: [container('echo begin; sleep 30; echo end; exit 3')] })
  const logs = await readPod('crashing')
  await logs.until(() => logs.events().includes('started 2'), 60_000)
  logs.close()
  const story = logs.records.flatMap((record) => {
    if (record.type === 'lines') return record.lines.map(([, , text]) => text)
    return record.type === 'event' ? [`${record.event} ${record.restart} ${record.exitCode ?? ''}`] : []
  })
  expect(story.slice(0, 8)).toEqual([
    'started 0 ',
    'begin',
    'end',
    'ended 0 3',
    'started 1 ',
    'begin',
    'end',
    'ended 1 3',
  ])
  const ended = logs.records.find((record) => record.type === 'event' && record.event === 'ended')
  expect(ended).toMatchObject({ reason: 'Error', exitCode: 3 })

  const before = await readPod('crashing', { previous: 'only', follow: false })
  await before.closed()
  expect(before.texts).toEqual(['begin', 'end'])
  expect(before.records.at(-1)).toEqual({ type: 'end' })
})

test('init containers are part of it, and one container can be asked for', async () => {
  await pod('parts', {
    initContainers: [container('echo prepared', 'prepare')],
    containers: [container(counting(5)), container('echo side; sleep 100000', 'side')],
  })
  const logs = await readPod('parts')
  await logs.until(() => new Set(logs.lines.map((line) => line.container)).size === 3)
  logs.close()
  const kinds = logs.records.flatMap((record) =>
    record.type === 'source' ? [`${record.container} ${record.kind}`] : [],
  )
  expect(kinds).toEqual(['prepare init', 'app container', 'side container'])
  const one = await readPod('parts', { containers: ['side'], follow: false })
  await one.closed()
  expect(one.texts).toEqual(['side'])
  const tail = await readPod('crashing', { tail: 1, follow: false })
  await tail.closed()
  expect(tail.lines).toHaveLength(1)
})

test('a reader that reconnects again and again loses no line and reads none twice, restarts included', async () => {
  // A run ends when it is told to: of one that ends while nobody reads, a cluster keeps the last alone.
  const script = `i=0; while [ $i -lt 400 ]; do i=$((i+1)); echo run $i; i=$((i+1)); echo run $i; sleep 0.4; done; while [ ! -f /tmp/end ]; do sleep 1; done; exit 1`
  await pod('chatty', { containers: [container(script)] })
  const texts: string[] = []
  const events: string[] = []
  let logs: LogReader | undefined
  for (let round = 0; !events.includes('started 2'); round += 1) {
    const positions = logs?.positions() ?? []
    logs = await read({ resource: 'pods', name: 'chatty', positions }, viewer, prod.id, logs)
    const now = logs
    const runEnds = texts.length < 400 ? 400 : 800
    const enough = Math.min(20 + ((round * 37) % 90), runEnds - texts.length)
    await now.until(() => now.lines.length >= enough)
    if (texts.length + now.lines.length >= runEnds) {
      expect(await execInPod(sandbox, { namespace: 'default', name: 'chatty' }, ['touch', '/tmp/end'])).toBe(
        true,
      )
      await now.until(() => now.events().includes(`started ${runEnds / 400}`))
    }
    logs.close()
    texts.push(...logs.texts)
    events.push(...logs.events())
  }
  const expected = Array.from({ length: 400 }, (_, index) => `run ${index + 1}`)
  expect(texts.slice(0, 400)).toEqual(expected)
  expect(texts.slice(400, 800)).toEqual(expected)
  expect(events.filter((event) => event.startsWith('ended'))).toEqual(['ended 0 exit 1', 'ended 1 exit 1'])
})

test('a cron job’s pods are found through its jobs', async () => {
  const jobSpec = {
    template: { spec: { restartPolicy: 'Never', containers: [container('echo ticked')] } },
  }
  const cronJob = await kube('POST', '/apis/batch/v1/namespaces/default/cronjobs', {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'tick' },
    spec: { schedule: '0 0 1 1 *', jobTemplate: { spec: jobSpec } },
  })
  const logs = await read({ resource: 'cronjobs.batch', name: 'tick' })
  const job = (name: string, ownerReferences?: object[]) =>
    kube('POST', '/apis/batch/v1/namespaces/default/jobs', {
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, ...(ownerReferences && { ownerReferences }) },
      spec: jobSpec,
    })
  await job('another')
  const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'tick', controller: true }
  await job('tick-1', [{ ...owner, uid: cronJob.metadata.uid }])
  await logs.until(() => logs.texts.includes('ticked'))
  logs.close()
  expect(new Set(logs.lines.map((line) => line.pod.replace(/-\w+$/, '')))).toEqual(new Set(['tick-1']))
})

test('5,000 lines a second arrive whole, also where the reader pauses', async () => {
  await pod('flood', { containers: [container(counting(0.4, 100))] })
  const logs = await readPod('flood')
  await logs.until(() => logs.lines.length > 1000)
  const first = logs.lines.length
  const startedAt = performance.now()
  logs.pause()
  await new Promise((resolve) => setTimeout(resolve, 600))
  logs.resume()
  await logs.until(() => logs.lines.length > first + 5_000, 100_000)
  const perSecond = (logs.lines.length - first) / ((performance.now() - startedAt) / 1000)
  logs.close()
  expect(logs.texts).toEqual(logs.texts.map((_, index) => `line ${index + 1}`))
  // oxlint-disable-next-line no-console -- a figure for anyone who reads the run
  console.log(`${Math.round(perSecond)} lines a second`)
}, 120_000)

test('a stream ends with the session it was opened by', async () => {
  const leaving = await given.user({ role: 'VIEWER', organizationId: owner.organizationId })
  const logs = await read({ resource: 'deployments.apps', name: 'web' }, leaving)
  await logs.until(() => logs.lines.length > 0)
  await call('POST', '/api/auth/logout', as(leaving))
  await logs.closed()
})

test('one user has ten streams at most, and gets another when one is closed', async () => {
  const busy = await given.user({ role: 'VIEWER', organizationId: owner.organizationId })
  const open = () => read({ resource: 'deployments.apps', name: 'web' }, busy)
  const ten = await Promise.all(Array.from({ length: 10 }, open))
  expect(ten.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
  expect((await open()).problem).toMatchObject({ code: 'limit_reached' })
  ten[0]?.close()
  await expect.poll(async () => (await open()).status, { timeout: 60_000 }).toBe(200)
  for (const logs of ten) logs.close()
})

test('what is not there, and what has no pods, is answered in words', async () => {
  const missing = await read({ resource: 'deployments.apps', name: 'nothing' })
  expect(missing.problem).toMatchObject({
    code: 'not_found',
    detail: 'There is no deployments.apps "nothing" in the namespace "default".',
  })
  expect((await read({ resource: 'configmaps', name: 'x' })).problem.code).toBe('invalid_request')
  expect((await read({ resource: 'pods' })).problem.code).toBe('invalid_request')
  expect((await read({ resource: 'pods', name: 'x' }, viewer, 999_999)).problem.code).toBe('not_found')
  for (const path of ['/logs', '/logs/download']) {
    const odd = await call('POST', at(path), {
      ...as(viewer),
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ namespace: 'default', selector: 'app in (' }),
    })
    expect([path, odd.status, JSON.parse(odd.text)]).toMatchObject([
      path,
      400,
      { code: 'invalid_request', errors: [{ path: 'selector' }] },
    ])
  }
})

test('where the cluster forbids it, the missing right is named', async () => {
  await kube('POST', '/api/v1/namespaces/default/serviceaccounts', {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { name: 'narrow' },
  })
  const issued = (await kube('POST', '/api/v1/namespaces/default/serviceaccounts/narrow/token', {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: {},
  })) as unknown as { status: { token: string } }
  const narrow = await cluster(owner.organizationId, {
    ...connection,
    token: issued.status.token,
    impersonate: false,
  })
  const object = await read({ resource: 'deployments.apps', name: 'web' }, viewer, narrow.id)
  expect(object.problem).toMatchObject({ code: 'forbidden' })
  expect(object.problem.detail).toContain('may not "get" deployments in the namespace "default"')

  await kube('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'Role',
    metadata: { name: 'pods-only' },
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list', 'watch'] }],
  })
  await kube('POST', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings', {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'RoleBinding',
    metadata: { name: 'pods-only' },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'pods-only' },
    subjects: [{ kind: 'ServiceAccount', name: 'narrow', namespace: 'default' }],
  })
  const logs = await read({ selector: 'app=web' }, viewer, narrow.id)
  await logs.until(() => logs.records.some((record) => record.type === 'problem'))
  logs.close()
  expect(logs.records.find((record) => record.type === 'problem')).toMatchObject({
    code: 'forbidden',
    message:
      'The account that Bey uses in this cluster may not "get" pods/log in the namespace "default". Whoever administers the cluster can grant it with a Role and a RoleBinding.',
  })
})

test('the whole log can be fetched as text', async () => {
  const reply = await call('POST', at('/logs/download'), {
    ...as(viewer),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ namespace: 'default', resource: 'pods', name: 'crashing' }),
  })
  expect(reply.status).toBe(200)
  expect(reply.headers['content-type']).toContain('text/plain')
  expect(reply.headers['content-disposition']).toBe('attachment; filename="default-crashing.log"')
  expect(reply.text).toMatch(/^\[pod\/crashing\/app\] \S+Z begin$/m)
})

/** Watches that are open on the cluster, by resource, as the cluster itself counts them. */
async function watchesOfCluster(): Promise<Map<string, number>> {
  const { text } = await call('GET', `${sandbox.url}/metrics`, {
    token: sandbox.adminToken,
    ca: sandbox.caPem,
  })
  const open = text.matchAll(/^apiserver_longrunning_requests\{.*resource="(\w+)".*verb="WATCH".*\} (\d+)$/gm)
  const counts = new Map<string, number>()
  // In one namespace and in all of them are counted apart.
  for (const [, resource = '', count] of open)
    counts.set(resource, (counts.get(resource) ?? 0) + Number(count))
  return counts
}

test('ten viewers, log streams, health and the record of changes cost the cluster one watch a resource', async () => {
  await deployment('watched', 2, counting(5))
  const stream = await read({ resource: 'deployments.apps', name: 'watched' })
  await stream.until(() => new Set(stream.lines.map((line) => line.pod)).size === 2)
  const pages = ['/pods', '/workloads', '/objects/deployments.apps', '/objects/pods', '/objects/services']
  const object = `/objects/pods/default/${stream.lines[0]?.pod}`
  for (let viewers = 0; viewers < 10; viewers += 1) {
    const replies = await Promise.all([...pages, object].map((page) => call('GET', at(page), as(viewer))))
    expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  }
  const recorded = ['configmaps', 'ingresses', 'roles']
  const watched = ['pods', 'deployments', 'services', 'nodes', 'events', ...recorded]
  await expect
    .poll(async () => [...(await watchesOfCluster()).keys()], { timeout: 60_000 })
    .toEqual(expect.arrayContaining(watched))
  await expect
    .poll(async () => [...(await watchesOfCluster())].filter(([, count]) => count !== 1))
    .toEqual([])
  stream.close()
})
