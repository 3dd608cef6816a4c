import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { listAt, numberAt, textAt } from '../json.ts'
import { deployment, deploymentsPath, testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox
const maps = '/api/v1/namespaces/default/configmaps'

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
  for (const name of ['a', 'b', 'c', 'd'])
    await sandbox.call('POST', maps, { metadata: { name, labels: { own: 'yes' } }, data: { was: 'first' } })
})
afterAll(() => sandbox.remove())

test('how much is left of a list is said where all is listed, not where some is selected', async () => {
  const all = await sandbox.call('GET', `${maps}?limit=2`)
  const total = listAt((await sandbox.call('GET', maps)).body, 'items').length
  expect(numberAt(all.body, 'metadata', 'remainingItemCount')).toBe(total - 2)
  const some = await sandbox.call('GET', `${maps}?limit=2&labelSelector=own%3Dyes`)
  expect(textAt(some.body, 'metadata', 'continue')).toBeDefined()
  expect(some.text).not.toContain('remainingItemCount')
})

test('a list at exactly one revision shows what was there then', async () => {
  const then = textAt((await sandbox.call('GET', maps)).body, 'metadata', 'resourceVersion')
  const merge = { 'content-type': 'application/merge-patch+json' }
  await sandbox.call('PATCH', `${maps}/a`, { data: { was: 'second' } }, merge)
  await sandbox.call('DELETE', `${maps}/b`)
  await sandbox.call('POST', maps, { metadata: { name: 'e', labels: { own: 'yes' } } })
  const query = `resourceVersion=${then}&resourceVersionMatch=Exact&labelSelector=own%3Dyes`
  const { body } = await sandbox.call('GET', `${maps}?${query}`)
  expect(textAt(body, 'metadata', 'resourceVersion')).toBe(then)
  expect(
    listAt(body, 'items').map((one) => `${textAt(one, 'metadata', 'name')} ${textAt(one, 'data', 'was')}`),
  ).toEqual(['a first', 'b first', 'c first', 'd first'])
  const zero = await sandbox.call('GET', `${maps}?resourceVersion=0&resourceVersionMatch=Exact`)
  expect(zero.code).toBe(422)
  expect(textAt(zero.body, 'message')).toContain('"Exact" is forbidden for resourceVersion "0"')
})

test('what a body says twice is refused where asked to be strict, and else warned of', async () => {
  const json = `{"metadata":{"name":"twice"},"data":{"a":"1","a":"2"},"data":{"b":"x:\\"{"},"extra":1}`
  const strict = await sandbox.call('POST', `${maps}?fieldValidation=Strict&dryRun=All`, json)
  expect(strict.code).toBe(400)
  expect(textAt(strict.body, 'message')).toBe(
    'ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: duplicate field "data.a", duplicate field "data", unknown field "extra"',
  )
  const warned = await sandbox.call('POST', `${maps}?dryRun=All`, json)
  expect(warned.code).toBe(201)
  expect(warned.headers['warning']).toContain('duplicate field')
  const nested = JSON.stringify(deployment('d')).replace('"name":"main"', '"name":"x","name":"main"')
  const inList = await sandbox.call('POST', `${deploymentsPath}?fieldValidation=Strict`, nested)
  expect(textAt(inList.body, 'message')).toContain('duplicate field "spec.template.spec.containers[0].name"')
  const yaml = 'metadata:\n  name: twice\ndata:\n  a: "1"\n  a: "2"\n'
  const type = { 'content-type': 'application/yaml' }
  const refused = await sandbox.call('POST', `${maps}?fieldValidation=Strict`, yaml, type)
  expect(textAt(refused.body, 'message')).toContain(
    'strict decoding error: yaml: unmarshal errors:\n  line 5: key "a" already set in map',
  )
  const last = await sandbox.call('POST', `${maps}?fieldValidation=Ignore&dryRun=All`, yaml, type)
  expect(textAt(last.body, 'data', 'a')).toBe('2')
})

test('anyone who accepts YAML first gets YAML, of objects, lists and refusals', async () => {
  const accept = { accept: 'application/yaml, application/json' }
  const one = await sandbox.call('GET', `${maps}/c`, undefined, accept)
  expect(one.headers['content-type']).toBe('application/yaml')
  expect(one.text).toMatch(/^apiVersion: v1\ndata:\n {2}was: first\nkind: ConfigMap\nmetadata:\n/)
  const list = await sandbox.call('GET', maps, undefined, accept)
  expect(listAt(parse(list.text), 'items').length).toBeGreaterThan(3)
  const none = await sandbox.call('GET', `${maps}/none`, undefined, accept)
  expect(none.code).toBe(404)
  expect(textAt(parse(none.text), 'reason')).toBe('NotFound')
  const json = await sandbox.call('GET', `${maps}/c`, undefined, {
    accept: 'application/json, application/yaml',
  })
  expect(json.headers['content-type']).toBe('application/json')
})
