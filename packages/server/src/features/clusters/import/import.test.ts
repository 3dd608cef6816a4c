import { expect, test, vi } from 'vitest'
import { connectProxy } from '../../../testing/connect-proxy.ts'
import { importableCluster } from '../../../testing/importable.ts'
import type { ImportableCluster, KubeconfigPart } from '../../../testing/importable-cluster.ts'
import { testApp } from '../../../testing/app.ts'

const app = await testApp()
const owner = await app.given.user()
const outside = await importableCluster()
await outside.namespace('shop')

const as = (user = owner) => ({ token: user.token, organizationId: owner.organizationId })
const get = (path: string, user = owner) => app.ask('GET', path, as(user))

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  return vi.waitFor(
    async () => {
      const value = await read()
      if (!holds(value)) throw new Error(`Not yet: ${JSON.stringify(value).slice(0, 600)}`)
      return value
    },
    { timeout: 60_000, interval: 50 },
  )
}

async function importKubeconfig(kubeconfig: string, clusters: { context: string; title: string }[]) {
  return app.ask('POST', '/api/kubernetes/import', { ...as(), body: { kubeconfig, clusters } })
}

/** Imports one context and waits for the end of its run. */
async function imported(part: Omit<KubeconfigPart, 'name'>, title: string, of: ImportableCluster = outside) {
  const made = await importKubeconfig(of.kubeconfig([{ name: title, ...part }]), [{ context: title, title }])
  expect(made.status, made.text).toBe(201)
  const { id } = made.body.clusters[0]
  const path = `/api/kubernetes/clusters/${id}`
  const cluster = await until(
    async () => (await get(path)).body,
    ({ status }) => status === 'RUNNING' || status === 'ERROR',
  )
  return { id, path, cluster }
}

const ended = async (path: string) =>
  until(
    async () => (await get(path)).body,
    ({ status }) => status === 'DELETED',
  )

test('an imported cluster runs under its own version and nodes, and all that reads clusters reads it', async () => {
  const { path, cluster } = await imported({ user: outside.admin() }, 'prod')
  expect(cluster).toMatchObject({
    status: 'RUNNING',
    provider: 'kubeconfig',
    version: 'v1.33.4-sandbox',
    region: 'local',
  })
  expect(cluster.metadata.nodeCount).toBe(3)
  expect((await get(`${path}/nodes`)).body.total).toBe(3)
  expect((await get(`${path}/overview`)).body.nodes).toEqual({ total: 3, ready: 3 })
  expect((await get(`${path}/proxy/api/v1/namespaces/shop`)).body.metadata.name).toBe('shop')
  await until(
    async () => (await get(path)).body,
    ({ reachability }) => reachability.state === 'reachable',
  )
  const { lastRun } = cluster
  const run = (await get(`/api/v1/workflows/${lastRun.workflowId}/runs/${lastRun.runId}`)).body
  expect(run.steps.map((step: { name: string; status: string }) => `${step.name} ${step.status}`)).toEqual([
    'Check address succeeded',
    'Log in succeeded',
    'Read version and nodes succeeded',
    'Read first lists succeeded',
  ])
})

