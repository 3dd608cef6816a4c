import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'

import { Redis } from 'ioredis'
import { createConnection } from 'mysql2/promise'

import { freePort } from '../providers/sandbox/directory-and-port.ts'

/** Programs that `npm test` installs where it can; undefined where there is none. */
const first = (...paths: (string | undefined)[]) =>
  paths.find((path) => path !== undefined && path !== '' && existsSync(path))
export const mariadbPath = first(process.env['BEY_TEST_MARIADB'], '/usr/sbin/mariadbd')
export const redisPath = first(
  process.env['BEY_TEST_REDIS'],
  '/usr/bin/valkey-check-rdb',
  '/usr/bin/redis-check-rdb',
)

type WatchedServer = { port: number; end: () => void }
type Certificate = { keyPem: string; certificatePem: string }

/** A MariaDB with the empty database `shop`; root executes over its socket. */
export async function startMariadb(certificate: Certificate): Promise<
  WatchedServer & {
    execute: (sql: string) => Promise<void>
  }
> {
  const dir = mkdtempSync(join(tmpdir(), 'bey-mariadb-'))
  const data = join(dir, 'data')
  mkdirSync(data)
  // What mariadb-install-db does; that script needs a second package.
  execFileSync(
    mariadbPath ?? '',
    ['--no-defaults', `--user=${userInfo().username}`, `--datadir=${data}`, '--bootstrap'],
    { input: bootstrapSql(), stdio: ['pipe', 'ignore', 'ignore'] },
  )
  writeFileSync(join(dir, 'key.pem'), certificate.keyPem)
  writeFileSync(join(dir, 'cert.pem'), certificate.certificatePem)
  const port = await freePort(undefined)
  const child = spawn(
    mariadbPath ?? '',
    [
      '--no-defaults',
      `--user=${userInfo().username}`,
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(dir, 'mysql.sock')}`,
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-log-at-trx-commit=0',
      '--performance-schema=ON',
      `--ssl-key=${join(dir, 'key.pem')}`,
      `--ssl-cert=${join(dir, 'cert.pem')}`,
    ],
    { stdio: 'ignore' },
  )
  const executeIn = async (database: string | undefined, sql: string) => {
    const connection = await createConnection({
      socketPath: join(dir, 'mysql.sock'),
      user: 'root',
      multipleStatements: true,
      ...(database !== undefined && { database }),
    })
    try {
      await connection.query(sql)
    } finally {
      await connection.end()
    }
  }
  await untilAnswers(child, () => executeIn(undefined, 'create database if not exists shop'))
  // Statements are counted for the database that is chosen when they are executed.
  const execute = (sql: string) => executeIn('shop', sql)
  return { port, execute, end: () => stop(child, dir) }
}

const administrator = ['--user', 'administrator', 'on', 'nopass', '~*', '+@all']

/** A Redis of its own, asked over its socket as an administrator; `tls`: it speaks TLS alone. */
export async function startRedis(
  options: readonly string[] = [],
  tls?: Certificate,
): Promise<WatchedServer & { ask: (command: string, ...args: string[]) => Promise<unknown> }> {
  const dir = mkdtempSync(join(tmpdir(), 'bey-redis-'))
  // The program looks at the name that it is called by.
  const program = join(dir, 'redis-server')
  symlinkSync(redisPath ?? '', program)
  const port = await freePort(undefined)
  const socketPath = join(dir, 'redis.sock')
  if (tls !== undefined) {
    writeFileSync(join(dir, 'key.pem'), tls.keyPem)
    writeFileSync(join(dir, 'cert.pem'), tls.certificatePem)
  }
  const listen =
    tls === undefined
      ? ['--port', String(port)]
      : [
          '--port',
          '0',
          '--tls-port',
          String(port),
          '--tls-auth-clients',
          'no',
          '--tls-key-file',
          join(dir, 'key.pem'),
          '--tls-cert-file',
          join(dir, 'cert.pem'),
        ]
  const child = spawn(
    program,
    [
      '--bind',
      '127.0.0.1',
      ...listen,
      '--unixsocket',
      socketPath,
      '--save',
      '',
      '--dir',
      dir,
      ...administrator,
      ...options,
    ],
    { stdio: 'ignore' },
  )
  const ask = async (command: string, ...args: string[]) => {
    const client = new Redis({
      path: socketPath,
      username: 'administrator',
      password: 'any',
      lazyConnect: true,
      retryStrategy: null,
    })
    client.on('error', () => undefined)
    try {
      await client.connect()
      return await client.call(command, ...args)
    } finally {
      client.disconnect()
    }
  }
  await untilAnswers(child, () => ask('PING'))
  return { port, ask, end: () => stop(child, dir) }
}

/** The tables of the system; the server reads one statement a line here. */
function bootstrapSql(): string {
  const begin = [
    'create database mysql;',
    'use mysql;',
    'set @auth_root_socket = null;',
    "set @current_hostname = 'localhost';",
  ]
  const files = ['mysql_system_tables', 'mysql_performance_tables', 'mysql_system_tables_data']
  return [...begin, ...files.map((file) => readFileSync(`/usr/share/mysql/${file}.sql`, 'utf8'))].join('\n')
}

async function untilAnswers(child: ChildProcess, ask: () => Promise<unknown>): Promise<void> {
  for (let left = 600; ; left -= 1) {
    try {
      // oxlint-disable-next-line no-await-in-loop -- asked until it answers
      await ask()
      return
    } catch (error) {
      if (left === 0 || child.exitCode !== null) throw error
      // oxlint-disable-next-line no-await-in-loop -- asked again a moment later
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    }
  }
}

function stop(child: ChildProcess, dir: string): void {
  child.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  child.kill('SIGKILL')
}
