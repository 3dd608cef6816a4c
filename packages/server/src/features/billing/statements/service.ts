import type { Statement } from '@bey/contract'
import {
  type UsageMeter,
  usageMeters,
  usageServices,
  usageServiceTitles,
} from '@bey/contract/billing/usage-meters'

import { Readable } from 'node:stream'
import type { Db } from '../../../platform/db/database.ts'
import { AppError } from '../../../platform/errors.ts'
import { answer } from '../../../platform/http/answer.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import type { PaperPrinter } from '../../../platform/paper/print-paper.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import { monthName, monthOfInstant } from '../../../platform/usage/months.ts'
import { type Decimal, decimalOf, decimalText, sumOf } from '../../../platform/decimal.ts'
import type { BillingParts } from '../parts.ts'
import { openMonth } from '../spend/read-month.ts'
import { moneyText, timeText } from '../budgets/words.ts'
import { dueMonths, freezeMonths, freezeMs, linesOf } from './freeze.ts'
import { statementFile } from './files.ts'
import { statementPaper } from './paper.ts'
import { billedOf, listStatements, type StatementRow, sumsByMeter } from './store.ts'

type Names = `statements.${'list' | 'get' | 'download' | 'close'}`

export type StatementPrinting = {
  printer: PaperPrinter
  /** Stands at the foot of each page, for instance "Bey 0.1.0". */
  madeBy: string
}

/** Statements of an organization. What is not the organization's is `not_found`. */
export function statementHandlers({
  database,
  clock,
  printer,
  madeBy,
}: Pick<BillingParts, 'database' | 'clock'> & StatementPrinting): Handlers<Names> {
  return {
    'statements.list': ({ caller: { organizationId } }) =>
      database.readTenant(organizationId, async (db) => {
        const books = await readBooks(db, organizationId)
        const { timeZone } = books
        const month = monthOfInstant(clock.now().getTime(), timeZone)
        const at = new Date(freezeMs(month, timeZone))
        return {
          statements: (await listStatements(db, organizationId)).map(presentStatement),
          due: await dueMonths(db, organizationId, books, clock.now()),
          next: {
            month,
            at: at.toISOString(),
            text: `${monthName(month)} is estimated until it is frozen on ${timeText(at, 'UTC')} UTC. What arrives later stands in the next statement as a correction.`,
          },
        }
      }),

    'statements.close': ({ caller, body: { month } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const now = clock.now()
        const { timeZone } = await readBooks(db, organizationId)
        const at = freezeMs(month, timeZone)
        const name = `${monthName(month)} ${month.slice(0, 4)}`
        if (at > now.getTime())
          throw new AppError(
            'conflict',
            `${name} can be closed from ${timeText(new Date(at), 'UTC')} UTC on.`,
          )
        await freezeMonths(db, organizationId, now, caller)
        const statement = (await listStatements(db, organizationId)).find((each) => each.month === month)
        if (statement === undefined)
          throw new AppError('not_found', `Nothing was metered before ${name} ended.`)
        const { number } = statement
        return keepReply(db, { number, text: `${name} is closed as statement ${number}.` })
      }),

    'statements.get': ({ caller: { organizationId }, params: { number } }) =>
      database.readSnapshot(organizationId, async (db) => {
        const row = found((await listStatements(db, organizationId, number))[0])
        return {
          ...presentStatement(row),
          services: await servicesOf(db, organizationId, number),
          proof: await proofOf(db, organizationId, row),
        }
      }),

    'statements.download': async ({ caller, params: { number }, query: { format } }) => {
      const { organizationId, organizationName } = caller
      const [row] = await database.readTenant(organizationId, (db) =>
        listStatements(db, organizationId, number),
      )
      const of = found(row)
      const kind = format === 'focus' ? '.focus.csv' : `.${format}`
      const headers = {
        'content-disposition': `attachment; filename="statement-${of.number}-${of.month}${kind}"`,
      }
      if (format !== 'pdf') {
        return answer(statementFile(database, organizationId, of, format), {
          headers: { ...headers, 'content-type': 'text/csv; charset=utf-8' },
        })
      }
      const paper = await database.readSnapshot(organizationId, async (db) => {
        const { usageTotal, correctionTotal, total } = presentStatement(of)
        return statementPaper(db, organizationId, of, {
          organizationName,
          proofText: (await proofOf(db, organizationId, of)).text,
          services: await servicesOf(db, organizationId, number),
          totals: { usage: usageTotal, corrections: correctionTotal, total },
        })
      })
      const { bytes } = await printer.print(paper, madeBy)
      return answer(Readable.from([bytes]), { headers: { ...headers, 'content-type': 'application/pdf' } })
    },
  }
}

async function servicesOf(db: Db, organizationId: number, number: number) {
  const byService = new Map<string, Decimal>()
  for (const { meter, amount } of await sumsByMeter(db, organizationId, number)) {
    // Names of meters come from the ledger.
    const { service } = usageMeters[meter as UsageMeter]
    byService.set(service, (byService.get(service) ?? 0n) + decimalOf(amount))
  }
  return usageServices.flatMap((service) => {
    const amount = byService.get(service)
    return amount === undefined
      ? []
      : [{ service, name: usageServiceTitles[service], amount: decimalText(amount) }]
  })
}

/** Whether a statement and its corrections equal the ledger as it is now. */
async function proofOf(db: Db, organizationId: number, row: StatementRow) {
  const books = await readBooks(db, organizationId)
  const lines = await linesOf(db, await openMonth(db, organizationId, row.month, books))
  const ledger = sumOf(lines.map(({ amount }) => decimalOf(amount)))
  const billed = decimalOf(await billedOf(db, organizationId, row.month))
  return {
    isEqual: ledger === billed,
    ledger: decimalText(ledger),
    billed: decimalText(billed),
    text: proofText(row, ledger, billed),
  }
}

function presentStatement(row: StatementRow): Statement {
  const { usageTotal, corrections, partCount: _none, ...statement } = row
  // What is in another currency is listed and not added up.
  const same = corrections.filter(({ currency }) => currency === row.currency)
  const corrected = sumOf(same.map(({ amount }) => decimalOf(amount)))
  const usage = decimalOf(usageTotal)
  return {
    ...statement,
    usageTotal: decimalText(usage),
    correctionTotal: decimalText(corrected),
    total: decimalText(usage + corrected),
    corrections: corrections.map(({ month, amount, currency }) => ({
      month,
      amount: decimalText(decimalOf(amount)),
      text: `${monthName(month)} ${month.slice(0, 4)} changed by ${moneyText(amount, currency)} after it was frozen.`,
    })),
  }
}

function proofText({ month, currency }: StatementRow, ledger: Decimal, billed: Decimal): string {
  if (ledger === billed)
    return `Equals the ledger of ${monthName(month)} to the last digit: ${decimalText(ledger)} ${currency}.`
  return `The ledger of ${monthName(month)} now holds ${decimalText(ledger - billed)} ${currency} more than was billed. The next statement corrects it.`
}

function found(row: StatementRow | undefined): StatementRow {
  if (row === undefined)
    throw new AppError('not_found', 'This statement does not exist in this organization.')
  return row
}
