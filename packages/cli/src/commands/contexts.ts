import { exitCodes, UsageError } from '../errors.ts'
import { printReply } from '../output/print.ts'
import { readSettings, writeSettings } from '../settings.ts'
import { without } from './account.ts'
import type { Call } from './hand-made.ts'

/** Tokens are not among what is listed. */
export async function listContexts({ session }: Call): Promise<number> {
  const { settingsPath, flags, terminal } = session
  const { contexts, current } = readSettings(settingsPath)
  const rows = Object.entries(contexts).map(([name, { url, email, organizationId }]) => ({
    name,
    url,
    email,
    organizationId,
    isCurrent: name === current,
  }))
  const shape = {
    list: 'contexts',
    columns: ['name', 'url', 'email', 'isCurrent'],
    empty: 'No server yet. Run bey login.',
  }
  printReply(terminal, { contexts: rows }, flags, shape)
  return exitCodes.ok
}

export async function useContext(call: Call): Promise<number> {
  const { session } = call
  const name = nameOf(call)
  const settings = readSettings(session.settingsPath)
  writeSettings(session.settingsPath, { ...settings, current: name })
  printReply(session.terminal, { context: name }, session.flags, { columns: [] })
  return exitCodes.ok
}

export async function removeContext(call: Call): Promise<number> {
  const { session } = call
  const name = nameOf(call)
  writeSettings(session.settingsPath, without(readSettings(session.settingsPath), name))
  printReply(session.terminal, { removed: name }, session.flags, { columns: [] })
  return exitCodes.ok
}

function nameOf({ session, args }: Call): string {
  const { contexts } = readSettings(session.settingsPath)
  const [name] = args
  if (name !== undefined && Object.hasOwn(contexts, name)) return name
  const names = Object.keys(contexts).join(', ')
  throw new UsageError(
    `${name === undefined ? 'Name a context' : `There is no context "${name}"`}. There are: ${names || 'none'}.`,
  )
}
