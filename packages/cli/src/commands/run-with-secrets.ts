import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { idOf } from '../names.ts'
import { printReply } from '../output/print.ts'
import type { Session } from '../session.ts'
import type { Call } from './hand-made.ts'

/** Runs a program with secrets in its environment, and ends with its exit code. */
export async function runWithSecrets({ session, values, afterDashes, args }: Call): Promise<number> {
  const asked = Array.isArray(values['env']) ? values['env'].map(String) : []
  const [command, ...rest] = afterDashes
  if (command === undefined || asked.length === 0 || args.length > 0)
    throw new UsageError('Name secrets and a command: bey secrets run --env db-password -- ./import')
  const reason =
    typeof values['reason'] === 'string' ? values['reason'] : `bey secrets run -- ${command}`.slice(0, 200)
  const secrets: Record<string, string> = {}
  // One after the other, so that the first that is refused leaves no read of the others in the audit log.
  for (const each of asked) Object.assign(secrets, await variablesOf(session, each, reason))
  const code = await runChild(command, rest, { ...session.env, ...secrets })
  const { flags } = session
  if (flags.json !== undefined)
    printReply(session.terminal, { command, variables: Object.keys(secrets), exitCode: code }, flags, {
      columns: [],
    })
  return code
}

/** The variables of one `--env`: one, or one a field of a secret that has several. */
async function variablesOf(session: Session, text: string, reason: string): Promise<Record<string, string>> {
  const equals = text.indexOf('=')
  const name = equals === -1 ? text : text.slice(equals + 1)
  const variable = equals === -1 ? name.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase() : text.slice(0, equals)
  if (!/^[A-Za-z_]\w*$/.test(variable))
    throw new UsageError(`"${variable}" cannot be the name of a variable. Write --env NAME=${name}.`)
  const { client, signal } = session
  const id = String(await idOf(client, 'secrets', name, signal))
  const { value, encoding } = await client.call(
    'secrets.reveal',
    { params: { id }, body: { reason } },
    { signal },
  )
  const decode = (part: string) =>
    encoding === 'base64' ? Buffer.from(part, 'base64').toString('utf8') : part
  if (typeof value === 'string') return { [variable]: decode(value) }
  return Object.fromEntries(
    Object.entries(value).map(([field, part]) => [
      `${variable}_${field.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase()}`,
      decode(part),
    ]),
  )
}

async function runChild(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(command, args, { stdio: 'inherit', env })
  // The terminal sends Ctrl+C to both; what only this process gets is passed on.
  const passOn = (name: NodeJS.Signals) => void child.kill(name)
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, passOn)
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => {
      const isMissing = 'code' in cause && cause.code === 'ENOENT'
      reject(
        new CommandError(
          isMissing ? `There is no program "${command}".` : `${command} cannot be run: ${cause.message}`,
          isMissing ? 127 : 126,
        ),
      )
    })
    child.on('exit', (code, signal) =>
      resolve(code ?? (signal ? 128 + constants.signals[signal] : exitCodes.error)),
    )
  })
}
