import { constants } from 'node:os'
import { spawn } from 'node:child_process'
import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import type { Call } from './hand-made.ts'

/** Opens psql on a database. The password is in its environment alone, and its reading in the audit log. */
export async function connectDatabase({ session, args, values, afterDashes }: Call): Promise<number> {
  const { client, signal, env } = session
  const [name] = args
  if (name === undefined) throw new UsageError('Name the database: bey databases connect orders')
  const id = String(await idOf(client, 'databases', name, signal))
  const { endpoint, credential, status } = await client.call('databases.get', { params: { id } }, { signal })
  if (endpoint === null || credential === null)
    throw new CommandError(`${name} takes no connections now: it is ${status}.`)
  const reason = typeof values['reason'] === 'string' ? values['reason'] : 'bey databases connect'
  const params = { id: credential.id }
  const { value } = await client.call('secrets.reveal', { params, body: { reason } }, { signal })
  const password = typeof value === 'string' ? value : value['password']
  if (password === undefined) throw new CommandError(`The secret ${credential.name} has no password.`)
  const { host, port, database, username, tls } = endpoint
  return runPsql(afterDashes, {
    ...env,
    PGHOST: host,
    PGPORT: String(port),
    PGDATABASE: database,
    PGUSER: username,
    PGPASSWORD: password,
    PGSSLMODE: tls,
    PGAPPNAME: 'bey',
  })
}

async function runPsql(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn('psql', args, { stdio: 'inherit', env })
  // psql ends its own query on Ctrl+C; this process waits for it.
  process.on('SIGINT', () => undefined)
  return new Promise((resolve, reject) => {
    child.on('error', (cause) =>
      reject(
        new CommandError(`psql cannot be started: ${cause.message}. Install the client of PostgreSQL.`, 127),
      ),
    )
    child.on('exit', (code, signal) =>
      resolve(code ?? (signal ? 128 + constants.signals[signal] : exitCodes.error)),
    )
  })
}
