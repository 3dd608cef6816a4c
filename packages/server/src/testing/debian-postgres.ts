import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import pg from 'pg'
import { vi } from 'vitest'

import { chooseAccount } from '../platform/db/embedded/account.ts'
import { freePort } from '../providers/sandbox/directory-and-port.ts'

const root = '/usr/lib/postgresql'

/** Where Debian keeps the programs of the newest PostgreSQL that is installed with `pg_dump` and `pg_restore`; undefined: nowhere. */
export const debianPostgres = (existsSync(root) ? readdirSync(root) : [])
  .toSorted((one, other) => Number(other) - Number(one))
  .map((version) => join(root, version, 'bin'))
  .find((dir) => ['initdb', 'postgres', 'pg_dump', 'pg_restore'].every((each) => existsSync(join(dir, each))))

/** A server of Debian's PostgreSQL with the superuser `postgres`, whose password is `secret`. */
export async function startDebianPostgres(bin: string) {
  const { server: account } = await chooseAccount()
  const dir = mkdtempSync(join(tmpdir(), 'bey-debian-postgres-'))
  const passwordFile = join(dir, 'password')
  writeFileSync(passwordFile, 'secret')
  if (account !== undefined) for (const each of [dir, passwordFile]) chownSync(each, account.uid, account.gid)
  const data = join(dir, 'data')
  const as = { ...account, cwd: '/', stdio: 'ignore' as const, env: { LC_ALL: 'C', TZ: 'UTC' } }
  const flags = ['-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--no-sync', '--no-instructions']
  execFileSync(join(bin, 'initdb'), [...flags, `--pwfile=${passwordFile}`, '-D', data], as)
  const port = await freePort(undefined)
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=', 'fsync=off']
  const child = spawn(join(bin, 'postgres'), ['-D', data, ...settings.flatMap((each) => ['-c', each])], as)
  const url = (database: string) => `postgresql://postgres:secret@127.0.0.1:${port}/${database}`
  const execute = async (database: string, text: string) => {
    const client = new pg.Client({ connectionString: url(database) })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return (await client.query<Record<string, unknown>>(text)).rows
    } finally {
      await client.end().catch(() => undefined)
    }
  }
  await vi.waitFor(() => execute('postgres', 'select 1'), { timeout: 60_000, interval: 100 })
  return {
    url,
    execute,
    async stop() {
      child.kill('SIGINT')
      if (child.exitCode === null) await once(child, 'exit')
      rmSync(dir, { recursive: true, force: true })
    },
  }
}
