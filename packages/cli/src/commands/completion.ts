import { waitFlags } from '../arguments.ts'
import { exitCodes, UsageError } from '../errors.ts'
import { globalOptions } from '../arguments.ts'
import { commandTable } from '../endpoints/table.ts'
import { canonicalWords, findCommand } from '../find-command.ts'
import { findNamed } from '../names.ts'
import { formatOf, printReply } from '../output/print.ts'
import { openSession, type SessionParts } from '../session.ts'
import type { Call } from './hand-made.ts'
import { handMadeCommands } from './table.ts'

const bash = `_bey() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(bey __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _bey bey
`
const zsh = `#compdef bey
_bey() {
  local -a found
  found=("\${(@f)$(bey __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  compadd -- $found
}
compdef _bey bey
`
const fish = `complete -c bey -f -a '(bey __complete (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'
`
const scripts: Readonly<Record<string, string>> = { bash, zsh, fish }

export async function printCompletion({ session, args }: Call): Promise<number> {
  const script = scripts[args[0] ?? '']
  if (script === undefined) throw new UsageError('Name a shell: bey completion bash|zsh|fish.')
  if (formatOf(session.flags) === 'table') session.terminal.out(script)
  else printReply(session.terminal, { script }, session.flags, { columns: [] })
  return exitCodes.ok
}

/** What may stand in the place of the last word: words of commands, names of things, flags and their values. */
export async function candidates(typed: readonly string[], parts: SessionParts): Promise<string[]> {
  const last = typed.at(-1) ?? ''
  const before = canonicalWords(typed.slice(0, -1).filter((word) => !word.startsWith('-')))
  const found = findCommand(before)
  if (found.kind === 'endpoint') {
    const previous = typed.at(-2)
    const flag = found.command.flags.find(({ name }) => previous === `--${name}`)
    if (flag?.values) return starting(flag.values, last)
  }
  if (last.startsWith('-')) {
    const own =
      found.kind === 'endpoint'
        ? [
            ...found.command.flags.map(({ name }) => name),
            ...(found.command.waits ? waitFlags.map(([name]) => name) : []),
          ]
        : found.kind === 'handMade'
          ? Object.keys(found.command.options ?? {})
          : []
    return starting(
      [...new Set([...own, ...Object.keys(globalOptions)])].map((name) => `--${name}`),
      last,
    )
  }
  const next = nextWords(before).filter((word) => word !== '')
  if (next.length > 0) return starting(next, last)
  if (found.kind === 'none' || found.args.length > 0) return []
  const noun = found.kind === 'endpoint' ? found.command.named : nounOf[found.command.words]
  if (noun === undefined) return []
  const { client } = openSession(parts, {})
  const rows = await findNamed(client, noun, last, AbortSignal.timeout(1500)).catch(() => [])
  return starting(
    rows.map(({ name }) => name),
    last,
  )
}

const nounOf: Readonly<Record<string, string>> = {
  'runs watch': 'workflows',
  'runs logs': 'workflows',
  'workflows run': 'workflows',
  'databases connect': 'databases',
  'webhooks listen': 'webhooks',
  kubeconfig: 'clusters',
}

function nextWords(before: readonly string[]): string[] {
  const prefix = before.map((word) => `${word} `).join('')
  const [noun] = before
  const below =
    noun === undefined ? commandTable.nouns : commandTable.commandsOf(noun).map(({ words: each }) => each)
  const words = [...handMadeCommands.map((each) => each.words), ...below]
  return [
    ...new Set(
      words
        .filter((each) => each.startsWith(prefix))
        .map((each) => each.slice(prefix.length).split(' ')[0] ?? ''),
    ),
  ]
}

function starting(all: readonly string[], text: string): string[] {
  return all.filter((each) => each.startsWith(text)).toSorted()
}
