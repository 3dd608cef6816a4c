import { afterAll, beforeAll, expect, test } from 'vitest'
import { testSandbox, type StillSandbox } from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

test.each(['healthz', 'livez', 'readyz'])('/%s says ok, and check by check when asked', async (page) => {
  expect((await sandbox.call('GET', `/${page}`)).text).toBe('ok')
  expect((await sandbox.call('GET', `/${page}/ping`)).text).toBe('ok')
  expect((await sandbox.call('GET', `/${page}/nonsense`)).code).toBe(404)
  const { text } = await sandbox.call('GET', `/${page}?verbose`)
  expect(text).toMatch(/^\[\+\]ping ok\n\[\+\]log ok\n\[\+\]etcd ok\n/)
  expect(text.endsWith(`\n${page} check passed\n`)).toBe(true)
  expect((await sandbox.call('GET', `/${page}?verbose&exclude=etcd`)).text).toContain(
    '[+]etcd excluded: ok\n',
  )
})
