import { createServer as createPlainServer } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { createAuthority, createLeaf } from '../../../platform/certificate/certificate.ts'
import { connectProxy } from '../../../testing/connect-proxy.ts'
import { importableCluster } from '../../../testing/importable.ts'
import { testApp } from '../../../testing/app.ts'

const lines: string[] = []
const app = await testApp({}, { log: (line) => lines.push(line) })
const owner = await app.given.user()
const outside = await importableCluster()
const base64 = (text: string) => Buffer.from(text).toString('base64')

type Part = Record<string, unknown>

async function tested(user: Part, cluster: Part = {}, more: Part = {}) {
  const kubeconfig = outside.kubeconfig([{ name: 'x', user, cluster }])
  const { token, organizationId } = owner
  const body = { kubeconfig, context: 'x', ...more }
  const reply = await app.ask('POST', '/api/kubernetes/import/test', { token, organizationId, body })
  expect(reply.status, reply.text).toBe(200)
  return reply.body.test
}

async function listening(server: {
  listen: (port: number, host: string, then: () => void) => unknown
  address(): unknown
  close(): unknown
}) {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return (server.address() as AddressInfo).port
}

const tls = (options: ServerOptions, html = '<!doctype html><title>Login</title>') =>
  listening(
    createServer(options, (_request, response) => response.setHeader('content-type', 'text/html').end(html)),
  )

test('an administrator’s token goes through every check', async () => {
  const found = await tested(outside.admin())
  expect(found).toMatchObject({
    state: 'reachable',
    stoppedAt: null,
    problem: null,
    version: 'v1.33.4-sandbox',
    identity: { user: 'kubernetes-admin' },
    rights: {
      summary: 'everything, cluster-admin',
      isAdmin: true,
      readsAll: true,
      impersonation: { isUsed: true },
    },
  })
  expect(found.latencyMs).toBeGreaterThan(0)
  expect(found.checks.map((each: { key: string; state: string }) => `${each.key} ${each.state}`)).toEqual([
    'name ok',
    'address ok',
    'connection ok',
    'certificate ok',
    'kubernetes ok',
    'identity ok',
    'rights ok',
    'metrics ok',
  ])
  expect(found.chain[0]).toMatchObject({ subject: 'outside sandbox', problem: null })
})

test('a client certificate is presented, and its subject is who Bey is', async () => {
  const certificate = await outside.clientCertificate('grace', ['ops'])
  await outside.bind('view', { kind: 'User', name: 'grace' })
  expect(await tested(certificate)).toMatchObject({
    state: 'reachable',
    identity: { user: 'grace', groups: ['ops', 'system:authenticated'] },
    rights: {
      summary: 'reads all but secrets; changes nothing',
      impersonation: { isUsed: false, reason: expect.stringContaining('may not impersonate') },
    },
  })
})

test('an account that is bound in namespaces learns where it may read', async () => {
  for (const name of ['shop', 'basket']) await outside.namespace(name)
  const { user, subject } = await outside.account('team', 'shop')
  await outside.bind('edit', subject, 'shop')
  const found = await tested(user)
  expect(found.rights).toMatchObject({
    summary: 'reads and changes shop; nothing cluster-wide',
    readsAll: false,
    listsNamespaces: false,
    namespaces: [{ name: 'shop', canChange: true }],
  })
  expect(found.rights.rules.length).toBeGreaterThan(0)
})

test('who may impersonate is used so only where the groups of roles are bound', async () => {
  const { user, subject } = await outside.account('bey', 'default')
  await outside.bind('cluster-admin', subject)
  expect((await tested(user)).rights.impersonation.isUsed).toBe(true)
  await outside.call('DELETE', '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/bey:editors')
  const { impersonation } = (await tested(user)).rights
  expect(impersonation).toMatchObject({ isUsed: false, reason: expect.stringContaining('binds the groups') })
  expect(impersonation.commands.join('\n')).toContain('--group=bey:editors')
})

test('impersonation of the kubeconfig is carried out, and reported where it is not allowed', async () => {
  const found = await tested({ ...outside.admin(), as: 'ada', 'as-groups': ['system:masters'] })
  expect(found).toMatchObject({
    state: 'reachable',
    identity: { user: 'ada', groups: ['system:masters', 'system:authenticated'] },
  })
  expect(found.rights.impersonation).toMatchObject({
    isUsed: false,
    reason: expect.stringContaining('as: ada'),
  })
  const { user } = await outside.account('plain', 'default')
  expect(await tested({ ...user, as: 'root' })).toMatchObject({
    stoppedAt: 'identity',
    problem: { title: 'These credentials may not act as the user that the kubeconfig names.' },
  })
})

