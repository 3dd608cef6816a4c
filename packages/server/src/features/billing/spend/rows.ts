import type { Spend, SpendRow } from '@bey/contract'
import {
  type UsageMeter,
  usageMeters,
  type UsageService,
  usageServiceTitles,
} from '@bey/contract/billing/usage-meters'

import { approximately, type Decimal, decimalText } from '../../../platform/decimal.ts'
import { amountOf, byDay, valueOf } from './day-sums.ts'
import type { SubjectNames, SumRow } from './sums.ts'

export type RowsOf = {
  by: string
  rows: readonly SumRow[]
  before: readonly SumRow[]
  names: ReadonlyMap<string, SubjectNames>
  clusterNames: ReadonlyMap<number, string>
  clusters: readonly number[]
  days: readonly string[]
  total: Decimal
}

/** Rows of the table, dearest first. */
export function presentRows(of: RowsOf): SpendRow[] {
  const before = Map.groupBy(of.before, ({ key }) => key)
  return [...Map.groupBy(of.rows, ({ key }) => key)]
    .map(([key, rows]) => {
      const amount = amountOf(rows)
      return { key, rows, amount, row: presentRow(of, key, rows, amount, before.get(key) ?? []) }
    })
    .toSorted((a, b) => compare(b.amount, a.amount) || a.row.name.localeCompare(b.row.name))
    .map(({ row }) => row)
}

const compare = (a: Decimal, b: Decimal) => (a < b ? -1 : a > b ? 1 : 0)

function presentRow(
  of: RowsOf,
  key: string | null,
  rows: readonly SumRow[],
  amount: Decimal,
  before: readonly SumRow[],
): SpendRow {
  const isShared = rows.some((row) => row.isShared)
  const meters = Map.groupBy(rows, ({ meter }) => meter as UsageMeter)
  return {
    key: key ?? 'none',
    ...nameOf(of, key, rows),
    amount: decimalText(amount),
    percent: of.total === 0n ? 0 : (approximately(amount) / approximately(of.total)) * 100,
    quantities: [...meters].map(([meter, all]) => ({
      meter,
      unit: usageMeters[meter].unit,
      value: decimalText(valueOf(all), 9),
    })),
    byCluster: of.clusters.map((id) => decimalText(amountOf(rows.filter((row) => row.clusterId === id)))),
    byDay: byDay(rows, of.days).map((each) => decimalText(each)),
    lastMonth: decimalText(amountOf(before)),
    isShared: isShared || (of.by === 'namespace' && key === 'kube-system'),
  }
}

function nameOf(
  { by, names, clusterNames }: RowsOf,
  key: string | null,
  rows: readonly SumRow[],
): { name: string; detail: string | null } {
  if (key === null) return { name: noneNames[by] ?? `No ${by.replace('label:', '')}`, detail: null }
  if (rows[0]?.isShared) return { name: 'Idle nodes', detail: 'What no workload requests or uses' }
  // The newest subject has the newest name.
  const newest = rows.reduce((max, { subjectId }) => {
    return subjectId !== null && BigInt(subjectId) > max ? BigInt(subjectId) : max
  }, 0n)
  const subject = names.get(String(newest))
  switch (by) {
    case 'service':
      return { name: usageServiceTitles[key as UsageService], detail: null }
    case 'meter':
      return { name: usageMeters[key as UsageMeter].title, detail: null }
    case 'cluster':
      return { name: clusterNames.get(Number(key)) ?? `Cluster ${key}`, detail: null }
    case 'workload':
      return { name: subject?.workload ?? key, detail: subject?.namespace ?? null }
    case 'resource':
      return { name: subject?.resource ?? key, detail: subject?.cluster ?? null }
    case 'owner':
      return { name: subject?.owner ?? key, detail: null }
    case 'person':
      return { name: subject?.person ?? key, detail: null }
    default:
      return { name: key, detail: null }
  }
}

const noneNames: Readonly<Record<string, string>> = {
  cluster: 'Outside clusters',
  namespace: 'Outside namespaces',
  workload: 'Outside workloads',
  resource: 'Without a resource',
  owner: 'Without an owner',
  person: 'By no person',
}

/** The clusters that cost most, for columns. */
export function columnsOf(
  rows: readonly SumRow[],
  clusterNames: ReadonlyMap<number, string>,
): Spend['clusters'] {
  return [...Map.groupBy(rows, ({ clusterId }) => clusterId)]
    .flatMap(([id, all]) => (id === null ? [] : [{ id, amount: amountOf(all) }]))
    .toSorted((a, b) => compare(b.amount, a.amount) || a.id - b.id)
    .slice(0, 8)
    .map(({ id, amount }) => ({
      key: String(id),
      name: clusterNames.get(id) ?? `Cluster ${id}`,
      amount: decimalText(amount),
    }))
}
