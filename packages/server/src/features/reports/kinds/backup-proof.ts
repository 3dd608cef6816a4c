import {
  counted,
  createDraft,
  type Draft,
  durationText,
  figure,
  lead,
  type Material,
  table,
} from '../draft.ts'
import { shortTime } from '../period.ts'
import { readAll } from '../reads.ts'

const maxDatabases = 200
const drillsEach = 100

/** Which databases a restore drill of the period proved to be restorable. */
export async function backupProof(material: Material): Promise<Draft> {
  const { read, span, parameters } = material
  const { timeZone } = parameters
  const draft = createDraft()
  const { rows: databases, isWhole } = await readAll(maxDatabases, async (page) => {
    const found = await read('databases.list', { query: { ...page, sort: 'name' } })
    return { rows: found.databases, total: found.total }
  })
  if (!isWhole) draft.missing(`Only the first ${maxDatabases} databases were read.`)
  const each = await Promise.all(
    databases.map(async ({ id, name }) => {
      const { restores } = await read('databases.restores.list', {
        params: { id },
        query: { page: 1, limit: drillsEach, kind: 'drill' },
      })
      const drills = restores.filter(({ createdAt }) => {
        const at = Date.parse(createdAt)
        return at >= span.from.getTime() && at < span.to.getTime()
      })
      return { name, drills, proven: drills.find(({ proof }) => proof === 'passed') }
    }),
  )
  const proven = each.filter(({ proven: drill }) => drill !== undefined)
  const drills = each.flatMap(({ name, drills: own }) => own.map((drill) => ({ name, drill })))
  const failed = drills.filter(({ drill }) => drill.finishedAt !== null && drill.proof !== 'passed')
  const unproven = each.filter(({ proven: drill }) => drill === undefined)

  const source = draft.source('Databases', counted(databases.length, 'database'), '/databases')
  const drillSource = draft.source(
    'Drills',
    `${counted(drills.length, 'drill')} begun in the period`,
    '/databases',
  )
  draft.section(
    'summary',
    '',
    lead(
      databases.length === 0
        ? 'There is no database.'
        : unproven.length === 0
          ? `Each of ${counted(databases.length, 'database')} was restored by a drill.`
          : `A drill restored ${proven.length} of ${counted(databases.length, 'database')}. ${counted(unproven.length, 'database')} without proof: ${names(unproven.map(({ name }) => name))}.`,
    ),
    {
      kind: 'figures',
      figures: [
        figure('proven', 'Databases proven', `${proven.length} of ${databases.length}`, {
          source: drillSource,
        }),
        figure('drills', 'Drills', drills.length, { source: drillSource }),
        figure('failed', 'Drills without proof', failed.length, { source: drillSource }),
      ],
    },
  )
  draft.section(
    'proofs',
    'Databases',
    table(
      '',
      ['Database', 'Proof', 'Last proven drill', 'Restored in #', 'Checks passed #'],
      each.map(({ name, proven: drill }) => [
        name,
        drill ? 'restored' : 'none',
        drill ? shortTime(drill.createdAt, timeZone) : '—',
        drill?.durations.totalMs == null ? '—' : durationText(drill.durations.totalMs),
        drill
          ? `${drill.checks.filter(({ outcome }) => outcome === 'passed').length} of ${drill.checks.length}`
          : '—',
      ]),
      { emptyText: 'There is no database.', source },
    ),
  )
  draft.section(
    'drills',
    'Drills',
    table(
      '',
      ['Began', 'Database', 'Result', 'Why'],
      drills
        .toSorted((a, b) => Date.parse(a.drill.createdAt) - Date.parse(b.drill.createdAt))
        .map(({ name, drill }) => [
          shortTime(drill.createdAt, timeZone),
          name,
          drill.finishedAt === null ? 'under way' : (drill.proof ?? 'none').replaceAll('_', ' '),
          drill.failure ?? '—',
        ]),
      { emptyText: `No drill began from ${span.label}.`, source: drillSource },
    ),
  )
  return draft.finish()
}

const names = (all: readonly string[]) =>
  all.length > 8 ? `${all.slice(0, 8).join(', ')} and ${all.length - 8} more` : all.join(', ')
