import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'

import type { DatabaseDumps, DumpProgram, DumpTarget } from '../../features/databases/provider.ts'
import { ConnectionProblem } from '../../platform/outbound/connection-problem.ts'
import type { Outbound } from '../../platform/outbound/outbound.ts'
import { findDumpPrograms } from './dump-programs.ts'
import { forwardPort } from './forwarded-port.ts'

const maxErrorBytes = 4_096

/** Where programs of PostgreSQL are looked for. */
export const programPath = (): string | undefined => process.env['PATH']

type Dumping = ChildProcessByStdio<null, Readable, Readable>

/** Dumps by the programs `pg_dump` of this machine. `binaries` says where the PostgreSQL is that Bey brings. */
export function createLocalDumps({
  outbound,
  binaries,
}: {
  outbound: Outbound
  binaries: () => Promise<{ postgres: string }>
}): DatabaseDumps {
  return {
    async programs() {
      const own = await binaries().then(
        ({ postgres }) => [dirname(postgres)],
        () => [],
      )
      return findDumpPrograms(own, programPath())
    },

    async dump(program, target, args) {
      const dir = await mkdtemp(join(tmpdir(), 'bey-dump-'))
      const forwarded = target.isOwn ? undefined : await forwardPort(outbound, target)
      const end = async () => {
        forwarded?.close()
        await rm(dir, { recursive: true, force: true })
      }
      try {
        const env = await environmentOf(target, dir, forwarded?.port ?? target.port)
        return new ProgramOutput(start(program, args, env), end)
      } catch (error) {
        await end()
        throw error
      }
    },
  }
}

function start({ file }: DumpProgram, args: readonly string[], env: NodeJS.ProcessEnv): Dumping {
  return spawn(file, [...args, '--no-password'], { env, cwd: '/', stdio: ['ignore', 'pipe', 'pipe'] })
}

/**
 * What the program is told, by its environment alone: a command line is seen by every user of the machine. Nothing of the
 * environment of Bey is passed on, and no file of its account is read.
 */
async function environmentOf(target: DumpTarget, dir: string, port: number): Promise<NodeJS.ProcessEnv> {
  const { host, databaseName, username, password, tls, caPem } = target
  const absent = join(dir, 'none')
  const isChecked = tls === 'verify-ca' || tls === 'verify-full'
  const authorities = join(dir, 'ca.pem')
  if (isChecked) {
    const given = caPem !== null && caPem.trim() !== ''
    await writeFile(authorities, given ? caPem : rootCertificates.join('\n'), { mode: 0o600 })
  }
  return {
    PATH: programPath(),
    LC_ALL: 'C',
    PGHOST: host,
    PGHOSTADDR: '127.0.0.1',
    PGPORT: String(port),
    PGDATABASE: databaseName,
    PGUSER: username,
    PGPASSWORD: password ?? '',
    PGSSLMODE: tls,
    PGSSLROOTCERT: isChecked ? authorities : absent,
    PGSSLCERT: absent,
    PGPASSFILE: absent,
    PGGSSENCMODE: 'disable',
    PGCONNECT_TIMEOUT: '10',
    PGAPPNAME: 'bey-dump',
  }
}

/**
 * The output of a program, which ends only where the program says that it is complete, and fails otherwise. To destroy it
 * ends the program.
 */
class ProgramOutput extends Readable {
  readonly #child: Dumping
  readonly #end: () => Promise<void>

  constructor(child: Dumping, end: () => Promise<void>) {
    super()
    this.#child = child
    this.#end = end
    let said = ''
    child.stderr.setEncoding('utf8')
    child.stderr.on('data', (text: string) => (said = (said + text).slice(-maxErrorBytes)))
    child.stdout.on('data', (chunk: Buffer) => {
      if (!this.push(chunk)) child.stdout.pause()
    })
    child.on('error', (cause) =>
      this.destroy(new ConnectionProblem(`pg_dump cannot be started: ${cause.message}.`, { cause })),
    )
    child.on('close', (code, signal) => {
      if (code === 0) this.push(null)
      else this.destroy(new ConnectionProblem(failureText(said, code, signal)))
    })
  }

  override _read(): void {
    this.#child.stdout.resume()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#child.kill()
    // What is left of a directory with no secret in it is removed with the temporary files of the machine.
    this.#end().catch(() => undefined)
    done(error)
  }
}

function failureText(said: string, code: number | null, signal: NodeJS.Signals | null): string {
  const words = said
    .split('\n')
    .filter((line) => /error:|detail:|hint:|fatal:/i.test(line))
    .map((line) => line.replace(/^.*?pg_dump: /, '').trim())
    .join(' ')
  const how = signal === null ? `with exit code ${code ?? 'unknown'}` : `by the signal ${signal}`
  return `pg_dump ended ${how}${words ? `: ${words.slice(0, 1_000).replace(/\.?$/, '.')}` : '.'}`
}
