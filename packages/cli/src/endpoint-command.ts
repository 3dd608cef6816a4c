import { readFileSync } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { Writable } from 'node:stream'
import { routes } from '@bey/contract'
import { valueOf, type ParsedFlags } from './arguments.ts'
import type { EndpointCommand, Flag } from './command.ts'
import { exitCodes, UsageError } from './errors.ts'
import { idOf } from './names.ts'
import { formatOf, printReply } from './output/print.ts'
import type { Session } from './session.ts'
import { usageOf } from './usage.ts'

export type EndpointCall = ParsedFlags & { session: Session }

type Input = { params: Record<string, unknown>; query: Record<string, unknown>; body?: unknown }

/** Runs a command that is made from an endpoint. */
export async function runEndpoint(command: EndpointCommand, call: EndpointCall): Promise<number> {
  const { session, positionals } = call
  if (session.flags.watch) return watch(command, call)
  requireArguments(command, positionals)
  const input = await inputOf(command, call)
  if (command.isDestructive) await confirm(command, session, positionals)
  if (call.values['wait'] === true && command.waits !== undefined) {
    const { callAndWait } = await import('./call-and-wait.ts')
    const { reply, exitCode } = await callAndWait(command, session, input, call.values['timeout'])
    printReply(session.terminal, reply, session.flags, command)
    return exitCode
  }
  await send(command, session, input)
  return exitCodes.ok
}

function requireArguments(command: EndpointCommand, positionals: readonly string[]): void {
  if (positionals.length === command.params.length) return
  const missing = command.params[positionals.length]
  const text =
    missing === undefined
      ? `"${positionals.at(-1) ?? ''}" is one argument too many.`
      : `The argument <${missing}> is missing.`
  throw new UsageError(`${text}\n  ${usageOf(command)}`)
}

async function inputOf(command: EndpointCommand, call: EndpointCall): Promise<Input> {
  const { session, positionals } = call
  const { client, signal } = session
  const input: Input = { params: {}, query: {} }
  for (const [index, param] of command.params.entries()) {
    const text = positionals[index] ?? ''
    const isNamed = index === 0 && command.named !== undefined
    input.params[param] = isNamed ? await idOf(client, command.named ?? '', text, signal) : text
  }
  const whole = await wholeBody(command, session)
  const body: Record<string, unknown> = {}
  for (const flag of command.flags) {
    const value = await flagValue(flag, call, whole)
    if (value === undefined) continue
    if (flag.in === 'query') input.query[flag.field] = value
    else body[flag.field] = value
  }
  if (command.body === 'json') return { ...input, body: whole }
  if (command.body === undefined) return input
  const isPart = typeof whole === 'object' && whole !== null
  return { ...input, body: { ...(isPart ? whole : {}), ...body } }
}

/** The body that `--input` names. Throws UsageError where a command cannot do without. */
async function wholeBody(command: EndpointCommand, { flags, terminal }: Session): Promise<unknown> {
  const hasOwnInput = command.flags.some(({ name }) => name === 'input')
  if (command.body === undefined || hasOwnInput || flags.input === undefined) {
    if (command.body === 'json') throw new UsageError(`Give the body with --input.\n  ${usageOf(command)}`)
    return undefined
  }
  const text = flags.input === '-' ? await terminal.readInput() : readText(flags.input)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`${flags.input === '-' ? 'Standard input' : flags.input} is not JSON.`, { cause })
  }
}

async function flagValue(flag: Flag, { session, values }: EndpointCall, whole: unknown): Promise<unknown> {
  const given = values[flag.name]
  if (typeof given === 'string' && given.startsWith('@') && (flag.isSecret || flag.kind === 'json'))
    return valueOf(flag, await fileText(given.slice(1), session, flag.isSecret === true))
  if (given !== undefined) {
    if (flag.isSecret)
      throw new UsageError(
        `--${flag.name} is secret: a command line is seen by others. Use @file, or @- for standard input.`,
      )
    return valueOf(flag, given)
  }
  const isInWhole = typeof whole === 'object' && whole !== null && flag.field in whole
  if (!flag.isRequired || isInWhole) return undefined
  if (flag.isSecret && session.terminal.isInteractive) return session.terminal.ask(`${flag.name}: `, true)
  throw new UsageError(`--${flag.name} is missing: ${flag.help}.`)
}

async function fileText(path: string, { terminal }: Session, isSecret: boolean): Promise<string> {
  const text = path === '-' ? await terminal.readInput() : readText(path)
  // Editors end files with a line break, which is no part of a password.
  return isSecret ? text.replace(/\r?\n$/, '') : text
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UsageError(`${path} cannot be read.`, { cause })
  }
}

/** Asks for the name of what is destroyed. Throws UsageError where nobody can be asked. */
async function confirm(
  command: EndpointCommand,
  session: Session,
  positionals: readonly string[],
): Promise<void> {
  const { flags, terminal } = session
  if (flags.yes) return
  const name = positionals.at(-1) ?? 'yes'
  if (!terminal.isInteractive)
    throw new UsageError(`This cannot be undone: ${command.summary}. Add --yes to do it without a question.`)
  const answer = await terminal.ask(`${command.summary}. Type ${name} to go on: `)
  if (answer.trim() !== name) throw new UsageError('Nothing was changed.')
}

async function send(command: EndpointCommand, session: Session, input: Input): Promise<void> {
  const { client, terminal, signal, flags } = session
  // The table of commands is made from the contract, and the server checks every part.
  const parts = input as never
  if (command.isText && formatOf(flags) === 'table') {
    const response = await client.stream(command.endpoint, parts, { signal })
    if (!response.body) return
    const sink = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        terminal.out(chunk)
        done()
      },
    })
    return pipeline(response.body, sink, { signal })
  }
  const reply: unknown = await client.call(command.endpoint, parts, { signal })
  const shown = command.isText && typeof reply === 'string' ? { text: reply } : reply
  printReply(terminal, shown, flags, command)
}

const watchMs = 2000

async function watch(command: EndpointCommand, call: EndpointCall): Promise<number> {
  if (routes[command.endpoint].method !== 'GET')
    throw new UsageError('--watch repeats only commands that read.')
  const { session } = call
  requireArguments(command, call.positionals)
  const input = await inputOf(command, call)
  const { setTimeout: wait } = await import('node:timers/promises')
  while (!session.signal.aborted) {
    if (session.terminal.isOutputTerminal) session.terminal.out('\u001b[H\u001b[2J')
    await send(command, session, input)
    await wait(watchMs, undefined, { signal: session.signal }).catch(() => undefined)
  }
  return exitCodes.interrupted
}
