import { expect, test } from 'vitest'

import { checkExpression } from './check-expression.ts'
import { evaluate } from './evaluate.ts'

const variables = {
  event: { properties: { workflow_id: {}, status: {}, subject: {} } },
  list: { properties: { items: { items: { properties: { name: {}, phase: {} } } } } },
  open: {},
}
const problemsOf = (source: string) =>
  checkExpression(source, variables).map(({ message, range, severity }) => {
    const place = range && source.slice(range.start, range.end)
    return `${severity} ${place}: ${message}`
  })

test.each([
  'event.status == "failed" && event.subject.name == "x"',
  'open.anything.at[0].all',
  'list.items.filter(p, p.phase != "Running").map(p, p.name)',
  'list.items[0].name + list["items"][0]["phase"]',
  'cel.bind(first, list.items[0], first.name)',
  'open.filter(event, event.nothing)',
])('%s reads what there is', (source) => {
  expect(problemsOf(source)).toEqual([])
})

test.each([
  [
    'event.status == "x" && event.workflowId == "y"',
    'error workflowId: There is no "workflowId" in event. Did you mean "workflow_id"?',
  ],
  ['event["statu"]', 'error "statu": There is no "statu" in event. Did you mean "status"?'],
  [
    'has(event.nothing)',
    'warning nothing: There is no "nothing" in event. It has: workflow_id, status, subject.',
  ],
  [
    'event.?nothing',
    'warning nothing: There is no "nothing" in event. It has: workflow_id, status, subject.',
  ],
  ['list.items.filter(p, p.phas == "x")', 'error phas: There is no "phas" in p. Did you mean "phase"?'],
  ['list.items.filter(p, true).map(p, {"n": p.name})[0].m', undefined],
  ['list.items[0].nam', 'error nam: There is no "nam" in list.items[0]. Did you mean "name"?'],
  ['open ? list.item : 1', 'error item: There is no "item" in list. Did you mean "items"?'],
  ['open == 1 && nobody', 'error nobody: "nobody" is not known here. Known here: event, list, open.'],
  ['1 + "a"', 'error 1 + "a": '],
])('%s: the problem has its place', (source, expected) => {
  const found = problemsOf(source)
  expect(found).toHaveLength(expected === undefined ? 0 : 1)
  if (expected !== undefined) expect(found[0]?.slice(0, expected.length)).toBe(expected)
})

test('what ends too early is placed at its end', () => {
  const [problem] = checkExpression('open &&', variables)
  expect(problem?.range).toEqual({ start: 7, end: 7 })
})

test('stored expressions with the former names of fields of events keep running', () => {
  const scope = {
    event: { type: 'X', workflow_id: 'w', cluster_id: 4 },
    steps: { wait: { output: { event: { run_id: 'r' } } } },
    body: { event: { workflowId: 'of a sender' }, workflowId: 'own' },
  }
  expect(evaluate('event.workflowId + string(event.clusterId)', scope)).toBe('w4')
  expect(evaluate('has(event.workflowId) && !has(event.runId)', scope)).toBe(true)
  expect(evaluate('steps.wait.output.event.runId', scope)).toBe('r')
  // What others send is theirs.
  expect(evaluate('body.event.workflowId + body.workflowId', scope)).toBe('of a senderown')
})
