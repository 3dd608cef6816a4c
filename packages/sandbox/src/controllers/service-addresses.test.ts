import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, listAt, textAt } from '../json.ts'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

const base = '/apis/networking.k8s.io/v1'
const servicesPath = '/api/v1/namespaces/default/services'
const ready = (body: unknown) => textAt(listAt(body, 'status', 'conditions')[0], 'status')

function service(name: string, clusterIP?: string) {
  return { metadata: { name }, spec: { ports: [{ port: 80 }], ...(clusterIP ? { clusterIP } : {}) } }
}

test('every address of a service is an object as long as the service has it', async () => {
  const { body } = await sandbox.call('POST', servicesPath, service('web'))
  const path = `${base}/ipaddresses/${textAt(body, 'spec', 'clusterIP')}`
  const address = await sandbox.until(path, (one) => one['kind'] === 'IPAddress')
  const parentRef = { group: '', resource: 'services', namespace: 'default', name: 'web' }
  expect(at(address, 'spec')).toEqual({ parentRef })
  await sandbox.call('DELETE', `${servicesPath}/web`)
  await sandbox.until(path, (one) => one['code'] === 404)
})

test('a new range gives services its addresses, and stays until none is in use', async () => {
  const refused = await sandbox.call('POST', servicesPath, service('far', '10.97.0.5'))
  expect(textAt(refused.body, 'message')).toContain('the provided network does not match the current range')
  const range = { metadata: { name: 'more' }, spec: { cidrs: ['10.97.0.0/24'] } }
  await sandbox.call('POST', `${base}/servicecidrs`, range)
  await sandbox.until(`${base}/servicecidrs/more`, (body) => ready(body) === 'True')
  expect((await sandbox.call('POST', servicesPath, service('far', '10.97.0.5'))).code).toBe(201)
  await sandbox.call('DELETE', `${base}/servicecidrs/more`)
  const held = await sandbox.until(`${base}/servicecidrs/more`, (body) => ready(body) === 'False')
  expect(textAt(listAt(held, 'status', 'conditions')[0], 'reason')).toBe('Terminating')
  await sandbox.call('DELETE', `${servicesPath}/far`)
  await sandbox.until(`${base}/servicecidrs/more`, (body) => body['code'] === 404)
})

test('an address that somebody has reserved is given to no service', async () => {
  const spec = { parentRef: { group: 'example.com', resource: 'leases', name: 'mine' } }
  await sandbox.call('POST', `${base}/ipaddresses`, { metadata: { name: '10.96.7.7' }, spec })
  const reply = await sandbox.call('POST', servicesPath, service('wants', '10.96.7.7'))
  expect(textAt(reply.body, 'message')).toContain('provided IP is already allocated')
})

test.each([
  [
    'ipaddresses',
    '10.0.0',
    { parentRef: { resource: 'services', name: 'a' } },
    'valid IP address in canonical',
  ],
  ['ipaddresses', '10.0.0.1', { parentRef: { resource: 'services' } }, 'spec.parentRef.name: Required value'],
  ['servicecidrs', 'none', { cidrs: [] }, 'spec.cidrs: Required value'],
  ['servicecidrs', 'bits', { cidrs: ['10.1.1.1/24'] }, 'should be "10.1.1.0/24"'],
])('%s named %s with %j are refused', async (resource, name, spec, text) => {
  const reply = await sandbox.call('POST', `${base}/${resource}`, { metadata: { name }, spec })
  expect(reply.code).toBe(422)
  expect(JSON.stringify(reply.body).replaceAll('\\"', '"')).toContain(text)
})
