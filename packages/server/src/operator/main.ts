// What an operator runs on the machine of the server, with its environment: backups, restores, moves and the doctor. `bey` starts it.
import { readConfig } from '../config.ts'
import { BackupStoreProblem } from '../platform/backups/backup-store-problem.ts'
import { ConfigError } from '../platform/errors.ts'
import { createLog } from '../platform/log.ts'
import '../platform/resolve-once.ts'
import type { OperatorCall } from './operator-call.ts'

type Command = { usage: string; run(call: OperatorCall): Promise<number> }

const commands: Record<string, () => Promise<Command>> = {
  backup: async () => {
    const { backupUsage, backupCommand } = await import('./backup-command.ts')
    return { usage: backupUsage, run: backupCommand }
  },
  restore: async () => {
    const { restoreUsage, restoreCommand } = await import('./restore-command.ts')
    return { usage: restoreUsage, run: restoreCommand }
  },
  'move-database': async () => {
    const { moveDatabaseUsage, moveDatabaseCommand } = await import('./move-database-command.ts')
    return { usage: moveDatabaseUsage, run: moveDatabaseCommand }
  },
  doctor: async () => {
    const { doctorUsage, doctorCommand } = await import('./doctor-command.ts')
    return { usage: doctorUsage, run: doctorCommand }
  },
  'root-key': async () => {
    const { rootKeyUsage, rootKeyCommand } = await import('./root-key-command.ts')
    return { usage: rootKeyUsage, run: rootKeyCommand }
  },
}

const interrupt = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => interrupt.abort(new ConfigError('Interrupted: nothing was finished.')))
}

const [name = '', ...args] = process.argv.slice(2)
process.exit(await run())

async function run(): Promise<number> {
  const load = commands[name]
  if (load === undefined) {
    process.stderr.write(`There is no command "${name}": ${Object.keys(commands).join(', ')}.\n`)
    return 2
  }
  try {
    const { usage, run: work } = await load()
    if (args.includes('--help')) {
      process.stdout.write(`${usage}\n`)
      return 0
    }
    return await work({
      args,
      config: readConfig(process.env),
      log: createLog({ level: 'error', write: (line) => process.stderr.write(line) }),
      out: (text) => void process.stdout.write(text),
      note: (text) => void process.stderr.write(text),
      path: process.env['PATH'],
      signal: interrupt.signal,
      now: () => new Date(),
    })
  } catch (error) {
    process.stderr.write(`${sentenceOf(error)}\n`)
    return isUsageError(error) ? 2 : 1
  }
}

function sentenceOf(error: unknown): string {
  if (error instanceof ConfigError || error instanceof BackupStoreProblem || isUsageError(error)) {
    return error.message
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function isUsageError(error: unknown): error is Error {
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')
}
