import type { AdviceContent } from '../../../tables/database-advice.ts'
import type { Catalogue, CatalogueIndex, CatalogueTable } from './catalogue.ts'
import type { Scan } from './slow-scans.ts'

/** Advice as a rule gives it. `key` is the same for the same finding. */
export type Finding = { key: string; rule: string; content: AdviceContent }

/** A statement with the scans of its plan, and what it did in the last hour. */
export type ScannedStatement = { queryId: string; text: string; calls: number; meanMs: number; scans: Scan[] }

const dayMs = 86_400_000
const mebibyte = 1024 * 1024

/** From here on rules speak: below, what they find costs less than reading about it. */
export const adviceFrom = {
  /** Bytes of an index or a table. */
  bytes: 128 * 1024,
  /** How long the server must have counted before an index is called unused. */
  unusedMs: 7 * dayMs,
  scannedRows: 10_000,
  scanMs: 2,
  /** Share of a table's rows that a scan finds: an index helps where it is small. */
  foundShare: 0.1,
  deadRows: 10_000,
  deadShare: 0.2,
  frozenAge: 1_000_000_000,
  sequenceShare: 0.75,
} as const

/** All rules on what was read of a database. */
export function findAdvice(
  catalogue: Catalogue,
  statements: readonly ScannedStatement[],
  now: Date,
): Finding[] {
  const scans = slowScans(catalogue, statements)
  const isSaid = ({ content }: Finding) => scans.some((scan) => scan.content.sql === content.sql)
  return [
    ...scans,
    ...invalidIndexes(catalogue),
    ...superfluousIndexes(catalogue),
    ...unusedIndexes(catalogue, now),
    ...foreignKeys(catalogue).filter((key) => !isSaid(key)),
    ...tables(catalogue),
    ...sequences(catalogue),
    ...settings(catalogue),
  ]
}

function finding(
  rule: string,
  subject: string,
  content: Omit<AdviceContent, 'queryIds'>,
  queryIds: string[] = [],
) {
  return { key: `${rule}:${subject}`.slice(0, 300), rule, content: { ...content, queryIds } }
}

function slowScans({ tables: all, indexes }: Catalogue, statements: readonly ScannedStatement[]): Finding[] {
  const found = new Map<string, { table: CatalogueTable; scan: Scan; statements: ScannedStatement[] }>()
  for (const statement of statements) {
    if (statement.meanMs < adviceFrom.scanMs) continue
    for (const scan of statement.scans) {
      // A plan names tables without their schema: where two have the name, neither is meant for sure.
      const [table, other] = all.filter(({ name }) => bareName(name) === scan.table)
      if (table === undefined || other !== undefined || table.rows < adviceFrom.scannedRows) continue
      if (scan.expectedRows > table.rows * adviceFrom.foundShare) continue
      if (indexes.some((index) => index.table === table.name && answers(index, scan.columns))) continue
      const key = `${table.name}(${scan.columns.join(',')})`
      const known = found.get(key) ?? { table, scan, statements: [] }
      known.statements.push(statement)
      found.set(key, known)
    }
  }
  return [...found].map(([key, { table, scan, statements: by }]) => {
    const slowest = by.toSorted((a, b) => b.meanMs - a.meanMs)[0]
    return finding(
      'missing-index',
      key,
      {
        title: `Index ${table.name} by ${scan.columns.join(', ')}`,
        detail: `${count(by.length, 'statement')} read all of ${table.name} to find few of its rows. An index leads to just these. It is built without blocking anybody; writes to the table then take a little longer.`,
        evidence: [
          { label: 'Rows in the table', value: number(table.rows) },
          { label: 'Rows expected to be found', value: number(scan.expectedRows) },
          { label: 'Mean of the slowest', value: `${(slowest?.meanMs ?? 0).toFixed(1)} ms` },
          { label: 'Calls in the last hour', value: number(by.reduce((sum, { calls }) => sum + calls, 0)) },
        ],
        sql: `CREATE INDEX CONCURRENTLY ON ${table.name} (${scan.columns.join(', ')});`,
      },
      by.map(({ queryId }) => queryId).slice(0, 20),
    )
  })
}

/** Whether an index begins with these columns, in any order. */
function answers({ isValid, isPlain, columns }: CatalogueIndex, wanted: readonly string[]): boolean {
  return isValid && isPlain && wanted.every((column) => columns.slice(0, wanted.length).includes(column))
}

