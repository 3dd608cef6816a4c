import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { fakeToken } from '../testing/fake-cluster.ts'
import { as, proxyCaller, proxyPath, proxyServer } from '../testing/proxy-server.ts'
import { isProxyUrl } from './admission.ts'

const { cluster, recorded, refused, impersonated, callers, state, port, call } = await proxyServer()

test('a request reaches the cluster as its user, with the cluster’s token instead of the caller’s', async () => {
  const answer = await call(
    'PATCH',
    `${proxyPath}/apis/apps/v1/namespaces/a/deployments/d/scale?fieldManager=kubectl&x=%20y`,
    {
      'content-type': 'application/merge-patch+json',
      cookie: 'a=b',
      'x-organization-id': '1',
      'x-forwarded-for': '1.1.1.1',
    },
    '{"spec":{"replicas":3}}',
  )
  expect(answer.status).toBe(200)
  const [seen] = cluster.seen
  expect(seen).toMatchObject({
    method: 'PATCH',
    url: '/apis/apps/v1/namespaces/a/deployments/d/scale?fieldManager=kubectl&x=%20y',
    body: '{"spec":{"replicas":3}}',
    headers: {
      authorization: `Bearer ${fakeToken}`,
      'impersonate-user': 'ada@example.com',
      'impersonate-group': 'bey:admins',
      'content-type': 'application/merge-patch+json',
    },
  })
  for (const name of ['cookie', 'x-organization-id', 'x-forwarded-for'])
    expect(seen?.headers).not.toHaveProperty(name)
  expect(recorded).toEqual([{ verb: 'patch', code: 200, resource: 'deployments' }])
})

test('nothing of the cluster’s credentials or cookies comes back', async () => {
  const answer = await call('GET', `${proxyPath}/version`)
  expect(answer.headers).not.toHaveProperty('set-cookie')
  expect(JSON.stringify(answer.headers) + answer.text).not.toContain(fakeToken)
  expect(answer.headers['content-security-policy']).toContain('sandbox')
})

test('no token, an unknown one: 401 as a Status', async () => {
  for (const authorization of ['', 'Bearer nobody', 'Basic b3duZXI6', 'Bearer ']) {
    const answer = await call('GET', `${proxyPath}/version`, { authorization })
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject({ kind: 'Status', reason: 'Unauthorized', code: 401 })
  }
  expect(cluster.seen).toEqual([])
})

test('another cluster than the token’s, a foreign organization, no number: 404, and no request goes out', async () => {
  for (const [path, token] of [
    ['/api/kubernetes/clusters/8/proxy/version', 'owner'],
    ['/api/kubernetes/clusters/8/proxy/version', 'session'],
    ['/api/kubernetes/clusters/7x/proxy/version', 'session'],
    ['/api/kubernetes/clusters/99999999999/proxy/version', 'session'],
    [`${proxyPath}/version`, 'outsider'],
  ] as const) {
    const answer = await call('GET', path, as(token))
    expect(answer.status).toBe(404)
    expect(answer.json()).toMatchObject({ kind: 'Status', reason: 'NotFound' })
  }
  expect(cluster.seen).toEqual([])
})

test('a VIEWER’s delete is refused in Kubernetes’ words, and counted', async () => {
  const answer = await call('DELETE', `${proxyPath}/api/v1/namespaces/default/pods/web`, as('viewer'))
  expect(answer.status).toBe(403)
  expect(answer.json()).toMatchObject({
    reason: 'Forbidden',
    message:
      'pods "web" is forbidden: User "ada@example.com" cannot delete resource "pods" in API group "" in the namespace "default": the role VIEWER in this organization lacks kubernetes.delete',
    details: { name: 'web', kind: 'pods' },
  })
  expect(cluster.seen).toEqual([])
  expect(recorded).toEqual([])
  expect(refused).toEqual(['delete'])
})

test('a VIEWER may not read Secrets in any spelling, but reads the rest as a viewer', async () => {
  for (const path of [
    '/api/v1/secrets',
    '/api/v1/namespaces/a/secrets/s',
    '/api/v1/watch/secrets',
    '/api/v1/s%65crets',
  ]) {
    expect((await call('GET', proxyPath + path, as('viewer'))).status).toBe(403)
  }
  expect(cluster.seen).toEqual([])
  expect((await call('GET', `${proxyPath}/api/v1/pods`, as('viewer'))).status).toBe(200)
  expect(cluster.seen[0]?.headers['impersonate-group']).toBe('bey:viewers')
})

test('a path with tricks is refused before it goes out', async () => {
  for (const path of [
    '/api/v1/../../x',
    '/api/v1/%2e%2e/x',
    '/api/v1/namespaces/a%2f..%2fb',
    '//evil',
    '/api\\v1',
  ]) {
    expect((await call('GET', proxyPath + path)).status).toBe(400)
  }
  expect(cluster.seen).toEqual([])
})

