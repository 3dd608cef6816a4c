import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import openapiTypescript, { astToString } from 'openapi-typescript'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const packageDir = fileURLToPath(new URL('../../../', import.meta.url))
const tsc = fileURLToPath(new URL('../../../../../node_modules/.bin/tsc', import.meta.url))
const run = promisify(execFile)

/** What somebody writes who knows the document only. */
const program = `
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const baseUrl: string = process.argv[2] ?? ''
const anonymous = createClient<paths>({ baseUrl })
const signedUp = await anonymous.POST('/api/auth/signup', {
  body: { name: 'Ada', email: 'ada@generated.example', password: 'difference-1!', organizationName: 'Engines' },
})
if (!signedUp.data) throw new Error(signedUp.error.detail)
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + signedUp.data.token } })

const created = await client.POST('/api/kubernetes/clusters', {
  params: { header: { 'Idempotency-Key': 'generated-1' } },
  body: { title: 'generated', provider: 'sandbox' },
})
if (!created.data?.lastRun) throw new Error(created.error?.detail ?? 'No run')
const { workflowId, runId } = created.data.lastRun

const listed = await client.GET('/api/v1/workflows/runs', { params: { query: { limit: 10 } } })
if (!listed.data) throw new Error(listed.error.detail)
const read = await client.GET('/api/v1/workflows/{id}/runs/{runId}', {
  params: { path: { id: workflowId, runId } },
})
if (!read.data) throw new Error(read.error.detail)
const settings = await client.GET('/api/settings')
const hue: number | undefined = settings.data?.theme.baseColor[0]
process.stdout.write(JSON.stringify({
  listed: listed.data.runs.map((each) => each.id),
  asked: runId,
  read: read.data.run.id,
  steps: read.data.steps.length,
  hue,
}))
`

test('a client generated from the document signs up, creates a cluster, lists runs and reads one', async () => {
  const dir = await mkdtemp(join(packageDir, '.openapi-client-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const document = (await app.ask('GET', '/api/openapi.json')).text
  await writeFile(join(dir, 'schema.ts'), astToString(await openapiTypescript(document)))
  await writeFile(join(dir, 'program.ts'), program)
  const options = ['--strict', '--noEmit', '--allowImportingTsExtensions', '--skipLibCheck', '--ignoreConfig']
  await run(
    tsc,
    [...options, '--module', 'nodenext', '--target', 'esnext', '--types', 'node', 'program.ts'],
    { cwd: dir },
  ).catch((error: { stdout: string }) => expect.fail(error.stdout))
  const { stdout } = await run(process.execPath, [join(dir, 'program.ts'), app.url])
  const answered = JSON.parse(stdout) as Record<string, unknown>
  expect(answered).toEqual({
    listed: [answered['asked']],
    asked: expect.any(String),
    read: answered['asked'],
    steps: 5,
    hue: expect.any(Number),
  })
})
