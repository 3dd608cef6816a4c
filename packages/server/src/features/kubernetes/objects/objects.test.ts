import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GivenUser } from '../../../testing/given.ts'
import { runningApp } from '../testing/running-app.ts'
import { sandboxCalls } from '../testing/sandbox-calls.ts'

const home = await mkdtemp(join(tmpdir(), 'bey-objects-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const { given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const member = await given.user({ role: 'MEMBER', organizationId })
const stranger = await given.user()
const prod = await cluster(organizationId, {
  url: sandbox.url,
  caPem: sandbox.caPem,
  token: sandbox.adminToken,
  impersonate: true,
})

const kube = sandboxCalls(sandbox)

const as = (user: GivenUser) => ({ token: user.token, organizationId: user.organizationId })
const get = async (rest: string, user = viewer) => {
  const reply = await call('GET', `/api/kubernetes/clusters/${prod.id}${rest}`, as(user))
  return { status: reply.status, text: reply.text, body: reply.json() as never }
}

const password = 'a-value-nobody-may-see'
beforeAll(async () => {
  const at = '/api/v1/namespaces/default'
  await kube('POST', `${at}/configmaps`, {
    metadata: { name: 'b', labels: { app: 'web' } },
    data: { x: '1' },
  })
  await kube('POST', `${at}/configmaps`, { metadata: { name: 'a', labels: { app: 'api' } }, data: {} })
  await kube('POST', `${at}/secrets`, {
    metadata: {
      name: 'login',
      annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"stringData":"${password}"}` },
    },
    stringData: { password },
  })
  await kube('POST', '/apis/apps/v1/namespaces/default/deployments', {
    metadata: { name: 'web' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'c', image: 'nginx' }] },
      },
    },
  })
  await kube('POST', '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'] },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          additionalPrinterColumns: [
            { name: 'Size', type: 'integer', jsonPath: '.spec.size', description: 'How big it is.' },
          ],
        },
      ],
    },
  })
  for (const [name, size] of [
    ['small', 1],
    ['large', 20],
  ] as const) {
    // A definition takes a moment to be served.
    await vi.waitFor(
      () =>
        kube('POST', '/apis/example.com/v1/namespaces/default/widgets', {
          apiVersion: 'example.com/v1',
          kind: 'Widget',
          metadata: { name },
          spec: { size },
        }),
      60_000,
    )
  }
})

test('a cluster tells what it serves, custom resources among them, and nothing that cannot be listed', async () => {
  const { resources, unavailableGroups } = (await get('/resources')).body as {
    resources: { resource: string }[]
    unavailableGroups: string[]
  }
  const named = (name: string) => resources.find(({ resource }) => resource === name)
  expect(named('deployments.apps')).toMatchObject({
    kind: 'Deployment',
    group: 'apps',
    version: 'v1',
    isNamespaced: true,
    isCustom: false,
    shortNames: ['deploy'],
  })
  expect(named('widgets.example.com')).toMatchObject({ isCustom: true, shortNames: ['wd'] })
  expect(named('nodes')).toMatchObject({ isNamespaced: false })
  expect(resources.filter(({ resource }) => resource.includes('selfsubject'))).toEqual([])
  expect(unavailableGroups).toEqual([])
})

test('a list has the columns that the cluster prints, sorted, searched and by label', async () => {
  const page = (await get('/objects/configmaps?namespace=default')).body as {
    columns: { name: string }[]
    objects: { name: string; cells: unknown[] }[]
    isLive: boolean
  }
  expect(page.columns.map(({ name }) => name)).toEqual(['Name', 'Data', 'Age'])
  expect(page.isLive).toBe(true)
  const names = async (query: string) =>
    ((await get(`/objects/configmaps?namespace=default${query}`)).body as typeof page).objects.map(
      ({ name }) => name,
    )
  expect(await names('&order=desc')).toEqual(['kube-root-ca.crt', 'b', 'a'])
  expect(await names('&labels=app%3Dweb')).toEqual(['b'])
  expect(await names('&labels=app')).toEqual(['a', 'b'])
  expect(await names('&search=ROOT')).toEqual(['kube-root-ca.crt'])
  expect(await names('&limit=1&page=2')).toEqual(['b'])
})

test('custom resources are listed with their own columns and sorted by them as numbers', async () => {
  const page = (await get('/objects/widgets.example.com?sort=size&order=desc')).body as {
    columns: { name: string; description: string }[]
    objects: { name: string; cells: unknown[] }[]
  }
  expect(page.columns).toContainEqual({
    name: 'Size',
    type: 'integer',
    description: 'How big it is.',
    priority: 0,
  })
  expect(page.objects.map(({ name, cells }) => [name, cells[1]])).toEqual([
    ['large', '20'],
    ['small', '1'],
  ])
})

test('what changes in the cluster changes the rows', async () => {
  const names = async () =>
    ((await get('/objects/configmaps?search=live-')).body as { objects: { name: string }[] }).objects.map(
      ({ name }) => name,
    )
  expect(await names()).toEqual([])
  await kube('POST', '/api/v1/namespaces/default/configmaps', { metadata: { name: 'live-1' } })
  await expect.poll(names).toEqual(['live-1'])
  await kube('DELETE', '/api/v1/namespaces/default/configmaps/live-1')
  await expect.poll(names).toEqual([])
})

test('an object comes with its health, its owners, what it owns, and its events', async () => {
  const read = async () =>
    (await get('/objects/deployments.apps/default/web')).body as {
      object: { kind: string; spec: { replicas: number } }
      health: { state: string } | null
      owned: { kind: string; name: string; resource: string; status: string }[]
      events: { reason: string }[]
    }
  await expect.poll(async () => (await read()).health?.state).toBe('healthy')
  const web = await read()
  expect(web.object).toMatchObject({ kind: 'Deployment', spec: { replicas: 2 } })
  expect(web.owned.map(({ kind }) => kind)).toEqual(['ReplicaSet', 'Pod', 'Pod'])
  expect(web.owned[0]?.status).toBe('2/2 ready')
  await expect
    .poll(async () => (await read()).events.map(({ reason }) => reason))
    .toContain('ScalingReplicaSet')
  const pod = (await get(`/objects/pods/default/${web.owned[1]?.name}`)).body
  expect(pod).toMatchObject({
    owners: [
      { resource: 'replicasets.apps', kind: 'ReplicaSet', namespace: 'default', name: web.owned[0]?.name },
    ],
  })
})

test('an object comes with what it refers to and what refers to it, and says what is missing', async () => {
  const at = '/api/v1/namespaces/default'
  await kube('POST', `${at}/services`, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  })
  await kube('POST', '/apis/networking.k8s.io/v1/namespaces/default/ingresses', {
    metadata: { name: 'shop' },
    spec: {
      rules: [
        {
          http: {
            paths: [
              {
                path: '/web',
                pathType: 'Prefix',
                backend: { service: { name: 'web', port: { number: 80 } } },
              },
            ],
          },
        },
      ],
    },
  })
  await kube('POST', '/apis/policy/v1/namespaces/default/poddisruptionbudgets', {
    metadata: { name: 'web' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
  })
  await kube('POST', `${at}/pods`, {
    metadata: { name: 'reader' },
    spec: {
      containers: [{ name: 'c', image: 'nginx', envFrom: [{ configMapRef: { name: 'a' } }] }],
      volumes: [{ name: 'gone', configMap: { name: 'nowhere' } }],
    },
  })
  const related = async (path: string, user = viewer) => {
    const { related: found } = (await get(`/objects/${path}/related`, user)).body as {
      related: { relation: string; kind: string; name: string; isMissing: boolean; detail: string | null }[]
    }
    return found.map(
      ({ relation, kind, name, isMissing }) => `${relation} ${kind} ${name}${isMissing ? ' missing' : ''}`,
    )
  }
  await expect
    .poll(() => related('deployments.apps/default/web'), { timeout: 60_000, interval: 500 })
    .toEqual(
      expect.arrayContaining([
        'selected_by Service web',
        'protected_by PodDisruptionBudget web',
        expect.stringMatching(/^revision ReplicaSet web-/),
      ]),
    )
  const service = await related('services/default/web')
  expect(service).toContain('routed_by Ingress shop')
  expect(service.filter((each) => each.startsWith('selects Pod web-'))).toHaveLength(2)
  expect(await related('ingresses.networking.k8s.io/default/shop')).toContain('routes_to Service web')
  expect(await related('pods/default/reader')).toEqual(
    expect.arrayContaining(['uses ConfigMap nowhere missing', 'uses ConfigMap a']),
  )
  expect(await related('configmaps/default/a')).toEqual(['used_by Pod reader'])
  expect((await get('/objects/secrets/default/login/related')).status).toBe(403)
  expect(await related('secrets/default/login', member)).toEqual([])
})

test('a Secret shows its keys to who may read Secrets, and its values to nobody', async () => {
  const detail = await get('/objects/secrets/default/login', member)
  expect(detail.body).toMatchObject({ isRedacted: true, object: { data: { password: null } } })
  const list = await get('/objects/secrets', member)
  expect(list.status).toBe(200)
  for (const { text } of [detail, list]) {
    expect(text).not.toContain(password)
    expect(text).not.toContain(Buffer.from(password).toString('base64'))
  }
  for (const path of ['/objects/secrets', '/objects/secrets/default/login']) {
    expect(await get(path)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', detail: expect.stringContaining('VIEWER may not read Kubernetes Secrets') },
    })
  }
})

test('what is not there is said in words', async () => {
  const detail = async (path: string, user = viewer) => {
    const { status, body } = await get(path, user)
    return [status, (body as { detail: string }).detail]
  }
  expect(await detail('/objects/gadgets.example.com')).toEqual([
    404,
    `The cluster "${prod.title}" serves no resource "gadgets.example.com".`,
  ])
  expect(await detail('/objects/pods/default/nobody')).toEqual([
    404,
    `There is no Pod "nobody" in the namespace "default" of the cluster "${prod.title}".`,
  ])
  expect(await detail('/objects/pods/-/nobody')).toEqual([404, 'pods belong to a namespace.'])
  expect(await detail('/objects/nodes/default/n')).toEqual([404, 'nodes belong to none: send -.'])
  expect((await get('/objects/configmaps', stranger)).status).toBe(404)
  for (const name of ['..', '%2e%2e', 'a%2Fb', 'a%252Fb'])
    expect((await get(`/objects/configmaps/default/${name}`)).status).toBeGreaterThanOrEqual(400)
})

test('events of an object are those of all it owns, of a namespace those of everything in it, by reason', async () => {
  type Groups = { groups: { reason: string; events: { object: string }[] }[] }
  const objectsOf = async (rest: string) => {
    const { groups } = (await get(`/objects/${rest}/events`)).body as Groups
    return groups.flatMap(({ events }) => events.map(({ object }) => object))
  }
  await vi.waitFor(async () => {
    const ofDeployment = await objectsOf('deployments.apps/default/web')
    expect(ofDeployment).toContain('Deployment/web')
    expect(ofDeployment.some((object) => object.startsWith('Pod/web-'))).toBe(true)
    const ofNamespace = await objectsOf('namespaces/-/default')
    expect(ofNamespace).toEqual(expect.arrayContaining(ofDeployment))
  }, 60_000)
  const { pods } = (await get('/pods?namespace=default')).body as { pods: { name: string; node: string }[] }
  const [first] = pods
  expect(await objectsOf(`nodes/-/${first?.node}`)).toContain(`Pod/${first?.name}`)
  // Who may not read Secrets reads nothing about one.
  expect((await get('/objects/secrets/default/login/events')).status).toBe(403)
  expect((await get('/objects/deployments.apps/default/web/events', stranger)).status).toBe(404)
})
