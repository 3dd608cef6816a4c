import type { Budget, ParsedInput } from '@bey/contract'
import { deniedReason, roleHas } from '@bey/contract'
import { maxBudgets } from '@bey/contract/billing/budgets'

import { act } from '../../../platform/act.ts'
import { uuidv7 } from '../../../platform/crypto/uuid.ts'
import type { Db } from '../../../platform/db/database.ts'
import { violatedConstraint } from '../../../platform/db/failure.ts'
import { lockUntilCommit } from '../../../platform/db/locks.ts'
import { AppError } from '../../../platform/errors.ts'
import type { Handlers } from '../../../platform/http/handlers.ts'
import { keepReply } from '../../../platform/http/kept-reply.ts'
import { monthOfInstant } from '../../../platform/usage/months.ts'
import { readBooks } from '../../../platform/usage/books.ts'
import type { Notify } from '../../notifications/rules/notify.ts'
import { decimalOf, decimalText } from '../../../platform/decimal.ts'
import type { BillingParts } from '../parts.ts'
import { evaluateBudget, tell } from './evaluate.ts'
import { dayOfAmount, measureBudget, openCurrentMonth } from './measure.ts'
import { presentBudget } from './present.ts'
import {
  allBudgets,
  type BudgetRow,
  countBudgets,
  deleteBudget,
  insertBudget,
  lockBudget,
  ownersOf,
  updateBudget,
} from './store.ts'
import { headlineTitle, moneyText, standingText } from './words.ts'

type Names = `budgets.${'list' | 'create' | 'update' | 'lift' | 'delete'}` | 'billing.headline'

