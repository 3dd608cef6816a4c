import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'

// The real process, real signals and a real pipe; the server answers when a test lets it.
const count = 50
const program = join(import.meta.dirname, '../bin/bey.mjs')
const home = mkdtempSync(join(tmpdir(), 'bey-interrupt-'))
const soonMs = 60_000

type Asked = { path: string; name: string; answer(body: object, headers?: Record<string, string>): void }
let asked: Asked[] = []
let onAsked: (request: Asked) => void = () => undefined
const server = createServer((request, response: ServerResponse) => {
  let text = ''
  request.on('data', (chunk: Buffer) => (text += chunk.toString()))
  request.on('end', () => {
    const { name = '' } = (text === '' ? {} : JSON.parse(text)) as { name?: string }
    const each: Asked = {
      path: request.url ?? '',
      name,
      answer(body, headers = {}) {
        response.writeHead(200, { 'content-type': 'application/json', ...headers })
        response.end(JSON.stringify(body))
      },
    }
    asked.push(each)
    onAsked(each)
  })
})
let url = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const board = (index: number) => `kind: board\nname: board-${index}\nspec: {}\n`
  writeFileSync(
    join(home, 'boards.yaml'),
    Array.from({ length: count }, (_each, index) => board(index)).join('---\n'),
  )
})
beforeEach(() => {
  asked = []
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(home, { recursive: true })
})

function bey(...args: string[]) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    BEY_URL: url,
    BEY_TOKEN: 'token',
    BEY_ORGANIZATION: '1',
  }
  const child = spawn(process.execPath, [program, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  const written = { out: '', notes: '' }
  child.stdout.on('data', (chunk: Buffer) => void (written.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => void (written.notes += chunk.toString()))
  const ended = new Promise<{ code: number | null; out: string; notes: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, ...written })),
  )
  return { child, written, ended }
}

const changes = Array.from({ length: count }, (_each, index) => ({
  document: index,
  kind: 'board',
  name: `board-${index}`,
  action: 'create',
  differences: [],
  revision: 'absent',
  needs: null,
}))
const applied = () => asked.filter(({ path }) => path === '/api/as-code/apply').map(({ name }) => name)

test('Ctrl+C in the middle of an apply of fifty finishes the change under way and says what is done', async () => {
  const atFifth = Promise.withResolvers<Asked>()
  onAsked = (request) => {
    if (request.path === '/api/as-code/plan') request.answer({ changes, problems: [] })
    else if (request.name === 'board-4') atFifth.resolve(request)
    else request.answer({ shownOnce: null })
  }
  const apply = bey('apply', '-f', join(home, 'boards.yaml'))
  const fifth = await atFifth.promise
  apply.child.kill('SIGINT')
  await vi.waitUntil(() => apply.written.notes.includes('is finished first'), { timeout: soonMs })
  fifth.answer({ shownOnce: null })
  const { code, notes } = await apply.ended
  expect(code).toBe(130)
  expect(applied()).toEqual(['board-0', 'board-1', 'board-2', 'board-3', 'board-4'])
  expect(notes).toContain('Applied (5 of 50):\n  create board board-0\n')
  expect(notes).toContain('  create board board-4\nNot applied:\n  create board board-5\n')
  expect(notes).toMatch(/board-49\nRun the same command again: it goes on with what is left\.\n$/)
})

test('a second Ctrl+C ends it at once, and a reader that leaves does not end the changes', async () => {
  const underWay = Promise.withResolvers<void>()
  onAsked = (request) => {
    if (request.path === '/api/as-code/plan') request.answer({ changes, problems: [] })
    else underWay.resolve()
  }
  const impatient = bey('apply', '-f', join(home, 'boards.yaml'))
  await underWay.promise
  impatient.child.kill('SIGINT')
  await vi.waitUntil(() => impatient.written.notes.includes('Ctrl+C again'), { timeout: soonMs })
  impatient.child.kill('SIGINT')
  expect((await impatient.ended).code).toBe(130)

  asked = []
  onAsked = (request) => request.answer(request.name === '' ? { changes, problems: [] } : { shownOnce: null })
  const unread = bey('apply', '-f', join(home, 'boards.yaml'))
  unread.child.stdout.destroy()
  const { notes } = await unread.ended
  expect([applied().length, notes]).toEqual([count, ''])
})

test('Ctrl+C ends the wait for what was begun, and says that it goes on', async () => {
  const run = { id: 'r-1', workflowId: 'w-1', workflowName: 'greet', status: 'running', finishedAt: null }
  const isFollowed = Promise.withResolvers<void>()
  onAsked = (request) => {
    if (request.path.endsWith('/execute')) return request.answer({ run })
    isFollowed.resolve()
    return request.answer({ run: { ...run, progressPercent: 10 }, steps: [] })
  }
  const id = '0198c0de-0000-7000-8000-000000000001'
  const waiting = bey('runs', 'start', id, '--wait')
  await isFollowed.promise
  waiting.child.kill('SIGINT')
  const { code, notes } = await waiting.ended
  expect(code).toBe(130)
  expect(notes).toContain('The run goes on at the server. Follow it again: bey runs watch w-1 r-1')
})

test('a server of another version is named once, with what to do, beside a reply that stays as it is', async () => {
  for (const [served, text] of [
    ['99.0.0', /^bey \S+ is older than the server, which is 99\.0\.0\. Download the program again from /],
    ['0.0.1', /^bey \S+ is newer than the server, which is 0\.0\.1: /],
  ] as const) {
    onAsked = (request) => request.answer({ organizations: [], total: 0 }, { 'x-bey-version': served })
    const { code, out, notes } = await bey('api', 'GET', '/api/organizations').ended
    expect([code, JSON.parse(out)]).toEqual([0, { organizations: [], total: 0 }])
    expect(notes).toMatch(text)
    expect(notes.trimEnd().split('\n')).toHaveLength(1)
    expect(notes).toContain('/workspaces/settings/cli')
  }
})