test('anyone who tries to reach what is not Kubernetes is refused', async () => {
  expect((await call('POST', `${proxyPath}/sandbox/v1/chaos`)).status).toBe(403)
  expect((await call('OPTIONS', `${proxyPath}/api/v1/pods`)).status).toBe(405)
  expect(cluster.seen).toEqual([])
})

test('a body over 3 MB is 413, declared or not, and the cluster gets no whole request', async () => {
  const big = Buffer.alloc(3 * 1024 * 1024 + 1, 'x')
  const declared = await call('POST', `${proxyPath}/api/v1/namespaces/a/configmaps`, {}, big)
  expect(declared.status).toBe(413)
  expect(declared.json()).toMatchObject({ reason: 'RequestEntityTooLarge', code: 413 })

  const chunked = httpRequest({
    port,
    method: 'POST',
    path: `${proxyPath}/api/v1/namespaces/a/configmaps`,
    headers: as('owner'),
  })
  chunked.on('error', () => undefined)
  chunked.write(big.subarray(0, 2_000_000))
  chunked.write(big.subarray(0, 2_000_000))
  const [answer] = (await once(chunked, 'response')) as [IncomingMessage]
  expect(answer.statusCode).toBe(413)
  chunked.destroy()
  expect(cluster.seen).toEqual([])

  const largest = await call('POST', `${proxyPath}/api/v1/namespaces/a/configmaps`, {}, big.subarray(1))
  expect(largest.status).toBe(200)
})

test('a write, an exec or a read of a Secret that cannot be recorded does not reach the cluster', async () => {
  state.isAuditBroken = true
  for (const [method, path] of [
    ['POST', '/api/v1/namespaces/a/pods'],
    ['DELETE', '/api/v1/namespaces/a/pods/x'],
    ['GET', '/api/v1/namespaces/a/secrets/s'],
    ['POST', '/api/v1/namespaces/a/pods/x/exec?command=ls'],
  ] as const) {
    const answer = await call(method, proxyPath + path)
    expect(answer.status).toBe(503)
    expect(answer.json()).toMatchObject({
      kind: 'Status',
      message: 'The database is down.',
      reason: 'ServiceUnavailable',
    })
  }
  expect(cluster.seen).toEqual([])
})

test('a write is recorded before it reaches the cluster, and completed with its outcome before the answer', async () => {
  const before: unknown[] = []
  cluster.answer = (request) => {
    if (request.method === 'DELETE') before.push(...recorded.map((each) => ({ ...each })))
    return false
  }
  await call('DELETE', `${proxyPath}/api/v1/namespaces/a/pods/x`)
  expect(before).toEqual([{ verb: 'delete', code: undefined, resource: 'pods' }])
  expect(recorded).toEqual([{ verb: 'delete', code: 200, resource: 'pods' }])
})

test('a creation is recorded with the name in its body, and with the one that the cluster made up', async () => {
  const create = (body: string, type = 'application/json') =>
    call('POST', `${proxyPath}/api/v1/namespaces/a/pods`, { 'content-type': type }, body)
  await create('{"kind":"Pod","metadata":{"name":"x"}}')
  await create('kind: Pod\nmetadata: { name: y }\n', 'application/yaml')
  expect(cluster.seen.map(({ body }) => body)[0]).toBe('{"kind":"Pod","metadata":{"name":"x"}}')
  cluster.answer = (_request, response) => {
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(`{"metadata":{"name":"z-7d9k2","annotations":{"a":"${'long '.repeat(50_000)}"}}}`)
    return true
  }
  const answer = await create('{"metadata":{"generateName":"z-"}}')
  expect(answer.json()).toMatchObject({ metadata: { name: 'z-7d9k2' } })
  await create('no object')
  expect(recorded).toMatchObject([
    { code: 200, named: { kind: 'Pod', name: 'x' } },
    { code: 200, named: { kind: 'Pod', name: 'y' } },
    { code: 201, named: { generateName: 'z-' }, madeName: 'z-7d9k2' },
    { code: 201 },
  ])
  expect(recorded[3]).not.toHaveProperty('named')
})

test('answers state the limit and what is left of it', async () => {
  const { headers } = await call('GET', `${proxyPath}/version`, as('viewer'))
  expect(headers['x-ratelimit-limit']).toBe('1000')
  expect(Number(headers['x-ratelimit-remaining'])).toBeGreaterThan(900)
  expect(headers).toHaveProperty('x-ratelimit-reset')
})

