import { expect, test } from 'vitest'

import { hashToken, newToken } from './crypto/token.ts'
import { AppError } from './errors.ts'
import { createLog } from './log.ts'
import { redactLine, redactValue } from './redact.ts'
import { harmlessNames, redactedTexts, secretNames } from '../../../contract/src/testing/redact-cases.ts'

const canary = 'CANARY-c0ffee-DO-NOT-LOG'

function written(work: (log: ReturnType<typeof createLog>) => void, isPretty = false): string {
  let text = ''
  work(createLog({ level: 'trace', isPretty, write: (line) => (text += line) }))
  expect(text).not.toBe('')
  return text
}

test.each(secretNames)('a value called %s is never written, at any depth', (name) => {
  for (const isPretty of [false, true]) {
    const text = written((log) => {
      log.info({ [name]: canary }, 'top')
      log.info({ a: { b: [{ c: { [name]: canary, d: { [name]: [canary] } } }] } }, 'deep')
      log.child({ [name]: canary }).info('child')
      log.error({ err: new AppError('conflict', 'Stop.', { details: { [name]: canary } }) }, 'error')
      log.error(Object.assign(new Error('x'), { config: { [name]: canary } }), 'error with a field')
    }, isPretty)
    expect(text).not.toContain(canary)
  }
})

test('what looks like a credential is removed from texts as well', () => {
  const token = newToken('bey_session')
  const text = written((log) => {
    log.info(`asked with ${token}`)
    log.info({ url: `/x?next=${token}`, header: `Bearer ${canary}` }, 'fields')
    log.error(new Error('connect postgres://bey:hunter2-CANARY@db/bey failed'))
    log.info({ note: `-----BEGIN PRIVATE KEY-----\n${canary}\n-----END PRIVATE KEY-----` }, 'pem')
    log.info(`jwt eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${canary}`)
    log.info({ hash: hashToken(token) }, 'bytes')
  })
  for (const secret of [token, 'CANARY', hashToken(token).toString('hex')]) expect(text).not.toContain(secret)
  expect(text).toContain('@db/bey')
  expect(text).toContain('[32 bytes]')
})

test('the parameters of a failed statement are not written', () => {
  const driver = Object.assign(
    new Error('duplicate key value violates unique constraint "users_email_key"'),
    {
      code: '23505',
      constraint: 'users_email_key',
      detail: `Key (email)=(${canary}) already exists.`,
    },
  )
  const failed = new Error(`Failed query: insert into users values ($1, $2)\nparams: ada,${canary}`, {
    cause: driver,
  })
  const text = written((log) => log.error({ err: failed }, 'failed'))
  expect(text).not.toContain(canary)
  expect(text).toContain('users_email_key')
  expect(text).toContain('insert into users')
})

test('what is harmless stays readable', () => {
  const text = written((log) => log.info({ tokenId: 'abc', userId: 7, at: new Date(0), list: [1] }, 'Hello'))
  expect(JSON.parse(text)).toMatchObject({
    level: 'info',
    msg: 'Hello',
    tokenId: 'abc',
    userId: 7,
    at: '1970-01-01T00:00:00.000Z',
    list: [1],
  })
})

test('circles and depths end', () => {
  const circle: Record<string, unknown> = { name: 'round' }
  circle['self'] = circle
  let deep: Record<string, unknown> = { password: canary }
  for (let n = 0; n < 50; n += 1) deep = { deep }
  const text = written((log) => log.info({ circle, deep }, 'odd'))
  expect(text).toContain('[circular]')
  expect(text).not.toContain(canary)
})

test('on a terminal each entry is one readable line, and an error follows with its cause', () => {
  const text = written((log) => {
    log.warn({ address: 'http://localhost:8080' }, 'Listening')
    log.error({ err: new Error('outer', { cause: new Error('inner') }) }, 'Broken')
  }, true)
  const [first] = text.split('\n')
  expect(first).toMatch(/^\d\d:\d\d:\d\d WARNING +Listening address=http:\/\/localhost:8080$/)
  expect(text).toContain('Error: outer')
  expect(text).toContain('Caused by: Error: inner')
})

test('lines below the level are not written', () => {
  let text = ''
  const log = createLog({ level: 'warning', write: (line) => (text += line) })
  log.info('quiet')
  expect(text).toBe('')
  log.warn('loud')
  expect(text).toContain('"level":"warning"')
})

test.each(harmlessNames)('a value called %s is written', (name) => {
  expect(redactValue({ [name]: 'worth seeing' })).toEqual({ [name]: 'worth seeing' })
})

test.each(redactedTexts)('a line with %s that was redacted stays as it is', (text) => {
  const once = redactLine(JSON.stringify({ msg: text, token: 'abc' }))
  expect(redactLine(once)).toBe(once)
  expect(JSON.parse(once)).toMatchObject({ token: '[redacted]' })
})
