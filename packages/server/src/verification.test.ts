import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { linkAudit } from './platform/audit/linker.ts'
import { fingerprintOf } from './platform/crypto/root-key.ts'
import { testApp } from './testing/app.ts'
import { testDatabaseUrl } from './testing/database.ts'
import { verifyEverything } from './verification.ts'

const databaseUrl = await testDatabaseUrl()
const secretKey = randomBytes(32)
const app = await testApp({ databaseUrl, secretKey })
const { given, database } = app
const rootKey = { key: secretKey, fingerprint: fingerprintOf(secretKey) }

const command = fileURLToPath(new URL('../../../tools/verify.ts', import.meta.url))
/** The command as an operator runs it while the server works. */
function verify(key: Buffer): Promise<{ code: number; output: string }> {
  const env = {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: databaseUrl,
    BEY_SECRET_KEY: key.toString('base64'),
    BEY_DATA_DIR: tmpdir(),
  }
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [command], { env }, (_error, stdout, stderr) =>
      resolve({ code: child.exitCode ?? -1, output: `${stdout}${stderr}` }),
    )
  })
}

const value = `canary-${randomBytes(8).toString('hex')}`
async function stored(name: string) {
  const { token, organizationId } = await given.user({ role: 'OWNER' })
  const reply = await app.ask('POST', '/api/secrets', { token, organizationId, body: { name, value } })
  expect(reply.status, reply.text).toBe(201)
  return { organizationId, id: String(reply.body.id) }
}

test('the command says what it opened, names what does not open and which key it needs, and gives no value', async () => {
  const [good, bad] = [await stored('whole'), await stored('damaged')]
  await linkAudit(database)
  const whole = await verify(secretKey)
  expect(whole.output).toContain(`(${good.organizationId}): 1 of 1 values opened.`)
  expect(whole.output).toContain('Everything opens, and every audit chain holds.')
  expect(whole.code).toBe(0)

  await database.ownerPool.query(
    'update secret_versions set sealed = set_byte(sealed, 40, get_byte(sealed, 40) # 1) where secret_id = $1',
    [bad.id],
  )
  const damaged = await verify(secretKey)
  expect(damaged.output).toContain(`(${bad.organizationId}): "damaged", version 1, does not open.`)
  expect(damaged.output).toContain(`(${good.organizationId}): 1 of 1 values opened.`)
  expect(damaged.code).toBe(1)

  const wrong = await verify(randomBytes(32))
  expect(wrong.output).toContain(`which was made with ${rootKey.fingerprint}`)
  expect(wrong.output.trim().split('\n')).toHaveLength(1)
  expect(wrong.code).toBe(2)

  for (const { output } of [whole, damaged, wrong]) expect(output).not.toContain(value)
  const { rows } = await database.ownerPool.query<{ outcome: string }>(
    `select outcome from audit_entries where action = 'secrets.verify' and organization_id = $1 order by at`,
    [bad.organizationId],
  )
  expect(rows.map(({ outcome }) => outcome)).toEqual(['success', 'failure'])
})

test('a changed entry of the audit log is found', async () => {
  const { organizationId } = await stored('watched')
  await linkAudit(database)
  const client = await database.ownerPool.connect()
  try {
    // As somebody with the rights of the database itself.
    await client.query('begin')
    await client.query('alter table audit_entries disable trigger user')
    await client.query(
      `update audit_entries set actor_display = 'Somebody else' where organization_id = $1 and action = 'secret.create'`,
      [organizationId],
    )
    await client.query('alter table audit_entries enable trigger user')
    await client.query('commit')
  } finally {
    client.release()
  }
  const lines: string[] = []
  expect(await verifyEverything(database, rootKey, (line) => lines.push(line))).toBe(false)
  expect(lines.some((line) => line.includes(`(${organizationId}): the audit chain is broken at entry`))).toBe(
    true,
  )
  expect(lines.at(-1)).toBe('Something does not hold: see above.')
})
