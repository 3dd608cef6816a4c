import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallOutput } from '@bey/contract'
import { startSandbox } from '@bey/sandbox'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { uuidv7 } from '../../platform/crypto/uuid.ts'
import { runningApp } from '../kubernetes/testing/running-app.ts'
import { sandboxCalls } from '../kubernetes/testing/sandbox-calls.ts'
import { issued, newAuthority, tlsSecret } from './testing/issued.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const patience = { timeout: 60_000, interval: 100 }

const home = await mkdtemp(join(tmpdir(), 'bey-ingress-'))
const sandbox = await startSandbox({ dir: join(home, 'sandbox'), name: 'prod', seed: 1, speed: 50 })
afterAll(async () => {
  await sandbox.stop()
  await rm(home, { recursive: true, force: true })
})
const kube = sandboxCalls(sandbox)
const { app, given, cluster, call } = await runningApp()
const viewer = await given.user({ role: 'VIEWER' })
const { organizationId } = viewer
const { url, caPem, adminToken: token } = sandbox
const prod = await cluster(organizationId, { url, caPem, token, impersonate: true })

const authority = await newAuthority()
const soon = await issued(authority, ['shop.example', 'www.shop.example'], 6.5)
const over = await issued(authority, ['pay.example'], -1)
const wrong = await issued(authority, ['other.example'], 80)

const inShop = (kind: string) => `/apis/networking.k8s.io/v1/namespaces/shop/${kind}`
const backend = (name: string, port: number | string) => ({
  service: { name, port: typeof port === 'number' ? { number: port } : { name: port } },
})
const rule = (host: string, to: object, path = '/') => ({
  host,
  http: { paths: [{ path, pathType: 'Prefix', backend: to }] },
})
const putIngress = (name: string, spec: object) =>
  kube('POST', inShop('ingresses'), { metadata: { name }, spec: { ingressClassName: 'nginx', ...spec } })
const putService = (name: string, spec: object) =>
  kube('POST', '/api/v1/namespaces/shop/services', { metadata: { name }, spec })

beforeAll(async () => {
  await kube('POST', '/api/v1/namespaces', { metadata: { name: 'shop' } })
  await kube('POST', '/api/v1/namespaces/shop/pods', {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'web', image: 'nginx', ports: [{ containerPort: 80 }] }] },
  })
  await putService('web', { selector: { app: 'web' }, ports: [{ name: 'http', port: 80 }] })
  await putService('empty', { selector: { app: 'nobody' }, ports: [{ port: 80 }] })
  await putService('public', { type: 'LoadBalancer', selector: { app: 'web' }, ports: [{ port: 80 }] })
  for (const secret of [
    tlsSecret('soon', soon, authority.certificatePem),
    tlsSecret('over', over),
    tlsSecret('wrong', wrong),
    { metadata: { name: 'odd' }, type: 'Opaque', data: { 'tls.crt': 'aGVsbG8=' } },
  ])
    await kube('POST', '/api/v1/namespaces/shop/secrets', secret)
  await putIngress('shop', {
    rules: [rule('shop.example', backend('web', 'http')), rule('shop.example', backend('web', 80), '/api')],
    tls: [{ hosts: ['shop.example'], secretName: 'soon' }],
  })
  await putIngress('pay', {
    rules: [rule('pay.example', backend('web', 80))],
    tls: [{ hosts: ['pay.example'], secretName: 'over' }],
  })
  await putIngress('broken', {
    rules: [
      rule('gone.example', backend('gone', 80)),
      rule('port.example', backend('web', 8080)),
      rule('empty.example', backend('empty', 80)),
    ],
    tls: [
      { hosts: ['gone.example'], secretName: 'none' },
      { hosts: ['port.example'], secretName: 'odd' },
      { hosts: ['empty.example'], secretName: 'wrong' },
    ],
  })
  await putIngress('twice', { rules: [rule('shop.example', backend('web', 80), '/api')] })
})

type List = 'hosts' | 'certificates' | 'loadBalancers' | 'gateways'
const paths: Record<List, string> = {
  hosts: 'hosts',
  certificates: 'certificates',
  loadBalancers: 'load-balancers',
  gateways: 'gateways',
}
async function list<N extends List>(name: N, query = '', who = viewer): Promise<CallOutput<`ingress.${N}`>> {
  const reply = await call('GET', `/api/ingress/${paths[name]}${query}`, {
    token: who.token,
    organizationId: who.organizationId,
  })
  expect(reply.status, reply.text).toBe(200)
  return reply.json() as CallOutput<`ingress.${N}`>
}
async function hostNamed(host: string) {
  const { hosts } = await list('hosts', `?host=${host}`)
  const [found] = hosts
  if (!found) throw new Error(`no ${host}`)
  return found
}

