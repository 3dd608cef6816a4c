import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../testing/app.ts'
import { writePythonClient } from '../../testing/python-client.ts'

/** What a person writes who has the generated client only. */
const program = `
import json
import sys

from openapi_client import ApiClient, ApiException, ClustersApi, Configuration, WorkflowsApi

url, token = sys.argv[1:]
configuration = Configuration(host=url)
configuration.access_token = token
with ApiClient(configuration) as client:
    clusters = ClustersApi(client)
    workflows = WorkflowsApi(client)
    created = clusters.clusters_create({"title": "python", "provider": "sandbox"}, prefer="wait=50")
    script = {"code": "return { hello: input.name }", "input": {"name": "{{ inputs.name }}"}}
    step = {"key": "say", "name": "Say", "type": "script", "config": script}
    workflow = workflows.workflows_create({"name": "greet", "steps": [step]}).workflow
    body = {"input": {"name": "world"}}
    started = workflows.workflows_start_run(workflow.id, workflows_start_run_body=body, prefer="wait=50").run
    said = workflows.workflows_step(workflow.id, started.id, "say")
    try:
        clusters.clusters_get(2147483647)
        missing = None
    except ApiException as error:
        missing = [error.status, json.loads(error.body)["code"]]
    print(json.dumps({
        "cluster": [created.title, created.status],
        "listed": [each.title for each in clusters.clusters_list().clusters],
        "run": started.status,
        "output": said.output["result"],
        "missing": missing,
    }))
`

/** Empty where `tools/python-client.mjs` found no Java, no Python or no generator, which the sum of `npm test` says. */
const [generatorDir = '', python = ''] = (process.env['BEY_TEST_PYTHON_CLIENT'] ?? '').split('|')
const app = generatorDir === '' ? undefined : await testApp()

test.skipIf(app === undefined)(
  'a client that OpenAPI Generator writes in Python creates a cluster, runs a workflow and reads its result by an API key',
  async () => {
    if (app === undefined) throw new Error('The test was skipped.')
    const dir = await mkdtemp(join(tmpdir(), 'bey-python-'))
    onTestFinished(() => rm(dir, { recursive: true, force: true }))
    await writePythonClient(generatorDir, (await app.ask('GET', '/api/openapi.json')).text, dir, [
      'clusters',
      'workflows',
    ])
    const owner = await app.given.user({ role: 'OWNER' })
    const { token } = await app.given.apiKey(owner)
    await writeFile(join(dir, 'program.py'), program)
    const { stdout } = await promisify(execFile)(python, [join(dir, 'program.py'), app.url, token])
    expect(JSON.parse(stdout)).toEqual({
      cluster: ['python', 'RUNNING'],
      listed: ['python'],
      run: 'completed',
      output: { hello: 'world' },
      missing: [404, 'not_found'],
    })
  },
)
