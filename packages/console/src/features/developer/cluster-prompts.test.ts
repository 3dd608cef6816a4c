import { createClient } from '@bey/client'
import { expect, test } from 'vitest'
import { createClusterPrompts } from './cluster-prompts.ts'

/** The server's answer, and a person who answers the prompt. */
function scene(status: number, body: object, answer: string | null, isSure = true) {
  const asked: string[] = []
  const client = createClient({
    getToken: () => 'token',
    getOrganizationId: () => 7,
    fetch: (input, init) => {
      asked.push(`${init?.method ?? 'GET'} ${input instanceof Request ? input.url : input.toString()}`)
      return Promise.resolve(
        new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } }),
      )
    },
  })
  const said: string[] = []
  const dialogs = {
    prompt: () => answer,
    confirm: (text?: string) => {
      said.push(String(text))
      return isSure
    },
    alert: (text?: unknown) => void said.push(String(text)),
  }
  const prompts = createClusterPrompts(dialogs, client)
  return { prompts, asked, said }
}

test.each(['', 'three', '0', ' ', null])('the answer %j silently does nothing', async (answer) => {
  const { prompts, asked, said } = scene(200, {}, answer)
  await prompts.provision()
  await prompts.remove()
  await prompts.checkStatus()
  expect(asked).toEqual([])
  expect(said).toEqual([])
})

test('provisioning tells the server’s message, or the specified words where it has none', async () => {
  const spoken = scene(202, { message: 'Provisioning of alpha started.' }, '7')
  await spoken.prompts.provision()
  expect(spoken.asked).toEqual(['POST /api/kubernetes/clusters/7/provision'])
  expect(spoken.said).toEqual(['Provisioning of alpha started.'])
  const silent = scene(202, { message: '' }, '7')
  await silent.prompts.provision()
  expect(silent.said).toEqual(['Provisioning started'])
})

test('deletion asks first, and does nothing when the answer is no', async () => {
  const sure = scene(202, {}, '7')
  await sure.prompts.remove()
  expect(sure.asked).toEqual(['POST /api/kubernetes/clusters/7/delete'])
  expect(sure.said).toEqual(['Start deletion workflow?', 'Deletion started'])
  const unsure = scene(202, {}, '7', false)
  await unsure.prompts.remove()
  expect(unsure.asked).toEqual([])
})

test('the status is shown as it came', async () => {
  const { prompts, asked, said } = scene(200, { clusterId: 7, status: 'RUNNING' }, '7')
  await prompts.checkStatus()
  expect(asked).toEqual(['GET /api/kubernetes/clusters/7/status'])
  expect(JSON.parse(said[0] ?? '')).toEqual({ clusterId: 7, status: 'RUNNING' })
})

test('each failure is shown with its cause', async () => {
  const { prompts, said } = scene(404, { detail: 'There is no cluster 7.', status: 404 }, '7')
  await prompts.provision()
  await prompts.remove()
  await prompts.checkStatus()
  expect(said).toEqual([
    'Provision failed: There is no cluster 7.',
    'Start deletion workflow?',
    'Deletion failed: There is no cluster 7.',
    'Status fetch failed: There is no cluster 7.',
  ])
})
