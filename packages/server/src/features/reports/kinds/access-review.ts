import { type Permission, type Role, roleHas } from '@bey/contract'
import { allPermissions } from '@bey/contract/api-keys/rules'
import { counted, createDraft, type Draft, figure, lead, type Material, table } from '../draft.ts'
import { shortTime } from '../period.ts'
import { readAll } from '../reads.ts'
import { readEntries } from './audit-entries.ts'

const maxMembers = 2_000
const maxKeys = 1_000

/** Members and API keys, what each may do, when each was last used, and the rights that nobody used in the period. */
export async function accessReview(material: Material): Promise<Draft> {
  const { read, parameters, span } = material
  const { timeZone } = parameters
  const draft = createDraft()
  const [members, keys, acts] = await Promise.all([
    readAll(maxMembers, async (page) => {
      const found = await read('members.list', { query: { ...page, sort: 'role' } })
      return { rows: found.members, total: found.total }
    }),
    readAll(maxKeys, async (page) => {
      const found = await read('apiKeys.list', { query: { ...page, sort: 'name', state: 'live' } })
      return { rows: found.keys, total: found.total }
    }),
    readEntries(material, {}),
  ])
  if (!members.isWhole) draft.missing(`Only the first ${maxMembers} members were read.`)
  if (!keys.isWhole) draft.missing(`Only the first ${maxKeys} API keys were read.`)
  if (!acts.isWhole)
    draft.missing(`Only the newest ${acts.entries.length} entries of the audit log were read.`)

  const changes = new Map<string, number>()
  for (const { actor, class: kind, outcome } of acts.entries) {
    if (actor.type !== 'user' || actor.id === null || kind === 'read' || outcome !== 'success') continue
    changes.set(actor.id, (changes.get(actor.id) ?? 0) + 1)
  }
  const people = members.rows.map((member) => ({
    ...member,
    changeCount: changes.get(String(member.id)) ?? 0,
    rights: rightsOf(member.role),
  }))
  const unused = people.filter(({ role, changeCount }) => role !== 'VIEWER' && changeCount === 0)
  const withoutFactor = people.filter(({ secondFactor }) => secondFactor === 'none')
  const staleKeys = keys.rows.filter(
    ({ lastUsedAt }) => lastUsedAt === null || Date.parse(lastUsedAt) < span.from.getTime(),
  )

  const memberSource = draft.source('Members', counted(people.length, 'member'), '/workspaces/members')
  const keySource = draft.source(
    'API keys',
    `${counted(keys.rows.length, 'key')} that work`,
    '/workspaces/settings/api-keys',
  )
  const auditSource = draft.source(
    'Changes',
    `${counted(acts.entries.length, 'entry')} of the audit log, reads left out`.replace('entrys', 'entries'),
    '/workspaces/settings/security',
  )
  draft.section(
    'summary',
    '',
    lead(
      `${counted(people.length, 'member')} and ${counted(keys.rows.length, 'API key')} have access. ${counted(unused.length, 'member')} may change things and changed nothing from ${span.label}.`,
    ),
    {
      kind: 'figures',
      figures: [
        figure('members', 'Members', people.length, { source: memberSource }),
        figure(
          'privileged',
          'Owners and admins',
          people.filter(({ role }) => role === 'OWNER' || role === 'ADMIN').length,
          {
            source: memberSource,
          },
        ),
        figure('unused', 'Unused rights', unused.length, { source: auditSource }),
        figure('factor', 'No second factor', withoutFactor.length, { source: memberSource }),
        figure('stale-keys', 'Unused API keys', `${staleKeys.length} of ${keys.rows.length}`, {
          source: keySource,
        }),
      ],
    },
  )
  draft.section(
    'members',
    'Members',
    table(
      '',
      ['Member', 'Role', 'May', 'Changes #', 'Last seen', 'Second factor', 'Unused rights'],
      people.map((person) => [
        `${person.name} (${person.email})`,
        person.role,
        `${person.rights.length} of ${allPermissions.length} permissions`,
        String(person.changeCount),
        person.lastSeenAt === null ? 'no session' : shortTime(person.lastSeenAt, timeZone),
        person.secondFactor,
        person.role === 'VIEWER'
          ? '—'
          : person.changeCount > 0
            ? 'none seen'
            : `${person.rights.filter((permission) => !permission.endsWith('.read')).length} permissions beyond VIEWER`,
      ]),
      { emptyText: 'There is no member.', source: memberSource },
    ),
  )
  draft.section(
    'keys',
    'API keys',
    table(
      '',
      ['Key', 'Of', 'Bounded by', 'May', 'Expires', 'Last used'],
      keys.rows.map((key) => [
        `${key.name} (${key.start}…)`,
        key.owner?.name ?? 'the organization',
        key.role,
        key.permissions.join(', '),
        key.expiresAt === null ? 'never' : shortTime(key.expiresAt, timeZone),
        key.lastUsedAt === null ? 'never' : shortTime(key.lastUsedAt, timeZone),
      ]),
      { emptyText: 'No API key works.', source: keySource },
    ),
  )
  return draft.finish()
}

const rightsOf = (role: Role): Permission[] =>
  allPermissions.filter((permission) => roleHas(role, permission))