function invalidIndexes({ indexes }: Catalogue): Finding[] {
  return indexes
    .filter(({ isValid, isBuilding }) => !isValid && !isBuilding)
    .map(({ table, name, sizeBytes }) =>
      finding('invalid-index', name, {
        title: `Remove the invalid index ${name}`,
        detail: `Its creation failed. No statement uses it, but each write to ${table} keeps it up to date.`,
        evidence: [{ label: 'Size', value: bytes(sizeBytes) }],
        sql: `DROP INDEX CONCURRENTLY ${name};`,
      }),
    )
}

function superfluousIndexes({ indexes }: Catalogue): Finding[] {
  const usable = indexes.filter(({ isValid }) => isValid)
  return usable.flatMap((index, place) => {
    if (index.isNeeded) return []
    const same = usable.find(
      (other, otherPlace) =>
        other !== index &&
        other.table === index.table &&
        other.definition === index.definition &&
        // Of two that are alike, the later one is superfluous.
        (other.isNeeded || otherPlace < place),
    )
    const longer = usable.find(
      (other) =>
        other.table === index.table &&
        other.isPlain &&
        index.isPlain &&
        other.columns.length > index.columns.length &&
        index.columns.every((column, at) => other.columns[at] === column),
    )
    const other = same ?? longer
    if (other === undefined) return []
    return finding('duplicate-index', index.name, {
      title: `Remove the index ${index.name}`,
      detail: same
        ? `It is the same as ${other.name}. Each write to ${index.table} maintains both.`
        : `${other.name} begins with the same columns and answers what it answers. Each write to ${index.table} maintains both.`,
      evidence: [
        { label: 'Definition', value: index.definition },
        { label: `Of ${other.name}`, value: other.definition },
        { label: 'Size', value: bytes(index.sizeBytes) },
      ],
      sql: `DROP INDEX CONCURRENTLY ${index.name};`,
    })
  })
}

function unusedIndexes({ indexes, statsSince }: Catalogue, now: Date): Finding[] {
  const countedMs = statsSince === null ? 0 : now.getTime() - statsSince.getTime()
  if (countedMs < adviceFrom.unusedMs) return []
  return indexes
    .filter(
      ({ isNeeded, isValid, scans, sizeBytes }) =>
        !isNeeded && isValid && scans === 0 && sizeBytes >= adviceFrom.bytes,
    )
    .map(({ table, name, sizeBytes }) =>
      finding('unused-index', name, {
        title: `Remove the unused index ${name}`,
        detail: `No statement has used it since the server counts, but each write to ${table} maintains it. Replicas count their own use: look there first.`,
        evidence: [
          { label: 'Uses', value: '0' },
          { label: 'Counted for', value: `${Math.floor(countedMs / dayMs)} days` },
          { label: 'Size', value: bytes(sizeBytes) },
        ],
        sql: `DROP INDEX CONCURRENTLY ${name};`,
      }),
    )
}

function foreignKeys({ foreignKeys: all }: Catalogue): Finding[] {
  return all
    .filter(({ isIndexed, tableBytes }) => !isIndexed && tableBytes >= adviceFrom.bytes)
    .map(({ table, name, columns, referenced, tableBytes }) =>
      finding('foreign-key', `${table}.${name}`, {
        title: `Index the foreign key ${name} of ${table}`,
        detail: `To delete or change a row of ${referenced}, PostgreSQL reads all of ${table} to find rows that refer to it.`,
        evidence: [
          { label: 'Columns', value: columns.join(', ') },
          { label: `Size of ${table}`, value: bytes(tableBytes) },
        ],
        sql: `CREATE INDEX CONCURRENTLY ON ${table} (${columns.join(', ')});`,
      }),
    )
}

