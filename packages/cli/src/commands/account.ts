import { CommandError, exitCodes, UsageError } from '../errors.ts'
import { printReply } from '../output/print.ts'
import { readSettings, writeSettings, type Settings } from '../settings.ts'
import type { Call } from './hand-made.ts'

/** Ends the session on the server, and forgets the token even if the server does not answer. */
export async function logOut({ session }: Call): Promise<number> {
  const { client, settingsPath, target, flags, terminal } = session
  const settings = readSettings(settingsPath)
  const found = Object.entries(settings.contexts).find(
    ([, { url, token }]) => url === target.url && token === target.token,
  )
  if (found) writeSettings(settingsPath, without(settings, found[0]))
  if (target.token === undefined)
    throw new CommandError(`You are not logged in to ${target.url}.`, exitCodes.refused)
  await client.call('auth.logout', {})
  printReply(terminal, { url: target.url, loggedOut: true }, flags, { columns: [] })
  return exitCodes.ok
}

/** The settings without a context; another one takes its place if it was the current one. */
export function without(settings: Settings, name: string): Settings {
  const { [name]: _removed, ...contexts } = settings.contexts
  const current = settings.current === name ? (Object.keys(contexts)[0] ?? null) : settings.current
  return { current, contexts }
}

export async function whoAmI({ session }: Call): Promise<number> {
  const { client, target, flags, terminal, signal } = session
  const user = await client.call('auth.me', {}, { signal })
  const organization = user.organizations.find(
    ({ id }) => id === (target.organizationId ?? user.activeOrganizationId),
  )
  const facts = {
    name: user.name,
    email: user.email,
    url: target.url,
    organization: organization?.name ?? null,
    organizationId: organization?.id ?? null,
    role: organization?.role ?? null,
  }
  printReply(terminal, facts, flags, { columns: [] })
  return exitCodes.ok
}

export async function listOrganizations({ session }: Call): Promise<number> {
  const { client, target, flags, terminal, signal } = session
  const { organizations, activeOrganizationId } = await client.call('auth.me', {}, { signal })
  const current = target.organizationId ?? activeOrganizationId
  const rows = organizations.map(({ id, name, role }) => ({
    id,
    name,
    role,
    current: id === current ? '●' : '',
  }))
  const reply = {
    organizations:
      flags.json === undefined && flags.output === undefined
        ? rows
        : rows.map((row) => ({ ...row, current: row.id === current })),
  }
  printReply(terminal, reply, flags, { list: 'organizations', columns: ['id', 'name', 'role', 'current'] })
  return exitCodes.ok
}

export async function switchOrganization({ session, args }: Call): Promise<number> {
  const [wanted] = args
  if (wanted === undefined) throw new UsageError('Name the organization: bey org switch <name or id>.')
  const { client, target, settingsPath, flags, terminal, signal } = session
  const { organizations } = await client.call('auth.me', {}, { signal })
  const found = organizations.filter(({ id, name }) => String(id) === wanted || name === wanted)
  const [organization] = found
  if (organization === undefined || found.length > 1) {
    const names = organizations.map(({ id, name }) => `${name} (${id})`).join(', ')
    throw new CommandError(
      `You are in ${found.length === 0 ? 'no' : 'more than one'} organization "${wanted}". There are ${names}.`,
    )
  }
  const settings = readSettings(settingsPath)
  const name = flags.context ?? settings.current
  const context = name === null ? undefined : settings.contexts[name]
  if (name === null || context?.url !== target.url)
    throw new UsageError('Only a context remembers an organization. Log in first, or set BEY_ORGANIZATION.')
  const changed = { ...context, organizationId: organization.id }
  writeSettings(settingsPath, { ...settings, contexts: { ...settings.contexts, [name]: changed } })
  printReply(terminal, { id: organization.id, name: organization.name, role: organization.role }, flags, {
    columns: [],
  })
  return exitCodes.ok
}