test('a client certificate carries reads, watches and the proxy, through an HTTP proxy too', async () => {
  const proxy = await connectProxy()
  const user = await outside.clientCertificate('grace', ['system:masters'])
  const { path, cluster } = await imported({ user, cluster: { 'proxy-url': proxy.url } }, 'by-certificate')
  expect(cluster.status, cluster.error).toBe('RUNNING')
  expect((await get(`${path}/namespaces`)).body.total).toBeGreaterThan(3)
  const review = await app.ask('POST', `${path}/proxy/apis/authentication.k8s.io/v1/selfsubjectreviews`, {
    ...as(),
    body: { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' },
  })
  expect(review.body.status.userInfo.username).toBe(owner.email)
  expect(proxy.opened.length).toBeGreaterThan(1)
  const { body } = await get(`${path}/connection`)
  expect(body).toMatchObject({
    isImported: true,
    credential: 'client-certificate',
    impersonates: true,
    proxy: new URL(proxy.url).host,
  })
  expect(Date.parse(body.credentialsExpireAt)).toBeGreaterThan(Date.now())
})

test('where Bey may impersonate nobody it acts as itself, its own roles still rule, and the trail says so', async () => {
  const { user, subject } = await outside.account('editor', 'shop')
  await outside.bind('edit', subject)
  const { path, id } = await imported({ user }, 'as-itself')
  const maps = `${path}/proxy/api/v1/namespaces/shop/configmaps`
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'of-bey' } }
  const viewer = await app.given.user({ organizationId: owner.organizationId, role: 'VIEWER' })
  expect((await app.ask('POST', maps, { ...as(viewer), body })).status).toBe(403)
  expect((await app.ask('POST', maps, { ...as(), body })).status).toBe(201)
  expect((await get(`${path}/connection`)).body).toMatchObject({
    impersonates: false,
    test: { identity: { user: 'system:serviceaccount:shop:editor' } },
  })
  const { rows } = await app.database.asSystem('test', (db) =>
    db.execute<{ diff: { actsAs?: string } }>(
      `select diff from audit_entries where action = 'kubernetes.create' and outcome = 'success' and target_id = '${id}'`,
    ),
  )
  expect(rows.map(({ diff }) => diff.actsAs)).toEqual(['system:serviceaccount:shop:editor'])
})

test('a service account’s own token does not act as the client certificate of the import', async () => {
  const user = await outside.clientCertificate('root', ['system:masters'])
  const { path } = await imported({ user }, 'for-accounts')
  const { user: account } = await outside.account('guest', 'shop')
  const reply = await app.ask('GET', `${path}/proxy/api/v1/secrets`, { token: account.token as string })
  expect([reply.status, reply.text]).toEqual([
    403,
    expect.stringContaining('system:serviceaccount:shop:guest'),
  ])
})

test('an import that fails says where and why, can be tried again, and can be disconnected', async () => {
  const { user } = await outside.account('later', 'shop')
  const { path, cluster } = await imported({ user }, 'fails-first')
  expect(cluster.status).toBe('ERROR')
  expect(cluster.error).toMatch(/^Import failed at "Log in": The cluster forbids everything/)
  await outside.bind('view', { kind: 'ServiceAccount', name: 'later', namespace: 'shop' })
  const again = await app.ask('POST', `${path}/provision`, as())
  expect(again.body.message).toBe('The import of "fails-first" started.')
  await until(
    async () => (await get(path)).body,
    ({ status }) => status === 'RUNNING',
  )
})

test('disconnecting changes nothing in the cluster, even when that is away, and forgets the credentials', async () => {
  const away = await importableCluster()
  const { id, path } = await imported({ user: away.admin() }, 'to-leave', away)
  await away.stop()
  const removal = await app.ask('DELETE', path, as())
  expect(removal.body.message).toBe(
    'Disconnecting "to-leave" started; nothing is changed in the cluster itself.',
  )
  await ended(path)
  const { rows } = await app.database.asSystem('test', (db) =>
    db.execute(`select 1 from cluster_connections where cluster_id = ${id}`),
  )
  expect(rows).toEqual([])
  await away.restart()
  expect((await away.call('GET', '/version'))['gitVersion']).toBe('v1.33.4-sandbox')
})

test('several are imported together or not at all, and one that is known is reported', async () => {
  const kubeconfig = outside.kubeconfig([
    { name: 'a', user: outside.admin() },
    { name: 'b', user: outside.admin() },
    { name: 'c', user: { exec: { command: 'login' } } },
  ])
  const refused = await importKubeconfig(kubeconfig, [
    { context: 'a', title: 'fresh' },
    { context: 'b', title: 'prod' },
  ])
  expect([refused.status, refused.body.code, refused.body.errors[0].path]).toEqual([
    409,
    'name_taken',
    'clusters.1.title',
  ])
  const twice = await importKubeconfig(kubeconfig, [
    { context: 'a', title: 'one' },
    { context: 'a', title: 'one' },
  ])
  expect(twice.body.errors.map(({ path }: { path: string }) => path)).toEqual([
    'clusters.1.context',
    'clusters.1.title',
  ])
  const unusable = await importKubeconfig(kubeconfig, [
    { context: 'a', title: 'one' },
    { context: 'c', title: 'two' },
  ])
  expect(unusable.body).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringContaining('logs in with a program'),
  })
  const list = (await get('/api/kubernetes/clusters?search=one')).body
  expect(list.total).toBe(0)
  const known = await app.ask('POST', '/api/kubernetes/import/test', {
    ...as(),
    body: { kubeconfig, context: 'a' },
  })
  expect(known.body.alreadyImported).toMatchObject({ title: 'prod' })
})

