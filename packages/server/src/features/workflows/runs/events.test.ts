import { expect, test } from 'vitest'
import type { RunFacts } from '../definition/definition.ts'
import { logEvents, runEvents, stepEvent } from './events.ts'

const id = '019a0000-0000-7000-8000-000000000001'
const run: RunFacts = {
  id: 'r',
  organizationId: 1,
  workflowId: 'w',
  workflowKey: 'k',
  subject: { type: 'workflow', id },
  input: {},
  createdBy: null,
  queuedAt: new Date(0),
}
const line = {
  stepRunId: 's1',
  stepKey: 's',
  stepName: 'S',
  attempt: 1,
  at: new Date(0),
  level: 'info' as const,
  message: '',
}

test('a subject with a UUID travels as it is', () => {
  const step = { key: 's', name: 'S', status: 'running' as const, progressPercent: 0 }
  const events = [...runEvents(run, 'running', 0, false), stepEvent(run, step), ...logEvents(run, 1, [line])]
  const subjects = events.flatMap(({ data }) => (data && 'subject' in data ? [data.subject] : []))
  expect(subjects).toEqual([run.subject, run.subject, run.subject])
})
