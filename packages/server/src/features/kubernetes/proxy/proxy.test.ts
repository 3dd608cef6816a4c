import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { fakeToken } from '../testing/fake-cluster.ts'
import { as, proxyPath, proxyServer } from '../testing/proxy-server.ts'
import { isProxyUrl } from './admission.ts'

const { cluster, recorded, state, port, call } = await proxyServer()

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

test('a VIEWER’s delete is refused in Kubernetes’ words, and recorded', async () => {
  const answer = await call('DELETE', `${proxyPath}/api/v1/namespaces/default/pods/web`, as('viewer'))
  expect(answer.status).toBe(403)
  expect(answer.json()).toMatchObject({
    reason: 'Forbidden',
    message:
      'pods "web" is forbidden: User "ada@example.com" cannot delete resource "pods" in API group "" in the namespace "default": the role VIEWER in this organization lacks kubernetes.write',
    details: { name: 'web', kind: 'pods' },
  })
  expect(cluster.seen).toEqual([])
  expect(recorded).toEqual([{ verb: 'delete', code: 403, resource: 'pods' }])
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

test('whoever tries to impersonate, or to reach what is not Kubernetes, is refused', async () => {
  expect((await call('GET', `${proxyPath}/api/v1/pods`, { 'impersonate-user': 'root' })).status).toBe(403)
  expect((await call('GET', `${proxyPath}/api/v1/pods`, { 'impersonate-extra-x': 'root' })).status).toBe(403)
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

test('a write that cannot be recorded is not answered as done, and a Secret is not shown', async () => {
  state.isAuditBroken = true
  const answer = await call('GET', `${proxyPath}/api/v1/namespaces/a/secrets/s`)
  expect(answer.status).toBe(503)
  expect(answer.json()).toMatchObject({ message: 'The database is down.', reason: 'ServiceUnavailable' })
})

test('a cluster that is not running yet, is down, hangs or rejects Bey is told apart in words', async () => {
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
