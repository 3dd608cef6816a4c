import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listAt, numberAt, textAt } from '../json.ts'
import { execIn, type Said } from '../testing/exec-in.ts'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

const policiesPath = '/apis/networking.k8s.io/v1/namespaces/default/networkpolicies'
const kubeSystem = '/api/v1/namespaces/kube-system'

async function run(path: string, metadata: object, container: object = {}): Promise<string> {
  const { body } = await sandbox.call('POST', path, {
    metadata,
    spec: { containers: [{ name: 'a', image: 'busybox', command: ['sleep', 'infinity'], ...container }] },
  })
  const name = textAt(body, 'metadata', 'name') ?? ''
  const pod = await sandbox.until(`${path}/${name}`, (one) => textAt(one, 'status', 'phase') === 'Running')
  return textAt(pod, 'status', 'podIP') ?? ''
}

const web = { image: 'nginx', command: undefined, ports: [{ name: 'http', containerPort: 80 }] }
let webAddress = ''

beforeAll(async () => {
  sandbox = await testSandbox()
  webAddress = await run(podsPath, { name: 'web', labels: { app: 'web' } }, web)
  await run(podsPath, { name: 'shop', labels: { app: 'shop' } })
  await run(podsPath, { name: 'other', labels: { app: 'other' } }, { image: 'curlimages/curl' })
  await run(
    `${kubeSystem}/pods`,
    { name: 'dns', labels: { 'k8s-app': 'kube-dns' } },
    { image: 'coredns', command: undefined },
  )
  const service = (name: string, app: object, ports: object[]) => ({
    metadata: { name },
    spec: { selector: app, ports },
  })
  await sandbox.call(
    'POST',
    '/api/v1/namespaces/default/services',
    service('web', { app: 'web' }, [{ port: 8080, targetPort: 'http' }]),
  )
  await sandbox.call(
    'POST',
    `${kubeSystem}/services`,
    service('kube-dns', { 'k8s-app': 'kube-dns' }, [{ port: 53, protocol: 'UDP' }]),
  )
  const slices = '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices'
  await sandbox.until(slices, (body) => JSON.stringify(body).includes(webAddress))
})
afterAll(() => sandbox.remove())
beforeEach(() => sandbox.call('DELETE', policiesPath))

const exec = (pod: string, ...words: string[]): Promise<Said> => execIn(sandbox, 'default', pod, words)

async function policy(name: string, spec: object): Promise<void> {
  const { code, text } = await sandbox.call('POST', policiesPath, { metadata: { name }, spec })
  expect(code, text).toBe(201)
}

const toWeb = { podSelector: { matchLabels: { app: 'web' } } }
const fromShop = [{ from: [{ podSelector: { matchLabels: { app: 'shop' } } }], ports: [{ port: 'http' }] }]

test('nc says whether a port is open, refused or not answered, in the words of BusyBox', async () => {
  expect(await exec('shop', 'nc', '-zv', '-w', '2', 'web', '8080')).toEqual({
    out: '',
    error: expect.stringMatching(/^web \(10\.96\.\d+\.\d+:8080\) open\n$/),
    code: 0,
  })
  const refused = await exec('shop', 'nc', '-zv', webAddress, '81')
  expect([refused.code, refused.error]).toEqual([
    1,
    `nc: ${webAddress} (${webAddress}:81): Connection refused\n`,
  ])
  await policy('closed', toWeb)
  const closed = await exec('shop', 'nc', '-zvw', '2', webAddress, '80')
  expect([closed.code, closed.error]).toEqual([
    1,
    `nc: ${webAddress} (${webAddress}:80): Connection timed out\n`,
  ])
  // Whether a program listens there or not, what is dropped is never answered.
  expect((await exec('shop', 'nc', '-zv', webAddress, '81')).error).toContain('Connection timed out')
  expect((await exec('shop', 'nc', '-z', webAddress, '80')).error).toBe('')
})

test('curl and wget time out where a policy drops them, and pass where a rule lets them', async () => {
  await policy('web', { ...toWeb, ingress: fromShop })
  expect((await exec('shop', 'wget', '-qO-', 'http://web:8080/')).code).toBe(0)
  const curl = await exec('other', 'curl', '-s', '-S', '--connect-timeout', '2', 'http://web:8080/')
  expect([curl.code, curl.error]).toEqual([28, 'curl: (28) Connection timed out after 2001 milliseconds\n'])
  const wget = await exec('other', 'wget', '-T', '2', '-O-', 'http://web:8080/')
  expect([wget.code, wget.error]).toMatchObject([1, expect.stringContaining('wget: download timed out')])
})

test('a change of a policy holds for the next connection', async () => {
  const open = async () => (await exec('shop', 'nc', '-z', webAddress, '80')).code === 0
  expect(await open()).toBe(true)
  await policy('closed', toWeb)
  expect(await open()).toBe(false)
  await sandbox.call(
    'PATCH',
    `${policiesPath}/closed`,
    { spec: { ingress: fromShop } },
    { 'content-type': 'application/merge-patch+json' },
  )
  expect(await open()).toBe(true)
  await sandbox.call('DELETE', `${policiesPath}/closed`)
  expect(await open()).toBe(true)
})

