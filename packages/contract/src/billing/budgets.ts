import { z } from 'zod'
import { budgetActions, budgetStates, budgetThresholds } from './budget-states.ts'
import { endpoint } from '../base/endpoint.ts'
import { decimal } from './prices.ts'
import { actor, nameText, timestamp, uuid } from '../base/schema.ts'

export const budgetScopes = ['all', 'service', 'cluster', 'namespace', 'owner'] as const
export const maxBudgets = 50

const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, 'Enter an amount like 7200 or 7200.50.')
  .refine((text) => Number(text) > 0, 'Enter an amount of more than 0.')

const scope = z
  .strictObject({
    by: z.enum(budgetScopes),
    /** As the filter of spend takes it; empty where `by` is `all`. */
    key: z.string().trim().max(300),
  })
  .refine(({ by, key }) => (by === 'all') === (key === ''), 'Choose what the budget is for.')

const fields = {
  name: nameText('Enter a name for the budget.'),
  amount,
  /** ISO 4217; that of the prices. */
  currency: z.string().regex(/^[A-Z]{3}$/, 'Send a currency of three letters, like EUR.'),
  scope,
  action: z.enum(budgetActions),
}

const budget = z
  .object({
    id: uuid,
    name: z.string(),
    amount: decimal,
    currency: z.string(),
    scope: z.object({ by: z.enum(budgetScopes), key: z.string() }),
    /** `Everything`, or the name of what it is for. */
    scopeText: z.string(),
    action: z.enum(budgetActions),
    state: z.enum(budgetStates),
    stateSince: timestamp,
    month: z.string(),
    /** Of this month so far; null where it is in another currency than the prices. */
    spent: decimal.nullable(),
    /** 0 and more. */
    percent: z.number().nullable(),
    /** What the month will cost; null where nothing is forecast. */
    forecast: decimal.nullable(),
    /** When each threshold was or will be reached, by day; those that will not be are left out. */
    thresholds: z
      .array(
        z.object({
          percent: z.union(budgetThresholds.map((each) => z.literal(each))),
          date: z.iso.date(),
          isReached: z.boolean(),
        }),
      )
      .max(budgetThresholds.length),
    /** How it stands and what follows, as sentences. */
    text: z.string(),
    /** Whether an owner has lifted the pause for this month. */
    isLifted: z.boolean(),
    /** When new runs wait, or will; null where they will not as things are. */
    pausesAt: timestamp.nullable(),
    createdBy: actor.nullable(),
    /** Raised by every change. */
    version: z.number().int(),
  })
  .meta({ id: 'Budget' })
export type Budget = z.infer<typeof budget>

const params = z.object({ id: uuid })
const path = '/api/billing/budgets'
const outdates = [path, '/api/billing/headline']

export const budgetEndpoints = {
  'budgets.list': endpoint({
    method: 'GET',
    path,
    summary: 'Budgets of the organization, how they stand and what follows',
    access: 'billing.readAll',
    response: z.object({
      budgets: z.array(budget).max(maxBudgets),
      /** Of the prices that hold. */
      currency: z.string(),
      month: z.string(),
      /** Why the caller cannot change budgets, with those who can; null where they can. */
      deniedText: z.string().nullable(),
    }),
  }),
  'budgets.create': endpoint({
    method: 'POST',
    path,
    summary: 'Set a budget for a month',
    access: 'billing.manage',
    body: z.strictObject(fields),
    response: budget,
    status: 201,
    keys: 'none',
    outdates,
    errors: ['name_taken', 'limit_reached'],
  }),
  'budgets.update': endpoint({
    method: 'PATCH',
    path: `${path}/{id}`,
    summary: 'Change a budget',
    access: 'billing.manage',
    params,
    body: z.strictObject({ ...z.object(fields).partial().shape, version: z.number().int().min(1) }),
    response: budget,
    keys: 'none',
    outdates,
    errors: ['name_taken', 'conflict'],
  }),
  'budgets.lift': endpoint({
    method: 'POST',
    path: `${path}/{id}/lift`,
    summary: 'Let new runs start again for the rest of the month',
    access: 'billing.manage',
    params,
    response: budget,
    keys: 'none',
    outdates,
    errors: ['conflict'],
  }),
  'budgets.delete': endpoint({
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Delete a budget; what it pauses goes on',
    access: 'billing.manage',
    params,
    response: z.null(),
    status: 204,
    keys: 'none',
    outdates,
  }),
  'billing.headline': endpoint({
    method: 'GET',
    path: '/api/billing/headline',
    summary: 'What this month will cost against its budget, in two sentences',
    access: 'billing.readAll',
    response: z.object({
      /** `November will cost about €7,310, €110 over its budget` */
      title: z.string(),
      text: z.string(),
      /** The budget that the title compares with: that of everything. */
      budgetId: uuid.nullable(),
    }),
  }),
} as const