function tables({ tables: all, settings: set }: Catalogue): Finding[] {
  const limit = Number(set.find(({ name }) => name === 'autovacuum_freeze_max_age')?.value ?? 200_000_000)
  return all.flatMap(({ name, deadRows, liveRows, vacuumedAt, frozenAge, analyzedAt, rows }) => {
    const found: Finding[] = []
    const share = deadRows / Math.max(1, deadRows + liveRows)
    if (deadRows >= adviceFrom.deadRows && share >= adviceFrom.deadShare) {
      found.push(
        finding('dead-rows', name, {
          title: `Vacuum ${name}`,
          detail:
            'Rows that were deleted or changed still take room, and are read by each scan of the table.',
          evidence: [
            { label: 'Dead rows', value: `${number(deadRows)}, ${Math.round(share * 100)} % of all` },
            { label: 'Last vacuumed', value: vacuumedAt?.toISOString() ?? 'never' },
          ],
          sql: `VACUUM (ANALYZE) ${name};`,
        }),
      )
    }
    if (frozenAge >= Math.max(adviceFrom.frozenAge, 2 * limit)) {
      found.push(
        finding('wraparound', name, {
          title: `Freeze ${name} before transaction numbers run out`,
          detail:
            'PostgreSQL refuses every write once a table was not frozen for 2 billion transactions. Something keeps autovacuum from it: a long transaction, a replication slot, or its settings.',
          evidence: [
            { label: 'Transactions since it was frozen', value: number(frozenAge) },
            { label: 'Autovacuum begins at', value: number(limit) },
          ],
          sql: `VACUUM (FREEZE) ${name};`,
        }),
      )
    }
    if (analyzedAt === null && rows >= adviceFrom.scannedRows) {
      found.push(
        finding('never-analyzed', name, {
          title: `Analyze ${name}`,
          detail: 'The planner knows nothing of its values, so it guesses how many rows a condition finds.',
          evidence: [{ label: 'Rows', value: number(rows) }],
          sql: `ANALYZE ${name};`,
        }),
      )
    }
    return found
  })
}

function sequences({ sequences: all }: Catalogue): Finding[] {
  return all.flatMap(({ name, lastValue, sequenceMax, columnMax, table, column }) => {
    const end = Math.min(sequenceMax, columnMax)
    if (lastValue / end < adviceFrom.sequenceShare) return []
    const isColumn = table !== null && column !== null && columnMax === end && columnMax < widest
    return finding('sequence', name, {
      title: `The sequence ${name} is near its end`,
      detail: isColumn
        ? `Once it is at its end, no row can be added to ${table}. The change of the type writes the table anew and locks it meanwhile: choose the time.`
        : 'Once it is at its end, each statement that asks it for a number fails.',
      evidence: [
        { label: 'Last value', value: number(lastValue) },
        { label: 'End', value: number(end) },
        { label: 'Used', value: `${Math.floor((lastValue / end) * 100)} %` },
      ],
      sql: isColumn
        ? `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE bigint;`
        : sequenceMax < widest
          ? `ALTER SEQUENCE ${name} AS bigint;`
          : null,
    })
  })
}

/** What a bigint holds, as far as a number here does. */
const widest = 2 ** 63

/** Settings that are wrong with this value. */
const wrongSettings: readonly { name: string; value: string; sets: string; detail: string }[] = [
  {
    name: 'autovacuum',
    value: 'off',
    sets: 'on',
    detail: 'Dead rows stay, statistics grow old, and transaction numbers run out in the end.',
  },
  {
    name: 'fsync',
    value: 'off',
    sets: 'on',
    detail: 'A crash of the machine can destroy the data.',
  },
  {
    name: 'full_page_writes',
    value: 'off',
    sets: 'on',
    detail: 'A crash of the machine in the middle of a write can destroy the data.',
  },
  {
    name: 'track_io_timing',
    value: 'off',
    sets: 'on',
    detail: 'How long statements read and write is not measured.',
  },
]

function settings({ settings: all }: Catalogue): Finding[] {
  return wrongSettings.flatMap(({ name, value, sets, detail }) =>
    all.some((each) => each.name === name && each.value === value)
      ? finding('setting', name, {
          title: `Switch ${name} ${sets}`,
          detail: `${detail} A superuser can set it; then SELECT pg_reload_conf() makes it take effect.`,
          evidence: [{ label: name, value }],
          sql: `ALTER SYSTEM SET ${name} = ${sets};`,
        })
      : [],
  )
}

/** A name as a plan writes it: without schema and quotes. */
const bareName = (name: string) => (/^(?:.*\.)?(?:"(.*)"|([^".]+))$/.exec(name) ?? []).slice(1).find(Boolean)

const number = (value: number) => Math.round(value).toLocaleString('en')
const count = (value: number, one: string) => `${value} ${value === 1 ? one : `${one}s`}`
const bytes = (value: number) =>
  value < mebibyte ? `${Math.ceil(value / 1024)} KiB` : `${(value / mebibyte).toFixed(1)} MiB`
