import { afterAll, beforeAll, expect, test } from 'vitest'
import { textAt } from '../json.ts'
import { deployment, deploymentsPath, testSandbox, type TestSandbox } from '../testing/test-sandbox.ts'

let sandbox: TestSandbox

beforeAll(async () => {
  sandbox = await testSandbox({ nodes: [] })
  await sandbox.call('POST', deploymentsPath, deployment('web'))
})
afterAll(() => sandbox.remove())

async function refusal(type: string, patch: unknown): Promise<string | undefined> {
  const headers = { 'content-type': `application/${type}+json` }
  const { code, body } = await sandbox.call('PATCH', `${deploymentsPath}/web`, patch, headers)
  expect(code).toBe(422)
  return textAt(body, 'message')
}

test.each([
  [{ spec: { replicas: 'x' } }, '"map[spec:map[replicas:x]]": unrecognized type: int32'],
  [{ spec: 1 }, '"map[spec:1]": cannot restore struct from: int64'],
  [{ metadata: { labels: 'x' } }, '"map[metadata:map[labels:x]]": cannot restore map from string'],
  [{ metadata: { finalizers: 'x' } }, '"map[metadata:map[finalizers:x]]": cannot restore slice from string'],
])('a strategic patch of the wrong type, %j, is shown', async (patch, text) => {
  expect(await refusal('strategic-merge-patch', patch)).toBe(` "" is invalid: patch: Invalid value: ${text}`)
})

test('what a merge patch of the wrong type would have made is shown', async () => {
  const text = await refusal('merge-patch', { spec: { replicas: 'x' } })
  expect(text).toMatch(/^ "" is invalid: patch: Invalid value: "\{.*\\"replicas\\":\\"x\\"/)
  expect(text).toMatch(
    /json: cannot unmarshal string into Go struct field DeploymentSpec\.spec\.replicas of type int32$/,
  )
})
