import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  deployment,
  deploymentsPath,
  podsPath,
  testSandbox,
  type StillSandbox,
} from '../testing/test-sandbox.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
})
afterAll(() => sandbox.remove())

/** Waits until the server has begun a watch. */
async function watched(): Promise<void> {
  while (!(await sandbox.call('GET', '/metrics')).text.includes('verb="WATCH"'))
    await new Promise(setImmediate)
}

test('a watch whose time is up writes nothing more: neither a bookmark of that moment nor a change', async () => {
  const watching = sandbox.call('GET', `${podsPath}?watch=1&allowWatchBookmarks=true&timeoutSeconds=300`)
  await watched()
  // The fifth bookmark falls due together with the end.
  sandbox.clock.advance(300_000)
  await sandbox.call('POST', deploymentsPath, deployment('late'))
  sandbox.clock.advance(10_000)
  const types = (await watching).text
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { type: string }).type)
  expect(types).toEqual(Array.from({ length: 5 }, () => 'BOOKMARK'))
})