test('each host is listed once, with its paths, backends that are ready, and what is wrong', async () => {
  await vi.waitFor(async () => {
    const { hosts, counts } = await list('hosts', '?sort=host')
    expect(hosts.map(({ host }) => host)).toEqual([
      'empty.example',
      'gone.example',
      'pay.example',
      'port.example',
      'shop.example',
    ])
    const shop = hosts[4]
    expect(shop?.routes.map(({ name, path }) => `${name} ${path}`).toSorted()).toEqual([
      'shop /',
      'shop /api',
      'twice /api',
    ])
    expect([shop?.ready, shop?.total]).toEqual([1, 1])
    expect(shop?.addresses.length).toBe(1)
    expect(counts.failing).toBe(4)
  }, patience)
  const { detail } = (await hostNamed('port.example')).routes[0]?.health ?? {}
  expect(detail).toBe('The service shop/web has no port 8080.')
  expect((await hostNamed('gone.example')).routes[0]?.health).toMatchObject({
    state: 'failing',
    reason: 'ServiceMissing',
    detail: 'There is no service shop/gone.',
  })
})

test('the dashboard lists what needs somebody, and members are notified of certificates', async () => {
  const who = { token: viewer.token, organizationId }
  type Notice = { title: string; href: string; level: string }
  const noticesOf = async (name: string) => {
    const reply = (await call('GET', '/api/notifications', who)).json() as { notifications: Notice[] }
    return reply.notifications.filter(({ title }) => title.includes(name))
  }
  await vi.waitFor(async () => {
    const dashboard = (
      await call('GET', '/api/analytics/dashboard', who)
    ).json() as CallOutput<'analytics.dashboard'>
    const found = dashboard.attention.items.map(({ kind, name, health }) => `${kind} ${name} ${health.state}`)
    expect(found).toEqual(
      expect.arrayContaining([
        'Certificate soon degraded',
        'Certificate over failing',
        'Host gone.example failing',
        'Host port.example failing',
      ]),
    )
    expect(found).not.toContain('Host pay.example failing')
    const next = dashboard.attention.items.find(({ name }) => name === 'soon')
    expect(next?.health.detail).toContain('Runs out in 6 days')
    expect(next?.href).toContain('/networking/ingress/certificates?q=soon')
    expect(await noticesOf(' soon ')).toHaveLength(1)
  }, patience)
  expect(await noticesOf(' soon ')).toMatchObject([{ level: 'warning' }])
  expect(await noticesOf(' over ')).toMatchObject([{ level: 'error' }])
})

test('two objects that claim the same host and path name each other', async () => {
  const { routes, health } = await hostNamed('shop.example')
  const twice = routes.find(({ name }) => name === 'twice')
  expect(twice?.conflicts).toEqual([{ kind: 'Ingress', namespace: 'shop', name: 'shop' }])
  expect(twice?.health.reason).toBe('Conflict')
  expect(routes.find(({ path }) => path === '/')?.conflicts).toEqual([])
  expect(health.state).toBe('degraded')
})

test('certificates come by expiry, each with its state, its hosts and its chain', async () => {
  const { certificates, totals } = await list('certificates')
  expect(certificates.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'over expired',
    'soon expiring',
    'wrong valid',
    'none missing',
    'odd unreadable',
  ])
  expect(totals).toMatchObject({ hosts: 5, certificates: 5, loadBalancers: 1, gateways: 0 })
  const [past, next, other] = certificates
  expect(past).toMatchObject({ health: { state: 'failing', reason: 'CertificateExpired' } })
  expect(next?.text).toMatch(/^Runs out in 6 days, of an authority that this server does not trust\.$/)
  expect(next?.facts?.chain.length).toBe(2)
  expect(next?.hosts).toEqual([{ host: 'shop.example', isCovered: true }])
  expect(other).toMatchObject({ health: { state: 'failing', reason: 'CertificateWrongName' } })
  expect(other?.problems).toEqual(['It is not for empty.example: browsers refuse it there.'])
})

