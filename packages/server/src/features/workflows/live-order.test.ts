import { runMoves, stepMoves } from '@bey/contract/base/statuses'
import { expect, test, vi } from 'vitest'

import { connect, type TestSocket } from '../../platform/live/testing/live-server.ts'
import { testApp } from '../../testing/app.ts'

const app = await testApp()
const owner = await app.given.user()
const { token, organizationId } = owner
const ask = (method: string, path: string, body?: unknown) =>
  app.ask(method, path, { token, organizationId, body })

type LogData = { runId: string; log: { seq: number; message: string } }
type StepData = { runId: string; stepKey: string; stepStatus: string }

async function follow(workflowId: string): Promise<TestSocket> {
  const socket = await connect(`${app.url.replace('http', 'ws')}/ws`, owner)
  expect(await socket.follow({ kind: 'workflow', workflowId })).toMatchObject({ success: true })
  return socket
}

const logsOf = (socket: TestSocket) =>
  socket.events('WORKFLOW_LOG').map(({ data }) => (data as unknown as LogData).log.seq)

/** Whether each status may follow the one before it; the same twice is progress. */
function isLegal(statuses: readonly string[], moves: Readonly<Record<string, readonly string[]>>): boolean {
  return statuses.every((status, index) => {
    const before = statuses[index - 1]
    return before === undefined || before === status || moves[before]?.includes(status) === true
  })
}

test('messages of a run come in order, and what a lost connection missed is fetched without a gap', async () => {
  const many = (key: string) => ({
    key,
    name: key,
    type: 'script',
    config: { code: 'for (let i = 1; i <= 60; i += 1) console.log(`line ${i}`)' },
  })
  const approval = { question: 'Go on?', approvers: { allow_requester: true } }
  const { body: made, text } = await ask('POST', '/api/v1/workflows', {
    name: 'Talkative',
    state: 'active',
    steps: [many('before'), { key: 'ask', name: 'Ask', type: 'approval', config: approval }, many('after')],
  })
  const path = `/api/v1/workflows/${made.workflow?.id ?? text}`
  const first = await follow(made.workflow.id)
  const { body: started } = await ask('POST', `${path}/execute`, {})
  const runId: string = started.run.id
  await first.until(() => (logsOf(first).length >= 20 ? true : undefined))
  first.socket.terminate()
  await first.closed()

  const second = await follow(made.workflow.id)
  const { id } = await vi.waitUntil(
    async () => (await ask('GET', `/api/v1/workflows/approvals?run_id=${runId}`)).body.approvals[0],
    { timeout: 60_000, interval: 20 },
  )
  await ask('POST', `/api/v1/workflows/approvals/${id}/decide`, { decision: 'approve' })
  const runStatuses = () =>
    second
      .events('WORKFLOW_RUN_UPDATE')
      .map(({ data }) => data as unknown as { runId: string; status: string })
      .filter((each) => each.runId === runId)
      .map(({ status }) => status)
  await second.until(() => (runStatuses().at(-1) === 'completed' ? true : undefined))

  const seen = logsOf(first)
  expect(seen).toEqual(seen.map((_, index) => index + 1))
  const rest = logsOf(second)
  expect(rest).toEqual(rest.toSorted((a, b) => a - b))
  const missed: number[] = []
  let after = seen.length
  while (after < (rest[0] ?? 0) - 1) {
    const { body } = await ask('GET', `${path}/runs/${runId}/logs?after=${after}&limit=50`)
    const got = body.logs.map(({ seq }: { seq: number }) => seq).filter((seq: number) => seq < (rest[0] ?? 0))
    missed.push(...got)
    after = got.at(-1) ?? Infinity
  }
  const all = [...seen, ...missed, ...rest]
  expect(all).toEqual(all.map((_, index) => index + 1))
  const { body: end } = await ask('GET', `${path}/runs/${runId}/logs?after=${all.length}`)
  expect(end.logs).toEqual([])
  expect(all.length).toBeGreaterThanOrEqual(120)

  expect(isLegal(runStatuses(), runMoves)).toBe(true)
  const steps = second.events('WORKFLOW_STEP_UPDATE').map(({ data }) => data as unknown as StepData)
  for (const key of ['ask', 'after']) {
    const statuses = steps.filter(({ stepKey }) => stepKey === key).map(({ stepStatus }) => stepStatus)
    expect(statuses.at(-1)).toBe('succeeded')
    expect(isLegal(statuses, stepMoves)).toBe(true)
  }
})
