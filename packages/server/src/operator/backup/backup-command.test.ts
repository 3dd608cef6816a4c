import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test, vi } from 'vitest'

import { startMain } from '../../testing/main-child.ts'
import { runOperator, startOperator } from '../../testing/operator-child.ts'
import { temporaryDirectory } from '../../testing/temporary-directory.ts'

const person = {
  name: 'Ada',
  email: 'ada@example.com',
  password: 'difference-1!',
  organizationName: 'Engines',
}
const secretKey = randomBytes(32).toString('base64')

function directory() {
  const made = temporaryDirectory()
  chmodSync(made, 0o755)
  return made
}

async function ask(url: string, method: string, path: string, body?: unknown, token?: string) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-organization-id': '1',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as Record<string, unknown> }
}

async function startServer(dataDir: string) {
  const server = await startMain({ BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: secretKey })
  const { email, password } = person
  const signIn = async () => {
    const { status, body } = await ask(server.url, 'POST', '/api/auth/login', { email, password })
    expect(status).toBe(200)
    return String(body['token'])
  }
  return { ...server, signIn }
}

const addSecret = async (url: string, token: string, name: string) =>
  (await ask(url, 'POST', '/api/secrets', { name, value: `value of ${name}` }, token)).status

test('a backup made under writes is restored elsewhere: sign-in works, and secrets open', async () => {
  const [dataDir, to] = [directory(), directory()]
  const server = await startServer(dataDir)
  const { body } = await ask(server.url, 'POST', '/api/auth/signup', person)
  const token = String(body['token'])
  expect(await addSecret(server.url, token, 'before')).toBe(201)
  const env = { BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: secretKey }
  const backup = startOperator(['backup', '--to', to, '--json'], env)
  let isOver = false
  void backup.over.then(() => (isOver = true))
  const written: string[] = []
  // As many as a page of the list shows.
  while (!isOver && written.length < 190) {
    const name = `during-${written.length}`
    if ((await addSecret(server.url, token, name)) === 201) written.push(name)
  }
  const made = await backup.over
  expect(made.notes).toBe('')
  expect(made.code).toBe(0)
  const manifest = JSON.parse(made.out) as { id: string; rootKeyFingerprint: string }
  expect(written.length).toBeGreaterThan(0)
  expect(made.out).not.toContain(secretKey)

  const into = join(directory(), 'restored')
  const restored = await runOperator(['restore', join(to, manifest.id), '--into', into, '--json'], {
    BEY_SECRET_KEY: secretKey,
  })
  expect(restored.notes).toBe('')
  expect([restored.code, JSON.parse(restored.out)]).toEqual([
    0,
    expect.objectContaining({ id: manifest.id, problems: [] }),
  ])
  const copy = await startServer(into)
  const signedIn = await copy.signIn()
  const { body: list } = await ask(copy.url, 'GET', '/api/secrets?limit=200', undefined, signedIn)
  const found = list['secrets'] as { id: string; name: string }[]
  const before = found.find(({ name }) => name === 'before')
  const path = `/api/secrets/${before?.id}/reveal`
  const { body: revealed } = await ask(copy.url, 'POST', path, { reason: 'a test' }, signedIn)
  expect(revealed['value']).toBe('value of before')
  // What was acknowledged before the moment of the backup is there, in its order and without gaps.
  const names = new Set(found.map(({ name }) => name))
  const kept = written.filter((name) => names.has(name))
  expect(kept).toEqual(written.slice(0, kept.length))
  await copy.stop()
  await server.stop()
})

test('a backup that is killed is none, holds nothing back, and the next one is made as ever', async () => {
  const [dataDir, to] = [directory(), directory()]
  const server = await startServer(dataDir)
  await ask(server.url, 'POST', '/api/auth/signup', person)
  const env = { BEY_DATA_DIR: dataDir, BEY_SECRET_KEY: secretKey }
  const backup = startOperator(['backup', '--to', to], env)
  await vi.waitFor(() => expect(readdirSync(to)).toHaveLength(1), { timeout: 60_000, interval: 1 })
  backup.kill()
  expect((await backup.over).code).toBeNull()
  const [left = ''] = readdirSync(to)
  expect(existsSync(join(to, left, 'manifest.json'))).toBe(false)
  const refused = await runOperator(['restore', to, '--into', join(directory(), 'x')], {
    BEY_SECRET_KEY: secretKey,
  })
  expect([refused.code, refused.notes]).toEqual([1, `There is no backup of Bey in ${to}.\n`])
  const again = await runOperator(['backup', '--to', to], env)
  expect([again.code, again.notes.split('\n')[0]]).toEqual([0, expect.stringMatching(/^Backed up as bey-/)])
  await server.stop()

  // Without a server the database is started for the backup, and stopped again.
  const stopped = await runOperator(['backup', '--to', to], env)
  expect(stopped.code).toBe(0)
  expect(existsSync(join(dataDir, 'bey.json'))).toBe(false)
  expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false)
})
