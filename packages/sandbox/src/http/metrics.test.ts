import { get } from 'node:https'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { podsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

async function figures(): Promise<Map<string, number>> {
  const { text, headers } = await sandbox.call('GET', '/metrics')
  expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8')
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  for (const line of samples) expect(line).toMatch(/^[a-z_]+(\{([a-z_]+="[^"]*",?)+\})? -?[\d.e+-]+$/)
  return new Map(samples.map((line) => [line.replace(/ [^ ]+$/, ''), Number(line.split(' ').at(-1))]))
}

const requests = (verb: string, scope: string, code: number) =>
  `apiserver_request_total{component="apiserver",group="",resource="pods",scope="${scope}",subresource="",verb="${verb}",version="v1",code="${code}"}`
const watches =
  'apiserver_longrunning_requests{component="apiserver",group="",resource="pods",scope="namespace",subresource="",verb="WATCH",version="v1"}'

test('requests are counted by verb, kind and code, and objects by kind', async () => {
  const before = await figures()
  await sandbox.call('GET', podsPath)
  await sandbox.call('GET', `${podsPath}/nobody`)
  await sandbox.call('GET', `${podsPath}/nobody`)
  const pod = { metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'nginx' }] } }
  await sandbox.call('POST', podsPath, pod)
  await sandbox.call('GET', '/apis/made.up/v1/guesses')
  const after = await figures()
  const grown = (name: string) => (after.get(name) ?? 0) - (before.get(name) ?? 0)
  expect(grown(requests('LIST', 'namespace', 200))).toBe(1)
  expect(grown(requests('GET', 'resource', 404))).toBe(2)
  expect(grown(requests('POST', 'namespace', 201))).toBe(1)
  expect(grown('apiserver_storage_objects{resource="pods"}')).toBe(1)
  expect([...after.keys()].filter((name) => name.includes('guesses'))).toEqual([])
  expect(after.get('up')).toBe(1)
  expect(after.get('process_resident_memory_bytes')).toBeGreaterThan(1e6)
})

test('a watch is counted while it lasts', async () => {
  expect((await figures()).get(watches) ?? 0).toBe(0)
  const sent = get(new URL(`${podsPath}?watch=1`, sandbox.url), {
    ca: sandbox.caPem,
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
  })
  await new Promise((done) => sent.once('response', done))
  expect((await figures()).get(watches)).toBe(1)
  sent.on('error', () => undefined).destroy()
  await expect.poll(async () => (await figures()).get(watches)).toBe(0)
})

test('who has no right to them is shown no figures', async () => {
  expect((await sandbox.call('GET', '/metrics', undefined, { 'impersonate-user': 'jane' })).code).toBe(403)
  const monitor = { 'impersonate-user': 'prometheus', 'impersonate-group': 'system:monitoring' }
  expect((await sandbox.call('GET', '/metrics', undefined, monitor)).code).toBe(200)
})

test('the components are healthy, and asking for them is out of date', async () => {
  const { headers, text } = await sandbox.call('GET', '/api/v1/componentstatuses', undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  })
  expect(headers['warning']).toBe('299 - "v1 ComponentStatus is deprecated in v1.19+"')
  expect(JSON.parse(text)).toMatchObject({
    columnDefinitions: [{ name: 'Name' }, { name: 'Status' }, { name: 'Message' }, { name: 'Error' }],
    rows: [
      { cells: ['controller-manager', 'Healthy', 'ok', ''] },
      { cells: ['etcd-0', 'Healthy', 'ok', ''] },
      { cells: ['scheduler', 'Healthy', 'ok', ''] },
    ],
  })
  const { body } = await sandbox.call('GET', '/api/v1/componentstatuses/scheduler')
  expect(body).toMatchObject({ kind: 'ComponentStatus', conditions: [{ type: 'Healthy', status: 'True' }] })
  expect((await sandbox.call('GET', '/api/v1/componentstatuses/other')).code).toBe(404)
  expect((await sandbox.call('DELETE', '/api/v1/componentstatuses/scheduler')).code).toBe(405)
})
