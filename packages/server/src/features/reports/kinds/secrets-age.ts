import { counted, createDraft, type Draft, figure, lead, type Material, table } from '../draft.ts'
import { shortTime } from '../period.ts'
import { readAll } from '../reads.ts'

const maxSecrets = 2_000
const dayMs = 86_400_000
const groups = [
  { label: 'up to 30 days', maxDays: 30 },
  { label: '31 to 90 days', maxDays: 90 },
  { label: '91 to 365 days', maxDays: 365 },
  { label: 'over a year', maxDays: Infinity },
] as const

/** How old the values of secrets are at the time of issue, and which of them expire or were never used. Never a value. */
export async function secretsAge({ read, parameters, now }: Material): Promise<Draft> {
  const { timeZone } = parameters
  const draft = createDraft()
  const { rows, isWhole } = await readAll(maxSecrets, async (page) => {
    const { secrets, total } = await read('secrets.list', {
      query: { ...page, sort: 'valueChangedAt', order: 'asc' },
    })
    return { rows: secrets, total }
  })
  if (!isWhole) draft.missing(`Only the oldest ${maxSecrets} secrets were read.`)
  const secrets = rows.map((secret) => ({
    ...secret,
    days: Math.floor((now.getTime() - Date.parse(secret.valueChangedAt)) / dayMs),
  }))
  const expired = secrets.filter(
    ({ expiresAt }) => expiresAt !== null && Date.parse(expiresAt) <= now.getTime(),
  )
  const soon = secrets.filter(({ expiresAt }) => {
    const leftMs = expiresAt === null ? Infinity : Date.parse(expiresAt) - now.getTime()
    return leftMs > 0 && leftMs <= 30 * dayMs
  })
  const old = secrets.filter(({ days }) => days > 365)
  const unused = secrets.filter(({ lastReadAt, lastUsedAt }) => lastReadAt === null && lastUsedAt === null)
  const source = draft.source('Secrets', counted(secrets.length, 'secret'), '/secrets')
  draft.section(
    'summary',
    '',
    lead(
      secrets.length === 0
        ? 'There is no secret.'
        : `${counted(old.length, 'secret')} of ${secrets.length} changed over a year ago. ${counted(soon.length, 'secret')} will expire within 30 days, ${expired.length} expired.`,
    ),
    {
      kind: 'figures',
      figures: [
        figure('secrets', 'Secrets', secrets.length, { source }),
        figure('old', 'Older than a year', old.length, { source }),
        figure('soon', 'Expire in 30 days', soon.length, { source }),
        figure('expired', 'Expired', expired.length, { source }),
        figure('unused', 'Never used', unused.length, { source }),
      ],
    },
  )
  draft.section('ages', 'Age of values', {
    kind: 'bars',
    title: 'Secrets by the age of their value',
    bars:
      secrets.length === 0
        ? []
        : groups.map(({ label, maxDays }, index) => {
            const above = groups[index - 1]?.maxDays ?? -1
            const count = secrets.filter(({ days }) => days > above && days <= maxDays).length
            return {
              label,
              share: count / secrets.length,
              value: String(count),
              isWarning: maxDays === Infinity,
            }
          }),
    emptyText: 'There is no secret.',
    source,
  })
  draft.section(
    'secrets',
    'Secrets',
    table(
      '',
      ['Secret', 'Type', 'Value of', 'Days #', 'Expires', 'Next rotation', 'Last used'],
      secrets.map(
        ({ name, type, valueChangedAt, days, expiresAt, nextRotationAt, lastUsedAt, lastReadAt }) => {
          const used = [lastUsedAt, lastReadAt]
            .filter((at) => at !== null)
            .toSorted()
            .at(-1)
          return [
            name,
            type.replaceAll('_', ' '),
            shortTime(valueChangedAt, timeZone),
            String(days),
            expiresAt === null ? 'never' : shortTime(expiresAt, timeZone),
            nextRotationAt === null ? 'none' : shortTime(nextRotationAt, timeZone),
            used === undefined ? 'never' : shortTime(used, timeZone),
          ]
        },
      ),
      { emptyText: 'There is no secret.', source },
    ),
  )
  return draft.finish()
}
