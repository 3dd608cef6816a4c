import { spawn } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { formatOf, printReply } from '../output/print.ts'
import type { Call } from './hand-made.ts'

const program = 'packages/server/src/operator/main.ts'

/**
 * Runs a command of the operator. Unlike others it asks no server: it acts on the data of the instance, on its machine and with
 * the environment of the server, and works when no server does.
 */
export async function runAsOperator(
  name: 'backup' | 'restore' | 'move-database' | 'doctor' | 'root-key',
  call: Call,
): Promise<number> {
  const { session, args, values } = call
  const { env, flags, terminal } = session
  const home = env['BEY_HOME'] === undefined ? findHome() : resolve(env['BEY_HOME'])
  if (home === undefined || !existsSync(join(home, program)))
    throw new UsageError(
      `bey ${name} acts on the data of a server and needs the program of the server beside it. Run it on that machine, and set BEY_HOME to the directory that Bey was started from.`,
    )
  const isTable = formatOf(flags) === 'table'
  const given = Object.entries(values).flatMap(([flag, value]) =>
    value === true ? [`--${flag}`] : [`--${flag}`, String(value)],
  )
  const { code, out } = await run(
    home,
    [name, ...args, ...given, ...(isTable ? [] : ['--json'])],
    env,
    isTable,
  )
  if (isTable || out === '') return code
  printReply(terminal, JSON.parse(out), flags, { columns: [] })
  return code
}

/** The directory of Bey that this program is part of; undefined for a program that was downloaded alone. */
function findHome(): string | undefined {
  let dir = dirname(realpathSync(process.argv[1] ?? process.execPath))
  for (;;) {
    if (existsSync(join(dir, program))) return dir
    const above = dirname(dir)
    if (above === dir) return undefined
    dir = above
  }
}

async function run(home: string, args: readonly string[], env: Call['session']['env'], isShown: boolean) {
  const own = join(home, 'node_modules/.bin/node')
  const node = existsSync(own) ? own : 'node'
  const child = spawn(node, ['--disable-warning=ExperimentalWarning', join(home, program), ...args], {
    env: { ...env },
    stdio: ['ignore', isShown ? 'inherit' : 'pipe', 'inherit'],
    // In a session of its own it can give way to the server's.
    detached: true,
  })
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => void child.kill(name))
  let out = ''
  child.stdout?.setEncoding('utf8')
  child.stdout?.on('data', (text: string) => (out += text))
  return new Promise<{ code: number; out: string }>((done, reject) => {
    child.on('error', (cause) =>
      reject(new CommandError(`The program of the server cannot be run: ${cause.message}`)),
    )
    child.on('close', (code, signal) =>
      done({ code: code ?? (signal ? 128 + constants.signals[signal] : exitCodes.error), out }),
    )
  })
}
