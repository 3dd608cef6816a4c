import type { EndpointCommand } from './command.ts'
import type { HandMadeCommand } from './commands/hand-made.ts'
import { handMadeCommands } from './commands/table.ts'
import { commandTable } from './endpoints/table.ts'

export type FoundCommand =
  | { kind: 'endpoint'; command: EndpointCommand; args: string[] }
  | { kind: 'handMade'; command: HandMadeCommand; args: string[] }
  | { kind: 'none' }

/** Shorter names of nouns. */
const nouns: Readonly<Record<string, string>> = {
  keys: 'api-keys',
  k8s: 'kubernetes',
  organizations: 'organizations',
  orgs: 'org',
  contexts: 'context',
}

/** What people type for an act whose endpoint has another name. */
const acts: Readonly<Record<string, readonly string[]>> = {
  'databases backup': ['databases', 'backups', 'create'],
  'usage ': ['billing', 'spend'],
  'usage list': ['billing', 'ledger'],
}

/** The nouns as they stand in the table. */
export function canonicalWords(words: readonly string[]): string[] {
  const [noun, ...others] = words
  if (noun === undefined) return []
  const act = acts[`${noun} ${others[0] ?? ''}`]
  return act ? [...act, ...others.slice(1)] : [nouns[noun] ?? noun, ...others]
}

/** The command whose words are the most that were typed; what is left are its arguments. */
export function findCommand(typed: readonly string[]): FoundCommand {
  const words = canonicalWords(typed)
  const commands = commandTable.commandsOf(words[0] ?? '')
  for (let count = Math.min(words.length, 3); count > 0; count -= 1) {
    const key = words.slice(0, count).join(' ')
    const args = words.slice(count)
    const handMade = handMadeCommands.find((each) => each.words === key)
    if (handMade) return { kind: 'handMade', command: handMade, args }
    const command = commands.find((each) => each.words === key)
    if (command) return { kind: 'endpoint', command, args }
  }
  return { kind: 'none' }
}
