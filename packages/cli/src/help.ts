import type { EndpointCommand } from './command.ts'
import type { HandMadeCommand } from './commands/hand-made.ts'
import { handMadeCommands } from './commands/table.ts'
import { commandTable } from './endpoints/table.ts'
import { canonicalWords, findCommand } from './find-command.ts'
import { shortFlags, waitFlags } from './arguments.ts'
import { usageOf } from './usage.ts'

const flagsOfAll = [
  ['--url <address>', 'the server; else BEY_URL, else the context'],
  ['--token <token>', 'a session or an API key; else BEY_TOKEN, else the context'],
  ['--organization <id>', 'else BEY_ORGANIZATION, else the context'],
  ['--context <name>', 'a server that you logged in to'],
  ['--json[=<fields>]', 'JSON, whole or only these fields, separated by commas'],
  ['-q, --jq <program>', 'results of a program of jq on the JSON'],
  ['-o, --output <format>', 'table, json or yaml'],
  ['-w, --watch', 'repeat a command that reads, every 2 s'],
  ['-y, --yes', 'do not ask before something is deleted'],
  ['-h, --help', 'what a command takes'],
] as const

/** What help says of what was typed: everything, a noun, or one command. Undefined for what there is not. */
export function helpText(typed: readonly string[]): string | undefined {
  const words = canonicalWords(typed)
  if (words.length === 0) return overview()
  const found = findCommand(typed)
  const isExact = found.kind !== 'none' && found.args.length === 0
  if (found.kind === 'endpoint' && (isExact || found.args.length > 0)) return helpOfEndpoint(found.command)
  if (found.kind === 'handMade' && (isExact || found.command.words !== words[0]))
    return helpOfHandMade(found.command)
  const rows = commandsBelow(words.join(' '))
  if (rows.length > 0) return columns(rows)
  return found.kind === 'handMade' ? helpOfHandMade(found.command) : undefined
}

/** For words that are no command: what comes nearest. */
export function unknownText(typed: readonly string[]): string {
  const [noun = '', ...others] = canonicalWords(typed)
  const below = commandsBelow(noun).map(([usage]) => usage)
  if (below.length > 0)
    return `There is no command "bey ${typed.join(' ')}". There are:\n${below.map((each) => `  ${each}`).join('\n')}`
  const near = nouns()
    .filter((each) => each.startsWith(noun.slice(0, 3)))
    .slice(0, 5)
  const hint = near.length > 0 && noun !== '' ? ` Did you mean ${near.join(', ')}?` : ''
  return `There is no command "bey ${[noun, ...others].join(' ')}".${hint} See bey --help.`
}

/** The first words of all commands, in their order. */
function nouns(): string[] {
  const handMade = handMadeCommands.map(({ words }) => words.split(' ')[0] ?? '')
  return [...new Set([...handMade, ...commandTable.nouns])].toSorted()
}

function commandsBelow(prefix: string): [string, string][] {
  const isBelow = ({ words }: { words: string }) => words === prefix || words.startsWith(`${prefix} `)
  return [
    ...handMadeCommands
      .filter(isBelow)
      .map(({ words, usage, summary }): [string, string] => [`bey ${words} ${usage}`.trim(), summary]),
    ...commandTable
      .commandsOf(prefix.split(' ')[0] ?? '')
      .filter(isBelow)
      .map((row): [string, string] => [usageOf(row), row.summary]),
  ]
}

function overview(): string {
  const single = handMadeCommands.filter(({ words }) => !words.includes(' '))
  const alone = new Set(single.map(({ words }) => words))
  return [
    'bey: everything that Bey does, from a terminal',
    '',
    columns(single.map(({ words, usage, summary }) => [`bey ${words} ${usage}`.trim(), summary])),
    '',
    'Nouns (bey <noun> --help lists what each can do):',
    wrapped(nouns().filter((noun) => !alone.has(noun) || commandTable.nouns.includes(noun))),
    '',
    'Flags of every command:',
    columns(flagsOfAll),
    '',
    'Exit codes: 0 done, 1 failed, 2 typed wrongly, 4 not logged in or not allowed, 8 still running',
  ].join('\n')
}

function helpOfEndpoint(row: EndpointCommand): string {
  const takesBody = row.body !== undefined
  return [
    `${row.summary}.`,
    '',
    `  ${usageOf(row)}`,
    ...(row.flags.length > 0 || takesBody || row.waits ? ['', 'Flags:'] : []),
    columns([
      ...row.flags.map(({ name, help, isRequired, isSecret }): [string, string] => [
        `--${name}`,
        `${isSecret ? '@file, or @- for standard input; asked for on a terminal: ' : ''}${help}${isRequired ? ' (required)' : ''}`,
      ]),
      ...(shortFlags[row.words] ?? []).map(({ typed, help }): [string, string] => [typed, help]),
      ...(row.waits ? waitFlags.map(([name, help]): [string, string] => [`--${name}`, help]) : []),
      ...(takesBody ? [['--input <file>', 'the whole body as JSON; - reads standard input'] as const] : []),
    ]),
    ...(row.isDestructive ? ['', 'Asks before it acts; --yes answers beforehand.'] : []),
    '',
    'Flags of every command: see bey --help.',
  ]
    .filter((line, index, all) => line !== '' || all[index - 1] !== '')
    .join('\n')
}

function helpOfHandMade({ words, usage, summary, flagHelp = {} }: HandMadeCommand): string {
  const rows = Object.entries(flagHelp).map(([name, help]): [string, string] => [`--${name}`, help])
  return [
    `${summary}.`,
    '',
    `  bey ${words} ${usage}`.trimEnd(),
    ...(rows.length > 0 ? ['', 'Flags:', columns(rows)] : []),
    '',
    'Flags of every command: see bey --help.',
  ].join('\n')
}

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.min(38, Math.max(0, ...rows.map(([left]) => left.length)))
  return rows
    .map(([left, right]) =>
      left.length > width
        ? `  ${left}\n  ${' '.repeat(width)}  ${right}`
        : `  ${left.padEnd(width)}  ${right}`,
    )
    .join('\n')
}

function wrapped(words: readonly string[]): string {
  const lines = ['']
  for (const word of words) {
    const last = lines.at(-1) ?? ''
    if (last.length + word.length > 74) lines.push(word)
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`
  }
  return lines.map((line) => `  ${line}`).join('\n')
}
