import type { Paper, PaperBlock } from '@bey/contract/paper/paper'
import { paperBounds } from '@bey/contract/paper/bounds'
import { type UsageMeter, usageMeters, usageServiceTitles } from '@bey/contract/billing/usage-meters'
import type { Db } from '../../../platform/db/database.ts'
import { decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import { monthName } from '../../../platform/usage/months.ts'
import { timeText } from '../budgets/words.ts'
import { readParts, type StatementPart, type StatementRow } from './store.ts'

const titleOf = (month: string) => `${monthName(month)} ${month.slice(0, 4)}`

/** A statement to print and sign. Its amounts are written with all digits: each table adds up to the last one. */
export async function statementPaper(
  db: Db,
  organizationId: number,
  of: StatementRow,
  {
    organizationName,
    proofText,
    services,
    totals,
  }: {
    organizationName: string
    proofText: string
    services: readonly { name: string; amount: string }[]
    totals: { usage: string; corrections: string; total: string }
  },
): Promise<Paper> {
  const parts = await readParts(db, organizationId, of.number, paperBounds.maxRows)
  const usage = parts.filter(({ month }) => month === of.month)
  const corrections = parts.filter(({ month }) => month !== of.month)
  const leftOut = of.partCount - parts.length
  const seeded = of.isSeeded ? ' Seeded usage is among it.' : ''
  const prices = of.priceVersions.map((each) =>
    each === 0 ? 'the example prices' : `version ${each} of the prices`,
  )
  return {
    title: `Statement ${of.number}: ${titleOf(of.month)}`,
    subtitle: `${organizationName}, days of ${of.timeZone}, ${prices.join(', ')}`,
    asOf: of.frozenAt,
    asOfText: `${timeText(new Date(of.frozenAt), of.timeZone)}, ${of.timeZone}`,
    unread: leftOut > 0 ? [`${leftOut.toLocaleString('en')} smaller rows are in the CSV file only.`] : [],
    sections: [
      {
        id: 'summary',
        title: '',
        blocks: [
          { kind: 'text', isLead: true, text: `${titleOf(of.month)} cost ${totals.total} ${of.currency}.` },
          {
            kind: 'figures',
            figures: [
              ['usage', 'Usage of the month', totals.usage],
              ['corrections', 'Corrections of earlier months', totals.corrections],
              ['total', 'Total', totals.total],
            ].map(([id = '', label = '', value = '']) => {
              return {
                id,
                label,
                value: `${value} ${of.currency}`,
                before: null,
                isEstimate: false,
                source: null,
              }
            }),
          },
          { kind: 'text', isLead: false, text: `${proofText} Nothing is paid through Bey.${seeded}` },
          tableOf(
            'Services',
            ['Service', `Amount, ${of.currency} #`],
            services.map(({ name, amount }) => [name, amount]),
          ),
        ],
      },
      { id: 'usage', title: 'Usage', blocks: [partsTable(usage)] },
      {
        id: 'corrections',
        title: 'Corrections',
        blocks: [
          {
            kind: 'text',
            isLead: false,
            text:
              corrections.length === 0
                ? 'This statement corrects no earlier month.'
                : 'What arrived after its month was frozen. Frozen statements stay as they were.',
          },
          ...(corrections.length === 0 ? [] : [partsTable(corrections, true)]),
        ],
      },
    ],
    sources: [],
  }
}

function partsTable(parts: readonly StatementPart[], hasMonth = false): PaperBlock {
  const total = decimalText(sumOf(parts.map(({ amount }) => decimalOf(amount))))
  return tableOf(
    '',
    [...(hasMonth ? ['Month'] : []), 'Meter', 'Of what', 'Where', 'Quantity #', 'Amount #', 'Currency'],
    parts.map((part) => {
      const { service, title, unit } = usageMeters[part.meter as UsageMeter]
      return [
        ...(hasMonth ? [titleOf(part.month)] : []),
        `${usageServiceTitles[service]}: ${title}`,
        part.name ?? '—',
        [part.cluster, part.namespace].filter((each) => each !== null).join('/') || '—',
        `${part.quantity} ${unit}`,
        part.amount,
        part.currency,
      ]
    }),
    `These rows add up to ${total}.`,
  )
}

function tableOf(title: string, columns: string[], rows: string[][], note = ''): PaperBlock {
  const fit = (text: string) => text.slice(0, paperBounds.maxTextLength)
  return {
    kind: 'table',
    title,
    columns: columns.map((name) => ({ name: name.replace(/ #$/, ''), isNumber: name.endsWith(' #') })),
    rows: rows.map((row) => row.map(fit)),
    emptyText: 'Nothing was used.',
    note,
    source: null,
  }
}