test('an account of some namespaces sees those, live, and a sentence for what it may not see', async () => {
  for (const name of ['mine', 'ours', 'theirs']) await outside.namespace(name)
  const { user, subject } = await outside.account('team', 'mine')
  for (const name of ['mine', 'ours']) await outside.bind('view', subject, name)
  const pod = (name: string) => ({
    metadata: { name },
    spec: { containers: [{ name: 'main', image: 'nginx' }] },
  })
  for (const namespace of ['mine', 'theirs'])
    await outside.call('POST', `/api/v1/namespaces/${namespace}/pods`, pod(`in-${namespace}`))
  const { path } = await imported({ user, namespace: 'ours' }, 'some-namespaces')
  expect((await get(`${path}/connection`)).body.namespaces).toEqual(['ours', 'mine'])

  const names = async () => {
    const { body } = await get(`${path}/pods`)
    return body.pods?.map((each: { name: string }) => each.name)
  }
  expect(await names()).toEqual(['in-mine'])
  await outside.call('POST', '/api/v1/namespaces/ours/pods', pod('in-ours'))
  await until(names, (found) => found?.length === 2)
  const objects = (await get(`${path}/objects/pods`)).body
  expect(objects.objects.map((each: { name: string }) => each.name)).toEqual(['in-mine', 'in-ours'])
  expect((await get(`${path}/overview`)).body).toMatchObject({
    pods: { total: 2 },
    unreadable: { kinds: ['nodes', 'namespaces'] },
  })
  expect(
    (await get(`${path}/namespaces`)).body.namespaces.map((each: { name: string }) => each.name),
  ).toEqual(['mine', 'ours'])
  const nodes = await get(`${path}/nodes`)
  expect([nodes.status, nodes.body.code]).toEqual([403, 'cluster_forbidden'])

  const body = { namespaces: ['ours'] }
  const chosen = await app.ask('PATCH', `${path}/connection`, { ...as(), body })
  expect(chosen.body).toMatchObject({ namespaces: ['ours'], areNamespacesChosen: true })
  await until(names, (found) => found?.join() === 'in-ours')
})

test('credentials are replaced only by such as work, and sealed', async () => {
  const { path, id } = await imported({ user: outside.admin() }, 'to-replace')
  const { user, subject } = await outside.account('next', 'shop')
  const body = { kubeconfig: outside.kubeconfig([{ name: 'next', user }]), context: 'next' }
  const refused = await app.ask('PUT', `${path}/connection`, { ...as(), body })
  expect([refused.status, refused.body.detail]).toEqual([
    409,
    expect.stringContaining('the new ones do not work'),
  ])
  expect((await get(`${path}/connection`)).body.context).toBe('to-replace')
  await outside.bind('view', subject)
  const replaced = await app.ask('PUT', `${path}/connection`, { ...as(), body })
  expect(replaced.body).toMatchObject({
    context: 'next',
    test: { identity: { user: 'system:serviceaccount:shop:next' } },
  })
  await until(
    async () => (await get(`${path}/proxy/api/v1/secrets`)).status,
    (status) => status === 403,
  )
  const { rows } = await app.database.asSystem('test', (db) =>
    db.execute(
      `select c.*, encode(credentials_sealed, 'escape') as sealed from cluster_connections c where cluster_id = ${id}`,
    ),
  )
  expect(JSON.stringify(rows)).not.toContain(user['token'])
})

test('a sandbox tells its connection as well, and has none to replace', async () => {
  const sandbox = await app.given.cluster({ organizationId: owner.organizationId, status: 'RUNNING' })
  const path = `/api/kubernetes/clusters/${sandbox.id}/connection`
  expect((await get(path)).body).toMatchObject({ isImported: false, impersonates: true, test: null })
  expect((await app.ask('POST', `${path}/test`, as())).status).toBe(409)
})
