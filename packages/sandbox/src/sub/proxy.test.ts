import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, listAt, plain, textAt } from '../json.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

const servicesPath = '/api/v1/namespaces/default/services'

beforeAll(async () => {
  sandbox = await testSandbox()
  const ports = [{ containerPort: 80, name: 'http' }]
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: { containers: [{ name: 'c', image: 'nginx', ports }] },
  })
  await sandbox.call('POST', servicesPath, {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ name: 'front', port: 8080, targetPort: 'http' }] },
  })
  await sandbox.call('POST', servicesPath, {
    metadata: { name: 'empty' },
    spec: { selector: { app: 'none' }, ports: [{ port: 80 }] },
  })
  await sandbox.until(`${podsPath}/web`, (body) => textAt(body, 'status', 'phase') === 'Running')
  sandbox.clock.advance(10_000)
})
afterAll(() => sandbox.remove())

test.each([
  `${podsPath}/web/proxy/`,
  `${podsPath}/web:80/proxy`,
  ...['web', 'web:8080', 'http:web:front'].map((one) => `${servicesPath}/${one}/proxy/`),
])('a program is reached through %s', async (path) => {
  const { code, text, headers } = await sandbox.call('GET', path)
  expect(code).toBe(200)
  expect(headers['content-type']).toBe('text/html')
  expect(text).toContain('Welcome to nginx!')
})

test('what the program does not have it says itself', async () => {
  const { code, text } = await sandbox.call('GET', `${servicesPath}/web/proxy/proxy/none`)
  expect(code).toBe(404)
  expect(text).toContain('404 Not Found')
})

test.each([
  [`${servicesPath}/empty/proxy/`, 503, 'no endpoints available for service "empty"'],
  [`${servicesPath}/web:99/proxy/`, 503, 'no endpoints available for service "web"'],
  [
    `${podsPath}/web:99/proxy/`,
    503,
    /^error trying to reach service: dial tcp .*:99: connect: connection refused$/,
  ],
  [`${podsPath}/https:web:80/proxy/`, 503, /tls: first record does not look like a TLS handshake$/],
  [`${podsPath}/none/proxy/`, 404, 'pods "none" not found'],
])('%s is refused', async (path, code, text) => {
  const reply = await sandbox.call('GET', path)
  expect(reply.code).toBe(code)
  expect(textAt(reply.body, 'message')).toEqual(typeof text === 'string' ? text : expect.stringMatching(text))
})

const nodePath = '/api/v1/nodes/test-worker-1'

test('a kubelet tells of its health, its pods and what they use', async () => {
  expect((await sandbox.call('GET', `${nodePath}/proxy/healthz`)).text).toBe('ok')
  const { body } = await sandbox.call('GET', `${podsPath}/web`)
  const node = `/api/v1/nodes/${textAt(body, 'spec', 'nodeName')}:10250/proxy`
  const own = await sandbox.call('GET', `${node}/pods`)
  expect(listAt(own.body, 'items').map((pod) => textAt(pod, 'metadata', 'name'))).toEqual(['web'])
  const stats = await sandbox.call('GET', `${node}/stats/summary`)
  const usage = await sandbox.call('GET', '/apis/metrics.k8s.io/v1beta1/namespaces/default/pods/web')
  const [container] = listAt(usage.body, 'containers')
  const [pod] = listAt(stats.body, 'pods')
  expect(textAt(pod, 'podRef', 'name')).toBe('web')
  expect(`${plain(at(pod, 'cpu', 'usageNanoCores'))}n`).toBe(textAt(container, 'usage', 'cpu'))
  expect((await sandbox.call('GET', `${node}/configz`)).body['kubeletconfig']).toBeDefined()
})

test('a kubelet says what the volumes of its pods hold, files that were written there among them', async () => {
  const claimsPath = '/api/v1/namespaces/default/persistentvolumeclaims'
  const claim = (name: string, annotations: Record<string, string> = {}) =>
    sandbox.call('POST', claimsPath, {
      metadata: { name, annotations },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Gi' } } },
    })
  await claim('data', { 'sandbox.bey/used': '9Gi' })
  await claim('site')
  const volume = (name: string) => ({ name, persistentVolumeClaim: { claimName: name } })
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'stateful' },
    spec: {
      containers: [
        {
          name: 'c',
          image: 'busybox',
          command: ['sh', '-c', 'seq 1 5000 > /site/numbers; sleep 3600'],
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'site', mountPath: '/site' },
          ],
        },
      ],
      volumes: [volume('data'), volume('site'), { name: 'scratch', emptyDir: {} }],
    },
  })
  const running = await sandbox.until(
    `${podsPath}/stateful`,
    (pod) => textAt(pod, 'status', 'phase') === 'Running',
  )
  const stats = async () => {
    const { body } = await sandbox.call(
      'GET',
      `/api/v1/nodes/${textAt(running, 'spec', 'nodeName')}/proxy/stats/summary`,
    )
    const pod = listAt(body, 'pods').find((one) => textAt(one, 'podRef', 'name') === 'stateful')
    return Object.fromEntries(listAt(pod, 'volume').map((one) => [textAt(one, 'name'), one]))
  }
  const found = await stats()
  const gibibyte = 2 ** 30
  expect(found['data']).toMatchObject({
    pvcRef: { name: 'data', namespace: 'default' },
    capacityBytes: 10 * gibibyte,
    usedBytes: 9 * gibibyte + 24 * 1024,
  })
  // 23,893 bytes of numbers in six blocks.
  await expect.poll(async () => at((await stats())['site'], 'usedBytes')).toBe(24 * 1024 + 4096 * 6)
  expect(at(found['scratch'], 'pvcRef')).toBeUndefined()
  expect(at(found['scratch'], 'capacityBytes')).toBeGreaterThan(0)
})

test('a kubelet that is not there answers nothing', async () => {
  expect((await sandbox.call('GET', '/api/v1/nodes/none/proxy/healthz')).code).toBe(404)
  const wrong = await sandbox.call('GET', '/api/v1/nodes/test-worker-1:99/proxy/healthz')
  expect([wrong.code, textAt(wrong.body, 'message')]).toEqual([
    503,
    expect.stringMatching(/dial tcp .*:99: connect: connection refused$/),
  ])
  expect((await sandbox.call('GET', `${nodePath}/proxy/nothing`)).code).toBe(404)
})
