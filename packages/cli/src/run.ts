import {
  booleansWithValue,
  optionsOf,
  parseFlags,
  splitArguments,
  withLongFlags,
  type GlobalFlags,
} from './arguments.ts'
import { exitCodes, UsageError } from './errors.ts'
import { failureOf } from './failure.ts'
import { findCommand } from './find-command.ts'
import { formatOf } from './output/print.ts'
import { openSession, version, type SessionParts } from './session.ts'

/** Runs one command line and answers the exit code. Everything that fails is printed once, to standard error. */
export async function run(argv: readonly string[], parts: SessionParts): Promise<number> {
  let url = ''
  let flags: GlobalFlags = {}
  try {
    if (argv[0] === '__complete') return await complete(argv.slice(1), parts)
    const typed = splitArguments(argv)
    flags = typed.globals
    if (flags.version) return printLine(parts, version)
    const found = findCommand(typed.words)
    if (found.kind === 'none' || flags.help) return await help(typed.words, flags, parts)
    const { args } = found
    if (found.kind === 'endpoint') {
      const { command } = found
      const behind = booleansWithValue(withLongFlags(command, [...args, ...typed.rest]), command.flags)
      const parsed = parseFlags(behind, optionsOf(command))
      flags = { ...flags, ...parsed.globals }
      if (flags.help) return await help(typed.words, flags, parts)
      flags = await checked(flags)
      const session = openSession(parts, flags)
      url = session.target.url
      const { runEndpoint } = await import('./endpoint-command.ts')
      return await runEndpoint(command, { session, ...parsed })
    }
    const parsed = parseFlags([...args, ...typed.rest], found.command.options ?? {})
    flags = { ...flags, ...parsed.globals }
    if (flags.help) return await help(typed.words, flags, parts)
    flags = await checked(flags)
    const session = openSession(parts, flags)
    url = session.target.url
    const { values, positionals } = parsed
    return await found.command.run({ session, args: positionals, values, afterDashes: typed.afterDashes })
  } catch (error) {
    const { message, exitCode } = failureOf(error, url)
    if (message !== '') parts.terminal.note(`${message}\n`)
    return exitCode
  }
}

/** Throws UsageError where the reply could not be shown as asked for, before anything is sent. */
async function checked(flags: GlobalFlags): Promise<GlobalFlags> {
  formatOf(flags)
  if (flags.jq === undefined) return flags
  const { compileFilter } = await import('./output/filter.ts')
  return { ...flags, filter: await compileFilter(flags.jq) }
}

async function help(words: readonly string[], flags: GlobalFlags, parts: SessionParts): Promise<number> {
  const { helpText } = await import('./help.ts')
  const text = helpText(words)
  if (text === undefined) throw new UsageError((await import('./help.ts')).unknownText(words))
  if (formatOf(flags) === 'json') parts.terminal.out(`${JSON.stringify({ help: text }, null, 2)}\n`)
  else parts.terminal.out(`${text}\n`)
  return exitCodes.ok
}

function printLine({ terminal }: SessionParts, text: string): number {
  terminal.out(`${text}\n`)
  return exitCodes.ok
}

async function complete(words: readonly string[], parts: SessionParts): Promise<number> {
  const { candidates } = await import('./commands/completion.ts')
  for (const each of await candidates(words, parts)) parts.terminal.out(`${each}\n`)
  return exitCodes.ok
}
