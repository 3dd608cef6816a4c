import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { numberAt, textAt } from '../json.ts'
import {
  deployment,
  deploymentsPath,
  podsPath,
  temporaryDirectory,
  testSandbox,
  type StillSandbox,
} from '../testing/test-sandbox.ts'

const mebibyte = 1024 * 1024
const maps = '/api/v1/namespaces/default/configmaps'
const opened: StillSandbox[] = []

afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.remove()
})

async function limited(options: Parameters<typeof testSandbox>[0]) {
  const sandbox = await testSandbox({ nodes: [], ...options })
  opened.push(sandbox)
  const put = (name: string, bytes: number) =>
    sandbox.call('POST', maps, { metadata: { name }, data: { text: 'x'.repeat(bytes) } })
  const status = async (key: string) =>
    numberAt((await sandbox.call('GET', '/sandbox/v1/status')).body, key) ?? 0
  return { sandbox, put, status }
}

function diskOf(dir: string): number {
  return readdirSync(dir).reduce((sum, file) => sum + statSync(join(dir, file)).size, 0)
}

test('a client that fills a sandbox is refused with the limit, and can go on once it has deleted something', async () => {
  const { sandbox, put } = await limited({ maxStoredBytes: 4 * mebibyte })
  const codes = []
  for (let i = 0; i < 8; i++) codes.push((await put(`m${i}`, i === 0 ? 1000 : 900_000)).code)
  expect(codes).toEqual([201, 201, 201, 201, 201, 403, 403, 403])
  const refused = await put('more', 900_000)
  expect(refused).toMatchObject({ code: 403, body: { kind: 'Status', reason: 'Forbidden' } })
  expect(textAt(refused.body, 'message')).toMatch(
    /^configmaps "more" is forbidden: this sandbox stores 4 MiB at most and this would make 4\.\d MiB; delete something/,
  )
  const grown = await sandbox.call(
    'PATCH',
    `${maps}/m0`,
    { data: { text: 'x'.repeat(900_000) } },
    { 'content-type': 'application/merge-patch+json' },
  )
  expect(grown.code).toBe(403)
  const shrunk = await sandbox.call(
    'PATCH',
    `${maps}/m0`,
    { data: { text: 'x' } },
    { 'content-type': 'application/merge-patch+json' },
  )
  expect(shrunk.code).toBe(200)
  expect((await put('more', 900_000)).code).toBe(403)
  expect((await sandbox.call('DELETE', `${maps}/m1`)).code).toBe(200)
  expect((await put('more', 900_000)).code).toBe(201)
})

test('objects are counted, also those that controllers make, and what is there goes on working', async () => {
  const { status } = await limited({ nodes: [{ name: 'w', count: 1 }] })
  const maxObjects = (await status('objects')) + 30
  const { sandbox: small } = await limited({ nodes: [{ name: 'w', count: 1 }], maxObjects })
  expect((await small.call('POST', deploymentsPath, deployment('many', 100))).code).toBe(201)
  small.clock.advance(60_000)
  const { body } = await small.call('GET', podsPath)
  const pods = Array.isArray(body['items']) ? body['items'].length : 0
  expect(pods).toBeGreaterThan(0)
  expect(pods).toBeLessThan(30)
  const refused = await small.call('POST', maps, { metadata: { name: 'one-more' } })
  expect(textAt(refused.body, 'message')).toContain(`this sandbox holds ${maxObjects} objects at most`)
  expect((await small.call('DELETE', `${deploymentsPath}/many`)).code).toBe(200)
  await small.until(podsPath, (list) => Array.isArray(list['items']) && list['items'].length === 0)
  expect((await small.call('POST', maps, { metadata: { name: 'one-more' } })).code).toBe(201)
})

test('what was deleted does not stay on disk', async () => {
  const { sandbox, put, status } = await limited({})
  for (let i = 0; i < 60; i++) await put(`m${i}`, 900_000)
  expect(await status('diskBytes')).toBeGreaterThan(50 * mebibyte)
  for (let i = 0; i < 60; i++) await sandbox.call('DELETE', `${maps}/m${i}`)
  await expect.poll(() => diskOf(sandbox.dir), { timeout: 60_000 }).toBeLessThan(20 * mebibyte)
  expect(await status('storedBytes')).toBeLessThan(mebibyte)
})

test('the bytes of all objects are the same after a restart', async () => {
  const dir = temporaryDirectory()
  const first = await testSandbox({ dir, nodes: [{ name: 'w', count: 1 }] })
  await first.call('POST', maps, { metadata: { name: 'ü' }, data: {} })
  await first.call('POST', maps, { metadata: { name: 'a' }, data: { text: 'ü'.repeat(1000) } })
  await first.call('POST', maps, { metadata: { name: 'b' }, data: { text: 'ü'.repeat(1000) } })
  await first.call('DELETE', `${maps}/b`)
  first.clock.advance(30_000)
  const bytesOf = async (of: StillSandbox) =>
    numberAt((await of.call('GET', '/sandbox/v1/status')).body, 'storedBytes') ?? 0
  const before = await bytesOf(first)
  await first.stop()
  const second = await testSandbox({ dir })
  opened.push(second)
  // Heartbeats that are not written may differ by a digit.
  expect(Math.abs((await bytesOf(second)) - before)).toBeLessThan(2000)
})
