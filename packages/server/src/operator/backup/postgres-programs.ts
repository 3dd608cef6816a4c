import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

import pg from 'pg'

import { chooseProgram } from '../../features/databases/dumps/choose-program.ts'
import { ConfigError } from '../../platform/errors.ts'
import { findDumpPrograms } from '../../providers/databases/dump-programs.ts'

/** The programs of PostgreSQL on this machine that fit a server. Throws ConfigError with the way out where none does. */
export async function findPrograms(serverVersion: string, path: string | undefined) {
  const chosen = chooseProgram(await findDumpPrograms([], path), serverVersion)
  if ('refusal' in chosen) throw new ConfigError(chosen.refusal)
  const dump = chosen.program.file
  const restore = join(dirname(dump), 'pg_restore')
  if (!existsSync(restore)) throw new ConfigError(`There is no pg_restore beside ${dump}.`)
  return { dump, restore }
}

/** How a program reaches a database: by its environment alone, for a command line is seen by every user of the machine. */
export function programEnvironment(databaseUrl: string, path: string | undefined): NodeJS.ProcessEnv {
  const { host, port, user, password, database } = new pg.Client({ connectionString: databaseUrl })
  const sslMode = new URL(databaseUrl).searchParams.get('sslmode')
  return {
    PATH: path,
    LC_ALL: 'C',
    PGHOST: host,
    PGPORT: String(port),
    PGUSER: user,
    PGPASSWORD: typeof password === 'string' ? password : '',
    PGDATABASE: database,
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: 'bey-instance-backup',
    ...(sslMode !== null && { PGSSLMODE: sslMode }),
  }
}

/** Starts a program; `ended` throws ConfigError with what it said where it did not end well. */
export function startProgram(file: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(file, [...args, '--no-password'], { env, cwd: '/', stdio: ['pipe', 'pipe', 'pipe'] })
  return { child, ended: endOf(child, file) }
}

async function endOf(child: ChildProcess, file: string): Promise<void> {
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said = (said + text).slice(-2_000)))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  if (code === 0) return
  throw new ConfigError(`${file} failed: ${said.trim() === '' ? `exit code ${code}` : said.trim()}`)
}
