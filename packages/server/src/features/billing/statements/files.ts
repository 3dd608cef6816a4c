import type { StatementFormat } from '@bey/contract'
import { usageMeters, type UsageMeter, usageServiceTitles } from '@bey/contract/billing/usage-meters'
import { Readable } from 'node:stream'

import type { Database } from '../../../platform/db/database.ts'
import { monthName, monthOf } from '../../../platform/usage/months.ts'
import { decimalOf, decimalText, dividedBy } from '../../../platform/decimal.ts'
import { readLines, type StatementLine, type StatementRow } from './store.ts'

const linesAtOnce = 1_000

type LinesFormat = Exclude<StatementFormat, 'pdf'>
type Cell = string | number | null
type Columns = Readonly<Record<string, (line: StatementLine, of: StatementRow) => Cell>>

const isCorrection = (line: StatementLine, of: StatementRow) => line.month !== of.month
const meterOf = ({ meter }: StatementLine) => usageMeters[meter as UsageMeter]

const csvColumns: Columns = {
  statement: (_line, of) => of.number,
  line: ({ position }) => position,
  kind: (line, of) => (isCorrection(line, of) ? 'correction' : 'usage'),
  month: ({ month }) => month,
  day: ({ day }) => day,
  service: (line) => meterOf(line).service,
  meter: ({ meter }) => meter,
  cluster: ({ cluster }) => cluster,
  namespace: ({ namespace }) => namespace,
  workload: ({ workload }) => workload,
  resource: ({ resource }) => resource,
  provider: ({ provider }) => provider,
  region: ({ region }) => region,
  nodeType: ({ nodeType }) => nodeType,
  quantity: ({ quantity }) => quantity,
  unit: (line) => meterOf(line).unit,
  priceVersion: ({ priceVersion }) => priceVersion,
  amount: ({ amount }) => amount,
  currency: ({ currency }) => currency,
}

const serviceCategories = {
  kubernetes: 'Compute',
  databases: 'Databases',
  logs: 'Management and Governance',
  workflows: 'Integration',
  secrets: 'Security',
  api: 'Integration',
} as const

const chargePeriod = (line: StatementLine, of: StatementRow) => {
  const { days, toMs } = monthOf(line.month, of.timeZone)
  const index = days.findIndex(({ date }) => date === line.day)
  return { fromMs: days[index]?.fromMs ?? Date.parse(line.day), toMs: days[index + 1]?.fromMs ?? toMs }
}
const instant = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

/** Columns of FOCUS (FinOps Open Cost and Usage Specification) 1.0. Nothing is discounted, so all costs are the same. */
const focusColumns: Columns = {
  BilledCost: ({ amount }) => amount,
  EffectiveCost: ({ amount }) => amount,
  ListCost: ({ amount }) => amount,
  ContractedCost: ({ amount }) => amount,
  BillingAccountId: () => 'bey',
  BillingCurrency: ({ currency }) => currency,
  BillingPeriodStart: (_line, of) => of.from,
  BillingPeriodEnd: (_line, of) => of.to,
  ChargePeriodStart: (line, of) => instant(chargePeriod(line, of).fromMs),
  ChargePeriodEnd: (line, of) => instant(chargePeriod(line, of).toMs),
  ChargeCategory: () => 'Usage',
  ChargeClass: (line, of) => (isCorrection(line, of) ? 'Correction' : null),
  ChargeDescription: (line, of) =>
    isCorrection(line, of)
      ? `${meterOf(line).title}, correction of ${monthName(line.month)} ${line.month.slice(0, 4)}`
      : meterOf(line).title,
  ConsumedQuantity: ({ quantity }) => quantity,
  ConsumedUnit: (line) => meterOf(line).unit,
  PricingQuantity: (line) =>
    decimalText(dividedBy(decimalOf(line.quantity), decimalOf(String(meterOf(line).per))), 12),
  PricingUnit: (line) =>
    meterOf(line).per === 1 ? meterOf(line).unit : `${meterOf(line).per} ${meterOf(line).unit}s`,
  ProviderName: () => 'Bey',
  PublisherName: () => 'Bey',
  InvoiceIssuerName: () => 'Bey',
  ServiceCategory: (line) => serviceCategories[meterOf(line).service],
  ServiceName: (line) => usageServiceTitles[meterOf(line).service],
  ResourceId: ({ resourceId, clusterId, namespace, workload }) =>
    resourceId ?? ([clusterId, namespace, workload].filter((part) => part !== null).join('/') || null),
  ResourceName: ({ resource, workload, cluster }) => resource ?? workload ?? cluster,
  RegionId: ({ region }) => region,
  SubAccountId: ({ namespace }) => namespace,
  Tags: ({ labels }) => JSON.stringify(labels),
}

const columnsOf = { csv: csvColumns, focus: focusColumns } as const satisfies Record<LinesFormat, Columns>

/** The lines of a statement as CSV (RFC 4180) with a head. Figures are as exact as the statement. */
export function statementFile(
  database: Pick<Database, 'readTenant'>,
  organizationId: number,
  of: StatementRow,
  format: LinesFormat,
): Readable {
  const columns = columnsOf[format]
  async function* parts() {
    yield `${Object.keys(columns).join(',')}\r\n`
    for (let after = 0; ;) {
      const from = after
      const lines = await database.readTenant(organizationId, (db) =>
        readLines(db, organizationId, of.number, { after: from, limit: linesAtOnce }),
      )
      yield lines
        .map(
          (line) =>
            `${Object.values(columns)
              .map((column) => cellText(column(line, of)))
              .join(',')}\r\n`,
        )
        .join('')
      if (lines.length < linesAtOnce) return
      after = lines.at(-1)?.position ?? after
    }
  }
  return Readable.from(parts())
}

/** A text that a spreadsheet would run as a formula is preceded by an apostrophe; numbers stay numbers. */
function cellText(cell: Cell): string {
  if (cell === null) return ''
  if (typeof cell === 'number') return String(cell)
  const isNumber = /^-?\d+(\.\d+)?$/.test(cell)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
