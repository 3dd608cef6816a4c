import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { testDatabase } from '../../testing/database.ts'
import { createGiven } from '../../testing/given.ts'
import { type MailServer, startMailServer } from '../../testing/mail-server.ts'
import { realClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { openMail } from './mail.ts'
import { operatorFileName } from './operator-file.ts'
import { enqueueMail } from './outbox.ts'
import { mailRetryDelayMs } from './sender.ts'
import type { MailSettings } from './settings.ts'

const database = await testDatabase()
const { id: organizationId } = await createGiven(database).organization()
const dataDir = await mkdtemp(join(tmpdir(), 'bey-mail-'))
afterAll(() => rm(dataDir, { recursive: true }))

let server: MailServer
const lines: string[] = []

beforeEach(async () => {
  server = await startMailServer()
  lines.length = 0
})
afterEach(async () => {
  await server.stop()
  await database.asSystem('test', (db) => db.execute('delete from mail_outbox'))
})

/** A sender, or several, that stop with their test. `nowMs` is how far ahead its clock is. */
function send(settings: MailSettings | undefined, aheadMs = 0) {
  const clock = { ...realClock, now: () => new Date(Date.now() + aheadMs) }
  const log = createLog({ level: 'debug', write: (line) => lines.push(line) })
  const mail = openMail({ database, settings: async () => settings, dataDir, clock, log })
  onTestFinished(() => mail.stop())
  return mail
}

const letter = { to: 'ada@example.com', subject: 'Hello', text: 'See https://bey.example/secret-link' }
const enqueue = (values = {}) =>
  database.withTenant(organizationId, (db) => enqueueMail(db, { ...letter, ...values }))

type Row = { outcome: string | null; text: string; attempts: number; last_error: string | null }

async function row(id: string): Promise<Row> {
  const { rows } = await database.ownerPool.query<Row>('select * from mail_outbox where id = $1', [id])
  return rows[0]!
}
const ended = (id: string) =>
  vi.waitFor(async () => expect((await row(id)).outcome).not.toBeNull(), { timeout: 60_000, interval: 20 })

test('a mail is sent when its transaction commits, and its text is forgotten', async () => {
  const rollback = database.withTenant(organizationId, async (db) => {
    await enqueueMail(db, { ...letter, subject: 'Never' })
    throw new Error('changed my mind')
  })
  await expect(rollback).rejects.toThrow('changed my mind')
  const id = await enqueue({ to: 'a,b@example.com', subject: 'Grüße\r\nBcc: eve@example.com' })
  const mail = send(server.settings)
  expect(await mail.isMailConfigured()).toBe(true)
  await ended(id)
  expect(await row(id)).toMatchObject({ outcome: 'sent', text: '', attempts: 1 })
  expect(server.mails).toHaveLength(1)
  expect(server.mails[0]).toMatchObject({ from: 'bey@example.com', to: ['"a,b"@example.com'] })
  expect(server.mails[0]?.source).toContain('See https://bey.example/secret-link')
  expect(server.mails[0]?.source).toContain(`Message-ID: <${id}@bey>`)
  expect(server.mails[0]?.source).not.toMatch(/^Bcc:/m)
  expect(lines.join('')).not.toContain('secret-link')
})

test('several senders share the work, and none sends a mail twice', async () => {
  const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => enqueue({ subject: `Number ${n}` })))
  for (const _ of [1, 2, 3]) send(server.settings)
  for (const id of ids) await ended(id)
  const subjects = server.mails.map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1])
  expect(new Set(subjects).size).toBe(30)
  expect(server.mails).toHaveLength(30)
})

test('a server that is away is tried again later, and a mail is given up after a day', async () => {
  const id = await enqueue()
  await server.stop()
  const first = send(server.settings)
  const attempts = (count: number) =>
    vi.waitFor(async () => {
      const { attempts, last_error } = await row(id)
      expect({ attempts, failed: last_error !== null }).toEqual({ attempts: count, failed: true })
    }, 60_000)
  await attempts(1)
  await first.stop()
  expect(await row(id)).toMatchObject({ outcome: null, text: letter.text })
  send(server.settings, 24 * 3_600_000)
  await ended(id)
  expect(await row(id)).toMatchObject({ outcome: 'failed', text: '', attempts: 2 })
  expect([1, 2, 3, 20].map(mailRetryDelayMs)).toEqual([10_000, 20_000, 40_000, 3_600_000])
})

test('a recipient that the mail server refuses is given up at once', async () => {
  server.refuse('nobody@example.com')
  const id = await enqueue({ to: 'nobody@example.com' })
  send(server.settings)
  await ended(id)
  expect(await row(id)).toMatchObject({ outcome: 'failed', attempts: 1 })
  expect((await row(id)).last_error).toContain('No such mailbox')
})

test('without SMTP a reset link waits in a file of the operator, and the rest is dropped', async () => {
  const reset = await enqueue({ subject: 'Reset your password', withoutSmtp: 'file' })
  const other = await enqueue()
  const mail = send(undefined)
  expect(await mail.isMailConfigured()).toBe(false)
  await ended(reset)
  await ended(other)
  expect([(await row(reset)).outcome, (await row(other)).outcome]).toEqual(['filed', 'dropped'])
  const path = join(dataDir, operatorFileName)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  const text = await readFile(path, 'utf8')
  expect(text).toContain(`To: ada@example.com\nSubject: Reset your password\n\n${letter.text}`)
  expect(text).not.toContain('Subject: Hello')
  expect(lines.join('')).toContain('A mail waits in the data directory')
  expect(lines.join('')).not.toContain('secret-link')
})