/** Budgets of an organization. What is not the organization's is `not_found`. */
export function budgetHandlers({
  database,
  clock,
  notify,
}: Pick<BillingParts, 'database' | 'clock'> & { notify: Notify }): Handlers<Names> {
  async function read(db: Db, organizationId: number, id: string): Promise<Budget> {
    const rows = await allBudgets(db, organizationId)
    const row = found(rows.find((each) => each.id === id))
    const current = await openCurrentMonth(db, organizationId, clock.now())
    return presentBudget(db, current, row, (await ownersOf(db, organizationId)).length)
  }

  return {
    'budgets.list': ({ caller: { organizationId, role } }) =>
      database.readTenant(organizationId, async (db) => {
        const current = await openCurrentMonth(db, organizationId, clock.now())
        const owners = await ownersOf(db, organizationId)
        const budgets: Budget[] = []
        for (const row of await allBudgets(db, organizationId))
          budgets.push(await presentBudget(db, current, row, owners.length))
        return {
          budgets,
          currency: current.books.currency,
          month: current.name,
          deniedText: roleHas(role, 'billing.manage')
            ? null
            : owners.length === 0
              ? (deniedReason(role, 'billing.manage') ?? null)
              : `Budgets are changed by owners. ${owners
                  .slice(0, 3)
                  .map(({ name }) => name)
                  .join(' or ')} can.`,
        }
      }),

    'budgets.create': ({ caller, body }) =>
      orNameTaken(body.name, () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId, user } = caller
          const now = clock.now()
          const id = uuidv7()
          await lockUntilCommit(db, 'budgetCount', organizationId)
          if ((await countBudgets(db, organizationId)) >= maxBudgets)
            throw new AppError(
              'limit_reached',
              `An organization has at most ${maxBudgets} budgets. Delete one first.`,
            )
          const { timeZone } = await readBooks(db, organizationId)
          await insertBudget(db, {
            ...valuesOf(body),
            id,
            organizationId,
            stateSince: now,
            month: monthOfInstant(now.getTime(), timeZone),
            checkAt: now,
            createdBy: user.id,
          })
          await act(db, caller, {
            action: 'budget.create',
            class: 'create',
            target: targetOf(id, body.name),
            diff: body,
          })
          await evaluateBudget(db, { notify }, { organizationId, id, now })
          return keepReply(db, await read(db, organizationId, id))
        }),
      ),

    'budgets.update': ({ caller, params: { id }, body }) =>
      orNameTaken(body.name ?? '', () =>
        database.withTenant(caller.organizationId, async (db) => {
          const { organizationId } = caller
          const now = clock.now()
          const row = found(await lockBudget(db, organizationId, id))
          const { version, ...change } = body
          if (row.version !== version)
            throw new AppError(
              'conflict',
              `Somebody changed "${row.name}" meanwhile. Read it again, so that their change is not lost, and repeat yours.`,
            )
          if (isSame(row, change)) return read(db, organizationId, id)
          // With another amount or scope people have not been notified of its thresholds.
          const isOther = ['amount', 'currency', 'scope'].some((field) => field in change)
          await updateBudget(db, organizationId, id, {
            ...valuesOf(change),
            ...(isOther && { reached: 0 }),
            version: row.version + 1,
            checkAt: now,
          })
          await act(db, caller, {
            action: 'budget.update',
            class: 'update',
            target: targetOf(id, change.name ?? row.name),
            diff: change,
          })
          await evaluateBudget(db, { notify }, { organizationId, id, now })
          return read(db, organizationId, id)
        }),
      ),

    'budgets.lift': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const { organizationId } = caller
        const now = clock.now()
        const row = found(await lockBudget(db, organizationId, id))
        if (row.state !== 'grace' && row.state !== 'enforced')
          throw new AppError('conflict', `"${row.name}" pauses nothing, so there is nothing to lift.`)
        const current = await openCurrentMonth(db, organizationId, now)
        const moved = {
          state: 'ok',
          stateSince: now,
          month: current.name,
          liftedMonth: current.name,
          // Nothing is notified a second time on the way back up.
          reached: 100,
        } as const
        await updateBudget(db, organizationId, id, { ...moved, checkAt: now })
        await act(db, caller, { action: 'budget.lift', class: 'update', target: targetOf(id, row.name) })
        if (row.state === 'enforced') {
          const measured = await measureBudget(current, row)
          await tell(db, notify, {
            row: { ...row, ...moved },
            type: 'budget.resumed',
            title: `${row.name} lets new runs start again`,
            text: `${caller.user.name} has lifted the pause for the rest of the month.`,
            spent: decimalText(measured?.spent ?? 0n),
            concerned: (await ownersOf(db, organizationId)).map((owner) => owner.id),
          })
        }
        await evaluateBudget(db, { notify }, { organizationId, id, now })
        return keepReply(db, await read(db, organizationId, id))
      }),

    'budgets.delete': ({ caller, params: { id } }) =>
      database.withTenant(caller.organizationId, async (db) => {
        const row = found(await lockBudget(db, caller.organizationId, id))
        await deleteBudget(db, caller.organizationId, id)
        await act(db, caller, { action: 'budget.delete', class: 'delete', target: targetOf(id, row.name) })
        return null
      }),

    'billing.headline': ({ caller: { organizationId } }) =>
      database.readTenant(organizationId, async (db) => {
        const current = await openCurrentMonth(db, organizationId, clock.now())
        const rows = await allBudgets(db, organizationId)
        const main = rows.find(
          ({ scopeBy, currency }) => scopeBy === 'all' && currency === current.books.currency,
        )
        const { currency } = current.books
        const measured = await measureBudget(current, main ?? { scopeBy: 'all', scopeKey: '', currency })
        if (measured === undefined)
          throw new Error('The spend in the currency of the prices is always comparable')
        const soFar = `${moneyText(measured.spent, currency)} so far.`
        return {
          title: headlineTitle(current.name, currency, measured, main?.amount),
          text: main
            ? `${soFar} ${standingText(main, measured, {
                reach: dayOfAmount(measured, decimalOf(main.amount)),
                ownerCount: (await ownersOf(db, organizationId)).length,
                timeZone: current.books.timeZone,
              })}`
            : `${soFar} ${measured.forecast.state === 'too_early' ? `${measured.forecast.text} ` : ''}No budget is set, so nobody is notified.`,
          budgetId: main?.id ?? null,
        }
      }),
  }
}

type Given = Partial<ParsedInput<'budgets.create'>['body']>

function valuesOf<G extends Given>({ scope, ...values }: G) {
  return { ...values, ...(scope && { scopeBy: scope.by, scopeKey: scope.key }) } as Omit<G, 'scope'> & {
    scopeBy: BudgetRow['scopeBy']
    scopeKey: string
  }
}

/** Whether a change leaves everything as it is. */
function isSame(row: BudgetRow, change: Given): boolean {
  return Object.entries(valuesOf(change)).every(([field, value]) =>
    // The fields are columns of the row.
    field === 'amount' ? Number(value) === Number(row.amount) : row[field as keyof BudgetRow] === value,
  )
}

const targetOf = (id: string, name: string) => ({ type: 'budget', id, name })

function found(row: BudgetRow | undefined): BudgetRow {
  if (row === undefined) throw new AppError('not_found', 'This budget does not exist in this organization.')
  return row
}

async function orNameTaken<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (violatedConstraint(error) !== 'budgets_name_key') throw error
    throw new AppError('name_taken', `A budget named "${name}" exists already. Choose another name.`, {
      cause: error,
    })
  }
}
