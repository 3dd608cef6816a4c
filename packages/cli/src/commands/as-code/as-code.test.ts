import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { run } from '../../run.ts'
import { pipedTerminal } from '../../testing/piped-terminal.ts'

type Answer = { status: number; body: unknown }

// Answers plans and applies as a test says; that a real server does is tested in e2e/cli.e2e.ts.
let plan: unknown = { changes: [], problems: [] }
let applies: Answer[] = []
let applied: string[] = []
const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const isPlan = request.url === '/api/as-code/plan'
    if (!isPlan) applied.push((JSON.parse(text) as { name: string }).name)
    const { status, body } = isPlan ? { status: 200, body: plan } : (applies.shift() ?? done)
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
})
const done: Answer = { status: 200, body: { shownOnce: null } }
const home = mkdtempSync(join(tmpdir(), 'bey-as-code-'))
let url = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
beforeEach(() => {
  applies = []
  applied = []
})
afterAll(() => {
  server.close()
  rmSync(home, { recursive: true })
})

async function bey(args: string[], input = '', signal = new AbortController().signal) {
  const { terminal, written } = pipedTerminal(input)
  const env = { HOME: home, BEY_URL: url, BEY_TOKEN: 'token', BEY_ORGANIZATION: '1' }
  const code = await run(args, { env, terminal, signal })
  return { code, ...written }
}

const change = (name: string, action = 'create', needs: string | null = null) => ({
  document: 0,
  kind: 'board',
  name,
  action,
  differences: [],
  revision: 'absent',
  needs,
})

test('every error has its file and line, those of YAML beside those of the server', async () => {
  const dir = join(home, 'faulty')
  mkdirSync(join(dir, 'deeper'), { recursive: true })
  writeFileSync(
    join(dir, 'a.yaml'),
    'kind: board\nname: one\nspec: {}\n---\nkind: alert\nname: two\nspec:\n  forMs: 1\n  severity: loud\n',
  )
  writeFileSync(join(dir, 'deeper/b.yml'), 'kind: board\nname: [\n')
  writeFileSync(join(dir, 'notes.txt'), 'not read')
  plan = {
    changes: [],
    problems: [
      { document: 1, path: 'spec.severity', message: 'There is no such severity.' },
      { document: 1, path: 'spec.expr', message: 'Enter an expression.' },
    ],
  }
  const { code, notes } = await bey(['apply', '-f', dir])
  expect([code, applied]).toEqual([1, []])
  const lines = notes.trimEnd().split('\n')
  expect(lines).toEqual([
    // What is missing is said where its parent begins.
    expect.stringMatching(/a\.yaml:7: spec\.expr: Enter an expression\.$/),
    expect.stringMatching(/a\.yaml:9: spec\.severity: There is no such severity\.$/),
    expect.stringMatching(/deeper\/b\.yml:\d: /),
    'Nothing was applied: 3 errors in 2 documents.',
  ])
})

const one = 'kind: board\nname: one\nspec: {}\n'

test('what is refused in the middle says what was applied, and what was not', async () => {
  plan = { changes: [change('one'), change('two'), change('three')], problems: [] }
  const problem = {
    title: 'Conflict',
    status: 409,
    code: 'conflict',
    detail: 'The board "two" was changed.',
    requestId: 'r-1',
  }
  applies = [done, { status: 409, body: problem }]
  const { code, notes } = await bey(['apply', '-f', '-'], one)
  expect([code, applied]).toEqual([1, ['one', 'two']])
  expect(notes).toContain('The board "two" was changed.')
  expect(notes).toContain(
    'Applied (1 of 3):\n  create board one\nRefused:\n  create board two\nNot applied:\n  create board three',
  )
})

test('Ctrl+C before the first change applies nothing, and says so', async () => {
  plan = { changes: [change('one')], problems: [] }
  const interrupt = new AbortController()
  const running = bey(['apply', '-f', '-'], one, interrupt.signal)
  interrupt.abort()
  expect((await running).code).toBe(130)
  expect(applied).toEqual([])
})

test('a difference ends diff with 8, a deletion needs --yes, and a new secret its value', async () => {
  plan = { changes: [change('one', 'none')], problems: [] }
  expect(await bey(['diff', '-f', '-'], one)).toMatchObject({
    code: 0,
    out: 'Everything is as the files say: 1 unchanged.\n',
  })
  plan = { changes: [{ ...change('old', 'delete'), document: null }], problems: [] }
  expect(await bey(['apply', '--check', '-f', '-'], one)).toMatchObject({ code: 8 })
  const asked = await bey(['apply', '-f', '-', '--label', 'set=a', '--prune'], one)
  expect([asked.code, asked.notes, applied]).toEqual([2, expect.stringContaining('Add --yes'), []])
  expect((await bey(['apply', '-f', '-', '--label', 'set=a', '--prune', '--yes'], one)).code).toBe(0)
  applied = []
  plan = { changes: [change('db', 'create', 'value')], problems: [] }
  const secret = await bey(['apply', '-f', '-'], one)
  expect([secret.code, secret.notes, applied]).toEqual([2, expect.stringContaining('--value db=@file'), []])
  expect((await bey(['apply', '-f', '-', '--prune'], one)).code).toBe(2)
  expect((await bey(['apply', '-f', join(home, 'missing.yaml')])).code).toBe(2)
})