test('a renewed certificate takes the place of the old one without being asked for', async () => {
  const before = await hostNamed('pay.example')
  expect(before.health.reason).toBe('CertificateExpired')
  const renewed = await issued(authority, ['pay.example'], 80)
  await kube('PUT', '/api/v1/namespaces/shop/secrets/over', tlsSecret('over', renewed))
  await vi.waitFor(async () => {
    const { health, certificates } = await hostNamed('pay.example')
    expect(certificates[0]?.state).toBe('valid')
    expect(health.state).toBe('healthy')
  }, patience)
})

test('a load balancer says its addresses, and how long it waits while it has none', async () => {
  await vi.waitFor(async () => {
    const { loadBalancers } = await list('loadBalancers')
    expect(loadBalancers).toMatchObject([
      { name: 'public', ports: ['80/TCP'], ready: 1, total: 1, health: { state: 'healthy' } },
    ])
    expect(loadBalancers[0]?.addresses[0]).toMatch(/^203\.0\.113\./)
  }, patience)
})

test('no private key is in an answer or in the database', async () => {
  await list('hosts')
  const answers = await Promise.all(
    (['hosts', 'certificates', 'loadBalancers', 'gateways'] as const).map(async (name) =>
      JSON.stringify(await list(name)),
    ),
  )
  const keys = [soon, over, wrong].flatMap(({ keyPem }) => {
    const [, body = ''] = keyPem.split('\n')
    return [body, Buffer.from(keyPem).toString('base64').slice(40, 100)]
  })
  const everything = `${answers.join('')}${await wholeDatabase()}`
  expect(everything).toContain('shop.example')
  for (const key of keys) expect(everything).not.toContain(key)
})

/** Every row of every table as text, with the compressed lists of clusters opened. */
async function wholeDatabase(): Promise<string> {
  const { ownerPool } = app.database
  const tables = await ownerPool.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  )
  let text = ''
  for (const { name } of tables.rows) {
    const { rows } = await ownerPool.query<{ row: string }>(`select t::text as row from public."${name}" t`)
    text += rows.map(({ row }) => row).join('\n')
  }
  const lists = await ownerPool.query<{ content: Buffer }>('select content from cluster_lists')
  const { gunzipSync } = await import('node:zlib')
  return text + lists.rows.map(({ content }) => gunzipSync(content).toString()).join('\n')
}

test('search and filters are those of the server, and another organization sees nothing of it', async () => {
  expect((await list('hosts', '?search=pay')).hosts.map(({ host }) => host)).toEqual(['pay.example'])
  expect((await list('hosts', '?health=failing&limit=1')).hosts.length).toBe(1)
  expect((await list('hosts', '?namespace=other')).total).toBe(0)
  // A page that its host is not on says the same.
  const first = await list('hosts', '?sort=host&limit=1')
  const all = await list('hosts', '?sort=expiresAt')
  const next = all.hosts.find(({ expiresAt }) => expiresAt !== null && new Date(expiresAt) > new Date())
  expect(next?.host).not.toBe(first.hosts[0]?.host)
  expect(first.nextExpiry).toMatchObject({ host: next?.host, expiresAt: next?.expiresAt })
  const stranger = await given.user({ role: 'OWNER' })
  expect((await list('hosts', '', stranger)).total).toBe(0)
  expect((await list('certificates', `?cluster=${prod.id}`, stranger)).total).toBe(0)
})

test('a certificate that is a copy of a secret names it', async () => {
  const secretId = uuidv7()
  const { ownerPool } = app.database
  await ownerPool.query(
    `insert into secrets (id, organization_id, name, type, facts, current_version, last_version, value_hash, max_versions)
     values ($1, $2, 'shop-tls', 'certificate', '{}', 1, 1, '\\x00', 5)`,
    [secretId, organizationId],
  )
  await ownerPool.query(
    `insert into secret_syncs (id, organization_id, secret_id, cluster_id, namespace, name, kubernetes_type, keys, next_at)
     values ($1, $2, $3, $4, 'shop', 'soon', 'kubernetes.io/tls', '{}', now() + interval '1 day')`,
    [uuidv7(), organizationId, secretId, prod.id],
  )
  const { certificates } = await list('certificates', '?search=soon')
  expect(certificates[0]?.secret).toEqual({ id: secretId, name: 'shop-tls' })
})