test('an account without rights and a token that nobody issued say so', async () => {
  const { user } = await outside.account('nobody', 'default')
  expect(await tested(user)).toMatchObject({
    stoppedAt: 'rights',
    problem: { title: 'The cluster forbids everything to this identity.' },
  })
  expect(await tested({ token: 'not-a-token' })).toMatchObject({
    stoppedAt: 'identity',
    problem: {
      title: 'The cluster does not accept these credentials.',
      detail: expect.stringContaining('401'),
    },
  })
})

test('a client certificate of another authority is taken for nobody', async () => {
  const authority = await createAuthority(new Date())
  const leaf = await createLeaf(authority, ['ada'], new Date())
  const user = {
    'client-certificate-data': base64(leaf.certificatePem),
    'client-key-data': base64(leaf.keyPem),
  }
  expect(await tested(user)).toMatchObject({
    stoppedAt: 'identity',
    problem: { title: 'The cluster does not know who Bey is.' },
  })
})

test('checks that are skipped are marked, and a tls-server-name is checked instead of the host', async () => {
  const unchecked = { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true }
  expect(await tested(outside.admin(), unchecked)).toMatchObject({
    state: 'unverified',
    checks: expect.arrayContaining([{ key: 'certificate', state: 'warning', detail: 'not checked' }]),
  })
  expect((await tested(outside.admin(), { 'tls-server-name': 'kubernetes.default.svc' })).state).toBe(
    'reachable',
  )
  expect(await tested(outside.admin(), { 'tls-server-name': 'other.example.com' })).toMatchObject({
    stoppedAt: 'certificate',
    problem: {
      title: 'The server’s certificate is for another name.',
      detail: expect.stringMatching(/other\.example\.com, and the certificate is for localhost/),
    },
    chain: [{ problem: 'not for other.example.com' }, {}],
  })
})

test('an authority that is not named is shown with its fingerprint, and can be trusted by it', async () => {
  const other = await createAuthority(new Date())
  const found = await tested(outside.admin(), { 'certificate-authority-data': base64(other.certificatePem) })
  expect(found).toMatchObject({
    stoppedAt: 'certificate',
    problem: { title: 'The server’s certificate comes from an authority that the kubeconfig does not name.' },
    version: null,
    identity: null,
  })
  const { fingerprint } = found.chain.at(-1)
  const wrongCa = { 'certificate-authority-data': base64(other.certificatePem) }
  expect((await tested(outside.admin(), wrongCa, { trustedFingerprint: fingerprint })).state).toBe(
    'reachable',
  )
  expect((await tested(outside.admin(), wrongCa, { caPem: outside.caPem })).state).toBe('reachable')
  expect(
    (await tested(outside.admin(), { 'certificate-authority-data': undefined })).problem.title,
  ).toContain('this machine does not know')
})

test('expired and self-signed certificates are shown with which one it is', async () => {
  const long = new Date(Date.now() - 500 * 86_400_000)
  const authority = await createAuthority(long)
  const leaf = await createLeaf(authority, ['127.0.0.1'], long)
  const port = await tls({ key: leaf.keyPem, cert: leaf.certificatePem })
  const server = {
    server: `https://127.0.0.1:${port}`,
    'certificate-authority-data': base64(authority.certificatePem),
  }
  expect(await tested({ token: 't' }, server)).toMatchObject({
    stoppedAt: 'certificate',
    problem: { title: 'The server’s certificate has expired.' },
    chain: [{ problem: expect.stringMatching(/^expired \d/) }, { problem: null }],
  })
  const own = await createAuthority(new Date())
  const selfSigned = await tls({ key: own.keyPem, cert: own.certificatePem })
  const found = await tested(
    { token: 't' },
    { server: `https://127.0.0.1:${selfSigned}`, 'certificate-authority-data': undefined },
  )
  expect(found.problem.title).toBe('The server’s certificate signs itself.')
})

