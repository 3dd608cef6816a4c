import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { audit } from '../../platform/audit/audit.ts'
import { testApp } from '../../testing/app.ts'

const { ask, given, database } = await testApp()
const verifier = fileURLToPath(new URL('../../../../console/public/verify-audit.mjs', import.meta.url))
const directory = await mkdtemp(join(tmpdir(), 'bey-proof-'))
afterAll(() => rm(directory, { recursive: true }))

let lines: string[] = []
let key = ''

/** What the program says of a file of these lines, started as an auditor starts it. */
async function verify(text: readonly string[], ...args: string[]): Promise<{ code: number; output: string }> {
  const path = join(directory, 'audit.proof.jsonl')
  await writeFile(path, `${text.join('\n')}\n`)
  return new Promise((resolve) => {
    execFile(process.execPath, [verifier, path, ...args], (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr }),
    )
  })
}

beforeAll(async () => {
  const { token, organizationId } = await given.user()
  await database.withTenant(organizationId, async (db) => {
    for (let n = 1; n <= 40; n += 1) {
      await audit(db, {
        organizationId,
        actor: { type: 'user', id: n % 2, name: 'Ada', email: 'ada@example.com' },
        via: n % 3 === 0 ? 'console' : 'api',
        action: `step.${n}`,
        class: 'update',
        target: { type: 'secret', id: 's', name: 'größe "x"' },
        outcome: n % 5 === 0 ? 'denied' : 'success',
        ip: '10.8.0.14',
        diff: { ratio: [0.5, 1e21, -3], at: null, b: { aa: 1, a: 'ü' } },
      })
    }
  })
  const path = '/api/audit/export?format=proof&actor=1&search=step'
  const reply = await ask('POST', path, { token, organizationId })
  expect(reply.headers.get('content-disposition')).toMatch(/audit-.*\.proof\.jsonl/)
  lines = reply.text.trim().split('\n')
  key = (JSON.parse(lines[0] ?? '') as { publicKeys: { id: string }[] }).publicKeys[0]?.id ?? ''
})

const withKind = (kind: string) => lines.findIndex((each) => each.includes(`"kind":"${kind}"`))
const changed = (index: number, from: string, to: string) => {
  expect(lines[index]).toContain(from)
  return lines.with(index, (lines[index] ?? '').replace(from, to))
}

test('a part of the log is verified without the server, with the entries that match and the links of the rest', async () => {
  const { code, output } = await verify(lines)
  expect([code, output]).toEqual([0, expect.stringMatching(/^PROVED: 20 entries of organization \d+/)])
  expect(lines.filter((each) => each.includes('"kind":"link"')).length).toBeGreaterThanOrEqual(19)
  expect((await verify(lines, '--key', key)).code).toBe(0)
})

test.each([
  ['what an entry says is changed', () => changed(withKind('entry'), 'ada@example.com', 'eve@example.com')],
  [
    'an entry and its text are changed',
    () => lines.with(1, (lines[1] ?? '').replaceAll('ada@example.com', 'eve@example.com')),
  ],
  ['a value of the diff is changed', () => changed(withKind('entry'), '"ratio":[0.5', '"ratio":[0.6')],
  ['an outcome is changed', () => changed(withKind('entry'), '"outcome":"success"', '"outcome":"denied"')],
  ['a line is taken out', () => lines.toSpliced(3, 1)],
  [
    'an entry is hidden behind its link',
    () => {
      const { proof, number } = JSON.parse(lines[1] ?? '') as { number: number; proof: { text?: string } }
      delete proof.text
      return lines.with(1, JSON.stringify({ kind: 'link', number, proof }))
    },
  ],
  ['two lines change places', () => lines.with(2, lines[3] ?? '').with(3, lines[2] ?? '')],
  ['the checkpoint is taken out', () => lines.toSpliced(withKind('checkpoint'), 1)],
  ['the checkpoint names another time', () => changed(withKind('checkpoint'), '"at":"20', '"at":"21')],
  ['the signature is another', () => changed(withKind('checkpoint'), '"signature":"', '"signature":"AAAA')],
])('a file in which %s is not proved', async (_what, tampered) => {
  const { code, output } = await verify(tampered())
  expect([code, output]).toEqual([1, expect.stringContaining('NOT PROVED')])
})

test('a file that was signed anew does not pass for who knows the key', async () => {
  const { code, output } = await verify(lines, '--key', '0123456789abcdef')
  expect([code, output]).toEqual([1, expect.stringContaining('is not accepted')])
})