test('a burst of 1,000 requests of one token is answered, and then 429 without a trace in the trail', async () => {
  const statuses: number[] = []
  // On a slow machine the allowance would be filled up again as quickly as it is used.
  state.stoppedAtMs = performance.now()
  const ask = async () => {
    const answer = await call('DELETE', `${proxyPath}/api/v1/namespaces/a/pods/x`, as('burst'))
    statuses.push(answer.status)
    if (answer.status === 429) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
  }
  callers['burst'] = proxyCaller('VIEWER', { credential: { kind: 'token', id: 'burst' } })
  await Promise.all(
    Array.from({ length: 100 }, async () => {
      while (statuses.length < 4000 && !statuses.includes(429)) await ask()
    }),
  )
  expect(statuses.filter((status) => status === 403)).toHaveLength(1000)
  expect(statuses).toContain(429)
  expect(refused).toHaveLength(statuses.filter((status) => status === 403).length)
  expect(recorded).toEqual([])
  // Others are not concerned.
  expect((await call('GET', `${proxyPath}/version`, as('member'))).status).toBe(200)
})

test('somebody else is spoken for by who may, as far as the cluster’s own rules and Bey’s role allow', async () => {
  const asked: string[] = []
  let isGranted = true
  cluster.answer = (request, response) => {
    if (request.url !== '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews') return false
    asked.push(String(request.headers['impersonate-user']))
    response.writeHead(201, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: { allowed: isGranted } }))
    return true
  }
  const get = (token: string, headers: Record<string, string>, method = 'GET') =>
    call(method, `${proxyPath}/api/v1/namespaces/a/pods/x`, { ...as(token), ...headers })
  const jane = { 'impersonate-user': 'jane', 'impersonate-group': 'developers' }

  expect((await get('owner', jane)).status).toBe(200)
  expect(cluster.seen.at(-1)?.headers).toMatchObject({
    'impersonate-user': 'jane',
    'impersonate-group': 'developers',
  })
  // One right for the user and one for the group, asked in the caller's own name.
  expect(asked).toEqual(['ada@example.com', 'ada@example.com'])
  expect(cluster.seen.slice(0, 2).map(({ body }) => JSON.parse(body).spec.resourceAttributes)).toEqual([
    { verb: 'impersonate', group: '', resource: 'users', name: 'jane' },
    { verb: 'impersonate', group: '', resource: 'groups', name: 'developers' },
  ])
  expect(impersonated).toEqual([{ user: 'jane', groups: ['developers'] }])
  expect(recorded).toMatchObject([{ verb: 'get', code: 200 }])

  const reached = () => cluster.seen.filter(({ url }) => url.startsWith('/api/v1/')).length
  const before = reached()
  for (const token of ['member', 'viewer']) {
    const answer = await get(token, jane)
    expect(answer.json()).toMatchObject({ code: 403, reason: 'Forbidden' })
    expect(answer.text).toContain('kubernetes.impersonate')
  }
  isGranted = false
  expect((await get('owner', { 'impersonate-user': 'root' })).text).toContain(
    'the cluster does not allow ada@example.com to impersonate users \\"root\\"',
  )
  const senseless: Record<string, string>[] = [
    { 'impersonate-group': 'x' },
    { 'impersonate-user': 'a', 'impersonate-what': 'x' },
  ]
  for (const headers of senseless) expect((await get('owner', headers)).status).toBe(400)
  expect(reached()).toBe(before)
})

test('a cluster that is not running yet, is down, hangs or rejects Bey is distinguished in words', async () => {
  state.status = 'CREATING'
  expect((await call('GET', `${proxyPath}/version`)).json()).toMatchObject({
    code: 503,
    message:
      'The cluster "prod" does not answer. It is creating; its Kubernetes API answers once it is running.',
  })
  state.status = 'RUNNING'
  cluster.answer = (_request, response) => {
    response.writeHead(401).end()
    return true
  }
  expect((await call('GET', `${proxyPath}/version`)).json()).toMatchObject({ code: 503 })
  cluster.answer = () => true
  expect((await call('GET', `${proxyPath}/version`)).json()).toMatchObject({
    code: 504,
    message: 'The cluster "prod" does not answer: it took too long.',
  })
  await cluster.stop()
  expect((await call('GET', `${proxyPath}/version`)).json()).toMatchObject({
    code: 503,
    message: 'The cluster "prod" does not answer: the connection was refused.',
  })
  await cluster.start()
  cluster.answer = () => false
  expect((await call('GET', `${proxyPath}/version`)).status).toBe(200)
})

test('which URLs are the proxy’s', () => {
  expect(isProxyUrl(`${proxyPath}/api/v1/pods?x=/y`)).toBe(true)
  expect(isProxyUrl(proxyPath)).toBe(true)
  expect(isProxyUrl('/api/kubernetes/clusters/7/pods')).toBe(false)
  expect(isProxyUrl('/ws?x=/api/kubernetes/clusters/7/proxy/')).toBe(false)
})

test('a cluster that came back elsewhere is found with the next request', async () => {
  expect((await call('GET', `${proxyPath}/version`)).status).toBe(200)
  const before = { ...cluster.connection }
  await cluster.stop()
  expect((await call('GET', `${proxyPath}/version`)).status).toBe(503)
  await cluster.start({ isElsewhere: true })
  expect(cluster.connection.url).not.toBe(before.url)
  expect((await call('GET', `${proxyPath}/version`)).status).toBe(200)
})