test('without a way to the DNS no name resolves, and addresses go on', async () => {
  const ports = [{ port: 80 }]
  await policy('egress', {
    podSelector: { matchLabels: { app: 'shop' } },
    policyTypes: ['Egress'],
    egress: [{ ports }],
  })
  const nc = await exec('shop', 'nc', '-zv', 'web', '8080')
  expect([nc.code, nc.error]).toEqual([1, "nc: bad address 'web'\n"])
  const look = await exec('shop', 'nslookup', 'web')
  expect([look.code, look.out]).toEqual([1, ';; connection timed out; no servers could be reached\n\n'])
  expect((await exec('shop', 'nc', '-z', webAddress, '80')).code).toBe(0)
  await policy('dns', {
    podSelector: {},
    policyTypes: ['Egress'],
    egress: [
      {
        to: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } }],
        ports: [{ protocol: 'UDP', port: 53 }],
      },
    ],
  })
  expect((await exec('shop', 'nslookup', 'web')).code).toBe(0)
  expect((await exec('shop', 'nc', '-z', 'web', '8080')).code).toBe(0)
})

test('a pod reaches itself, and a pod in the network of its node is let through by that node alone', async () => {
  await policy('closed', { podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
  expect((await exec('web', 'nc', '-z', 'localhost', '80')).code).toBe(0)
  expect((await exec('web', 'nc', '-z', webAddress, '80')).code).toBe(0)
  const { body } = await sandbox.call('GET', `${podsPath}/web`)
  const home = textAt(body, 'spec', 'nodeName') ?? ''
  const nodes = listAt((await sandbox.call('GET', '/api/v1/nodes')).body, 'items').map(
    (one) => textAt(one, 'metadata', 'name') ?? '',
  )
  const away = nodes.find((name) => name !== home) ?? ''
  for (const [name, nodeName] of [
    ['near', home],
    ['far', away],
  ] as const)
    await sandbox.call('POST', podsPath, {
      metadata: { name },
      spec: {
        hostNetwork: true,
        nodeName,
        tolerations: [{ operator: 'Exists' }],
        containers: [{ name: 'a', image: 'busybox', command: ['sleep', 'infinity'] }],
      },
    })
  for (const name of ['near', 'far'])
    await sandbox.until(`${podsPath}/${name}`, (one) => textAt(one, 'status', 'phase') === 'Running')
  expect((await exec('near', 'nc', '-z', webAddress, '80')).code).toBe(0)
  expect((await exec('far', 'nc', '-z', webAddress, '80')).code).toBe(1)
})

test('an exec probe that connects obeys the policies', async () => {
  await policy('closed', toWeb)
  const readinessProbe = { exec: { command: ['nc', '-z', '-w', '1', webAddress, '80'] }, periodSeconds: 1 }
  const isReady = (one: unknown) =>
    JSON.stringify(one).includes('"type":"Ready","status":"True"') ||
    /"type":"Ready"[^}]*"status":"True"|"status":"True"[^}]*"type":"Ready"/.test(JSON.stringify(one))
  await run(podsPath, { name: 'probed', labels: { app: 'probed' } }, { readinessProbe })
  sandbox.clock.advance(10_000)
  expect(isReady((await sandbox.call('GET', `${podsPath}/probed`)).body)).toBe(false)
  await sandbox.call('DELETE', `${policiesPath}/closed`)
  await sandbox.until(`${podsPath}/probed`, isReady)
})

test('a program whose connections are dropped waits for each as long as it says', async () => {
  await policy('closed', toWeb)
  const script = `nc -z -w 5 ${webAddress} 80; echo "ended $?"; sleep 600`
  await run(podsPath, { name: 'waiting' }, { command: ['sh', '-c', script] })
  const log = async () => (await sandbox.call('GET', `${podsPath}/waiting/log`)).text
  expect(await log()).toBe('')
  sandbox.clock.advance(8_000)
  expect(await log()).toBe('ended 1\n')
})

test('flows are counted with their verdicts, for the admin token alone', async () => {
  const path = '/sandbox/v1/flows'
  const at = textAt((await sandbox.call('GET', path)).body, 'at') ?? ''
  await run(podsPath, { name: 'counted' })
  await exec('counted', 'nc', '-z', 'web', '8080')
  await exec('counted', 'nc', '-z', 'web', '8080')
  await exec('counted', 'nc', '-z', webAddress, '80')
  await policy('closed', toWeb)
  await exec('counted', 'nc', '-z', webAddress, '80')
  const { body, code } = await sandbox.call('GET', `${path}?after=${at}`)
  expect(code).toBe(200)
  const flows = listAt(body, 'flows').filter((one) => textAt(one, 'from', 'pod') === 'counted')
  const web80 = flows.filter((one) => numberAt(one, 'port') === 80)
  expect(web80).toHaveLength(3)
  const from = {
    namespace: 'default',
    pod: 'counted',
    workload: { kind: 'Pod', name: 'counted' },
    ip: expect.any(String),
  }
  const target = { namespace: 'default', pod: 'web', workload: { kind: 'Pod', name: 'web' }, ip: webAddress }
  expect(web80[0]).toMatchObject({
    from,
    to: { ...target, service: { namespace: 'default', name: 'web' } },
    protocol: 'TCP',
    verdict: 'FORWARDED',
    count: 2,
  })
  expect(web80[2]).toMatchObject({
    from,
    to: target,
    verdict: 'DROPPED',
    droppedAt: 'INGRESS',
    count: 1,
  })
  expect(flows.filter((one) => numberAt(one, 'port') === 53)).toHaveLength(1)
  expect((await sandbox.call('GET', `${path}?after=yesterday`)).code).toBe(400)
  expect((await sandbox.call('GET', path, undefined, { authorization: 'Bearer other' })).code).toBe(401)
})
