import { afterAll, beforeAll, expect, test } from 'vitest'
import { at, listAt, textAt } from '../json.ts'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
})
afterAll(() => sandbox.remove())

const base = '/apis/flowcontrol.apiserver.k8s.io/v1'
const table = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' }

async function rows(resource: string): Promise<unknown[][]> {
  const { body } = await sandbox.call('GET', `${base}/${resource}`, undefined, table)
  return listAt(body, 'rows').map((row) => listAt(row, 'cells'))
}

test('the levels and schemas that every API server has are there, and each schema finds its level', async () => {
  const levels = await rows('prioritylevelconfigurations')
  expect(levels.map((cells) => cells.slice(0, 6))).toEqual([
    ['catch-all', 'Limited', 5, '<none>', '<none>', '<none>'],
    ['exempt', 'Exempt', '<none>', '<none>', '<none>', '<none>'],
    ['global-default', 'Limited', 20, 128, 6, 50],
    ['leader-election', 'Limited', 10, 16, 4, 50],
    ['node-high', 'Limited', 40, 64, 6, 50],
    ['system', 'Limited', 30, 64, 6, 50],
    ['workload-high', 'Limited', 40, 128, 6, 50],
    ['workload-low', 'Limited', 100, 128, 6, 50],
  ])
  const schemas = await rows('flowschemas')
  expect(schemas).toHaveLength(13)
  expect(schemas.every((cells) => cells[5] === 'False')).toBe(true)
  expect(schemas.find(([name]) => name === 'probes')?.slice(1, 4)).toEqual(['exempt', 2, '<none>'])
})

test('a schema without its level says so, until there is one', async () => {
  const spec = {
    priorityLevelConfiguration: { name: 'mine' },
    rules: [
      {
        subjects: [{ kind: 'User', user: { name: 'ann' } }],
        nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/metrics'] }],
      },
    ],
  }
  const made = await sandbox.call('POST', `${base}/flowschemas`, { metadata: { name: 'ann' }, spec })
  expect(at(made.body, 'spec', 'matchingPrecedence')).toBe(1000)
  const dangling = (body: unknown) => textAt(listAt(body, 'status', 'conditions')[0], 'status')
  await sandbox.until(`${base}/flowschemas/ann`, (body) => dangling(body) === 'True')
  const level = { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } }
  const path = `${base}/prioritylevelconfigurations`
  const { body } = await sandbox.call('POST', path, { metadata: { name: 'mine' }, spec: level })
  expect(at(body, 'spec', 'limited', 'nominalConcurrencyShares')).toBe(30)
  await sandbox.until(`${base}/flowschemas/ann`, (one) => dangling(one) === 'False')
})

test('what an API server needs comes back when it is deleted', async () => {
  const path = `${base}/flowschemas/catch-all`
  const { body } = await sandbox.call('GET', path)
  await sandbox.call('DELETE', path)
  const again = await sandbox.until(path, (one) => textAt(one, 'kind') === 'FlowSchema')
  expect(textAt(again, 'metadata', 'uid')).not.toBe(textAt(body, 'metadata', 'uid'))
})

test.each([
  ['prioritylevelconfigurations', { type: 'Both' }, 'spec.type: Unsupported value: "Both"'],
  ['prioritylevelconfigurations', { type: 'Limited' }, 'spec.limited: Required value'],
  [
    'flowschemas',
    { priorityLevelConfiguration: { name: 'exempt' }, matchingPrecedence: 20_000 },
    'spec.matchingPrecedence: Invalid value: 20000: must not be greater than 10000',
  ],
])('%s with the spec %j are refused', async (resource, spec, text) => {
  const reply = await sandbox.call('POST', `${base}/${resource}`, { metadata: { name: 'wrong' }, spec })
  expect(reply.code).toBe(422)
  expect(textAt(reply.body, 'message')).toContain(text)
})
