import type { DefinitionProblem } from '@bey/contract'
import { expect, test } from 'vitest'
import { readDraft } from './draft.ts'
import { localProblems, mergeProblems, problemPlace, serverProblems } from './problems.ts'

function draft(text: string) {
  const read = readDraft(text)
  if (read.unreadable) throw new Error(read.unreadable.message)
  return read.draft
}
const types = new Set(['http', 'notify', 'wait'])
const steps = (...lines: string[]) => `name: W\nsteps:\n${lines.map((line) => `  - ${line}\n`).join('')}`

test('a sound definition has no problem', () => {
  expect(localProblems(draft(steps('{ key: a, type: http }', '{ key: b, type: wait }')), types)).toEqual([])
})

test('an unknown type and an unknown need are placed, and put right by their fix', () => {
  const read = draft(steps('{ key: plan, type: htp }', '{ key: b, type: wait, needs: [paln] }'))
  const [type, need] = localProblems(read, types)
  expect(type).toMatchObject({
    step: 0,
    line: 3,
    message: 'There is no type of step "htp". Did you mean http?',
  })
  expect(need).toMatchObject({ step: 1, line: 4, path: ['steps', 1, 'needs', 0] })
  expect(need && read.text.slice(need.from, need.to)).toBe('paln')
  expect(type?.fix?.apply()).toContain('type: http')
  expect(need?.fix?.apply()).toContain('needs: [plan]')
})

test('two steps with one key, and a step without any', () => {
  const read = draft(steps('{ key: a, type: http }', '{ key: a, type: http }', '{ type: wait }'))
  const problems = localProblems(read, types)
  expect(problems.map(({ step }) => step)).toEqual([1, 2])
  expect(problems[0]?.fix?.apply()).toContain('key: a_2')
  expect(problems[1]?.fix?.apply()).toContain('key: wait')
})

test('a cycle is named, and broken by its fix', () => {
  const read = draft(steps('{ key: a, name: A, type: http, needs: [b] }', '{ key: b, name: B, type: wait }'))
  const [cycle] = localProblems(read, types)
  expect(cycle?.message).toMatch(/wait for each other, so none of them can begin/)
  expect(localProblems(draft(cycle?.fix?.apply() ?? ''), types)).toEqual([])
})

test('what the server says stands at its field, once, with its fix', () => {
  const read = draft(`name: W
steps:
  - key: back
    name: Roll back
    type: http
    config:
      url: "{{ steps.plan.output.previus }}"
`)
  const found = serverProblems(read, [
    {
      path: 'steps[0].config.url',
      stepKey: 'back',
      message: 'There is no output "previus" of Plan changes. Did you mean previous?',
      severity: 'error',
    },
    { path: 'name', stepKey: null, message: 'Another name.', severity: 'warning' },
  ])
  const merged = mergeProblems(localProblems(read, types), found)
  expect(merged).toHaveLength(2)
  const problem = merged[1]
  expect(problem && problemPlace(read, problem)).toBe('Roll back › url, line 7')
  expect(problem?.fix?.apply()).toContain('steps.plan.output.previous')
})

test('a problem of an expression is marked at its place, also in quotes and blocks of several lines', () => {
  const text = `name: a
steps:
  - key: one
    type: transform
    when: inputs.a == nobody
    config:
      quoted: "x {{ nobody }}"
      block: |
        first
        {{ nobody }}
      escaped: "\\u0041 {{ nobody }}"
`
  const read = draft(text)
  const problem = (path: string, line: number, column: number): DefinitionProblem => ({
    path,
    stepKey: 'one',
    message: 'wrong',
    severity: 'error',
    position: { offset: 0, length: 6, line, column },
  })
  const found = serverProblems(read, [
    problem('steps[0].when', 1, 13),
    problem('steps[0].config.quoted', 1, 6),
    problem('steps[0].config.block', 2, 4),
    problem('steps[0].config.escaped', 1, 6),
  ])
  expect(found.slice(0, 3).map(({ from, to }) => text.slice(from, to))).toEqual([
    'nobody',
    'nobody',
    'nobody',
  ])
  expect(found.map((each) => problemPlace(read, each))).toEqual([
    'one › when, line 5, column 23',
    'one › quoted, line 7, column 21',
    'one › block, line 10, column 12',
    // It is not written as it reads: the whole value is marked.
    'one › escaped, line 11',
  ])
})

test('a wrong name is replaced at its place, also where a longer one contains it', () => {
  const read = draft(steps('{ key: a, type: http, when: event.status == event.statu }'))
  const [problem] = serverProblems(read, [
    {
      path: 'steps[0].when',
      stepKey: 'a',
      message: 'There is no "statu" in event. Did you mean "status"?',
      severity: 'error',
      position: { offset: 22, length: 5, line: 1, column: 23 },
    },
  ])
  expect(problem?.fix?.apply()).toContain('event.status == event.status')
})