test('a web page, something without TLS, nothing at all and silence are distinguished', async () => {
  const authority = await createAuthority(new Date())
  const leaf = await createLeaf(authority, ['127.0.0.1'], new Date())
  const identity = { key: leaf.keyPem, cert: leaf.certificatePem }
  const trusted = { 'certificate-authority-data': base64(authority.certificatePem) }
  const at = (port: number) => ({ server: `https://127.0.0.1:${port}`, ...trusted })
  expect((await tested({ token: 't' }, at(await tls(identity)))).problem.title).toBe(
    'A web page answers there, not Kubernetes.',
  )
  expect((await tested({ token: 't' }, at(await tls(identity, '{"a":1}')))).problem.title).toMatch(/web page/)

  const plain = await listening(createPlainServer((_request, response) => response.end('hello')))
  expect(await tested({ token: 't' }, at(plain))).toMatchObject({
    stoppedAt: 'certificate',
    problem: { title: 'The server does not speak TLS there.' },
  })

  const gone = createSocketServer()
  const port = await listening(gone)
  await new Promise((resolve) => gone.close(resolve))
  expect(await tested({ token: 't' }, at(port))).toMatchObject({
    stoppedAt: 'connection',
    problem: { title: 'The connection was refused.' },
  })

  expect(await tested({ token: 't' }, { server: 'https://nowhere.invalid' })).toMatchObject({
    stoppedAt: 'name',
    problem: { title: expect.stringMatching(/^The name of the server/) },
  })
})

test('link-local and metadata addresses are refused whatever they look like, also through a proxy', async () => {
  const proxy = await connectProxy()
  const hosts = [
    '169.254.169.254',
    '[::ffff:169.254.169.254]',
    '[fe80::1]',
    '[64:ff9b::a9fe:a9fe]',
    '0xa9fea9fe',
    '2852039166',
  ]
  for (const host of hosts) {
    expect(await tested({ token: 't' }, { server: `https://${host}` })).toMatchObject({
      stoppedAt: 'address',
    })
    const through = await tested({ token: 't' }, { server: `https://${host}`, 'proxy-url': proxy.url })
    expect(through).toMatchObject({
      stoppedAt: 'address',
      problem: { title: 'Bey does not connect to this address.' },
    })
  }
  expect(await tested({ token: 't' }, { 'proxy-url': 'http://169.254.169.254:3128' })).toMatchObject({
    stoppedAt: 'address',
  })
  expect(proxy.opened).toEqual([])
})

test('a proxy carries the connection with its password, and one that refuses is named with its status', async () => {
  const proxy = await connectProxy()
  const url = new URL(proxy.url)
  url.username = 'ada'
  url.password = 'p w'
  expect(await tested(outside.admin(), { 'proxy-url': url.href })).toMatchObject({ state: 'reachable' })
  expect(proxy.opened[0]).toEqual({
    target: new URL(outside.url).host,
    authorization: `Basic ${Buffer.from('ada:p w').toString('base64')}`,
  })
  for (const [status, title] of [
    [407, 'The proxy asks for a password.'],
    [403, 'The proxy refuses to connect there.'],
    [502, 'The proxy could not reach the server.'],
  ] as const) {
    const refusing = await connectProxy(status)
    const found = await tested(outside.admin(), { 'proxy-url': refusing.url })
    expect(found).toMatchObject({ stoppedAt: 'connection', problem: { title } })
  }
  expect((await tested(outside.admin(), { 'proxy-url': 'http://127.0.0.1:1' })).problem.title).toMatch(
    /^The proxy does not answer/,
  )
})

test('nothing of the credentials comes back or is logged, and each test is in the trail', async () => {
  const { token, organizationId } = owner
  const secret = 'very-secret-token-value'
  const kubeconfig = outside.kubeconfig([{ name: 'x', user: { token: secret } }])
  const body = { kubeconfig, context: 'x' }
  const replies = [
    await app.ask('POST', '/api/kubernetes/import/read', { token, organizationId, body: { kubeconfig } }),
    await app.ask('POST', '/api/kubernetes/import/test', { token, organizationId, body }),
  ]
  for (const { text } of replies) expect(text).not.toContain(secret)
  expect(lines.join('\n')).not.toContain(secret)
  const rows = await app.database.asSystem('test', (db) =>
    db.execute<{ diff: unknown }>(
      `select diff from audit_entries where action = 'kubeconfig.test' and organization_id = ${organizationId}`,
    ),
  )
  expect(rows.rows.length).toBeGreaterThan(10)
  expect(JSON.stringify(rows.rows)).not.toContain(secret)
})
