import { parseArgs, type ParseArgsConfig } from 'node:util'
import type { EndpointCommand, Flag } from './command.ts'
import { UsageError } from './errors.ts'
import type { Filter } from './output/filter.ts'

type Options = NonNullable<ParseArgsConfig['options']>

/** Flags of every command. */
export const globalOptions = {
  url: { type: 'string' },
  token: { type: 'string' },
  organization: { type: 'string' },
  context: { type: 'string' },
  json: { type: 'string' },
  jq: { type: 'string', short: 'q' },
  output: { type: 'string', short: 'o' },
  watch: { type: 'boolean', short: 'w' },
  yes: { type: 'boolean', short: 'y' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
  input: { type: 'string' },
} as const satisfies Options

export type GlobalFlags = {
  url?: string
  token?: string
  organization?: string
  context?: string
  /** Fields, separated by commas; empty for all. */
  json?: string
  /** A program of jq, and what it was compiled to. */
  jq?: string
  filter?: Filter
  output?: string
  watch?: boolean
  yes?: boolean
  help?: boolean
  version?: boolean
  input?: string
}

/** What was typed: flags before the command, the words, and everything from the first flag after them. */
export type Typed = { globals: GlobalFlags; words: string[]; rest: string[]; afterDashes: string[] }

/** Splits what was typed. Flags before the command are those of every command; throws UsageError for another. */
export function splitArguments(argv: readonly string[]): Typed {
  const dashes = argv.indexOf('--')
  const before = (dashes === -1 ? argv : argv.slice(0, dashes)).map(jsonWithValue)
  const afterDashes = dashes === -1 ? [] : argv.slice(dashes + 1)
  let start = 0
  while (start < before.length && before[start]?.startsWith('-'))
    start += takesNext(before[start] ?? '') ? 2 : 1
  let end = start
  while (end < before.length && !before[end]?.startsWith('-')) end += 1
  const { values } = parse(before.slice(0, start), globalOptions)
  return { globals: values, words: before.slice(start, end), rest: before.slice(end), afterDashes }
}

/** `--json` takes fields only behind an equals sign, so that `--json name` names no field. */
function jsonWithValue(argument: string): string {
  return argument === '--json' ? '--json=' : argument
}

function takesNext(argument: string): boolean {
  if (argument.includes('=')) return false
  const found = Object.entries(globalOptions).find(
    ([name, option]) => argument === `--${name}` || ('short' in option && argument === `-${option.short}`),
  )
  return found?.[1].type === 'string'
}

export type ParsedFlags = { globals: GlobalFlags; values: Record<string, unknown>; positionals: string[] }

/** Parses what stands behind the words of a command. A flag of the command hides one of every command by its name. */
export function parseFlags(args: readonly string[], options: Options): ParsedFlags {
  const { values, positionals } = parse(args, { ...globalOptions, ...options })
  const isGlobal = (name: string) => name in globalOptions && !(name in options)
  const entries = Object.entries(values)
  return {
    // `parseArgs` checked the kinds of both.
    globals: Object.fromEntries(entries.filter(([name]) => isGlobal(name))),
    values: Object.fromEntries(entries.filter(([name]) => !isGlobal(name))),
    positionals,
  }
}

function parse(args: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true })
  } catch (error) {
    const message = error instanceof Error ? error.message.split('. To specify')[0] : String(error)
    throw new UsageError(`${message}. Add --help to see what there is.`, { cause: error })
  }
}

/** Of commands that start work that goes on after the reply. */
export const waitFlags: readonly (readonly [string, string])[] = [
  ['wait', 'wait for the end, and end with 1 if it did not succeed'],
  ['timeout', 'with --wait: stop waiting after so many seconds, with exit code 8'],
]

/** The options of a command that is made from an endpoint. */
export function optionsOf({ flags, waits }: EndpointCommand): Options {
  const waiting: Options = waits ? { wait: { type: 'boolean' }, timeout: { type: 'string' } } : {}
  const own: Options = Object.fromEntries(
    flags.map(({ name, kind, isList }) => [
      name,
      kind === 'boolean' && isList !== true
        ? ({ type: 'string' } as const)
        : ({ type: 'string', ...(isList && { multiple: true }) } as const),
    ]),
  )
  return { ...waiting, ...own }
}

/** What people type for flags whose endpoint has longer ones. */
export const shortFlags: Readonly<Record<string, readonly { typed: string; meant: string; help: string }[]>> =
  {
    'runs retry': [
      { typed: '--from-failed', meant: '--mode=from_failed', help: 'the same as --mode from_failed' },
    ],
    'databases restore': [{ typed: '--at', meant: '--target-time', help: 'the same as --target-time' }],
  }

/** The arguments of a command with its own flags in the place of short ones. */
export function withLongFlags({ words }: EndpointCommand, args: readonly string[]): string[] {
  return args.map((argument) => {
    const short = shortFlags[words]?.find(
      ({ typed }) => argument === typed || argument.startsWith(`${typed}=`),
    )
    return short ? `${short.meant}${argument.slice(short.typed.length)}` : argument
  })
}

/** `--follow` alone means true, and `--follow=false` the other. */
export function booleansWithValue(args: readonly string[], flags: readonly Flag[]): string[] {
  const booleans = new Set(flags.filter(({ kind }) => kind === 'boolean').map(({ name }) => `--${name}`))
  return args.map((argument) => (booleans.has(argument) ? `${argument}=true` : argument))
}

/** The value of a flag in the kind of the contract. Throws UsageError. */
export function valueOf(flag: Flag, text: unknown): unknown {
  if (Array.isArray(text)) return text.map((each) => single(flag, String(each)))
  return single(flag, String(text))
}

function single({ name, kind, values }: Flag, text: string): unknown {
  switch (kind) {
    case 'string':
      if (values && !values.includes(text))
        throw new UsageError(`--${name} takes one of ${values.join(', ')}, not "${text}".`)
      return text
    case 'integer':
    case 'number': {
      const number = Number(text)
      const isRight =
        text.trim() !== '' && (kind === 'integer' ? Number.isInteger(number) : Number.isFinite(number))
      if (!isRight)
        throw new UsageError(`--${name} takes a ${kind === 'integer' ? 'whole ' : ''}number, not "${text}".`)
      return number
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false')
        throw new UsageError(`--${name} takes true or false, not "${text}".`)
      return text === 'true'
    case 'json':
      try {
        return JSON.parse(text)
      } catch (cause) {
        throw new UsageError(`--${name} takes JSON, and this is none.`, { cause })
      }
  }
}
