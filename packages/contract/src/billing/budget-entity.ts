import type { BudgetState } from './budget-states.ts'
import type { StatusTone } from '../base/entity.ts'
import { entity } from '../base/entity.ts'

export type BudgetEvents = {
  /** A budget was set, changed, lifted or deleted, or its state changed. */
  BUDGETS_UPDATE: { budgetId: string }
}

/** What webhooks get when a budget reaches a threshold, and when it pauses runs or stops doing so. */
export type BudgetMessage = {
  budgetId: string
  name: string
  state: BudgetState
  /** Month of the organization's time zone. */
  month: string
  amount: string
  spent: string
  currency: string
  /** As a sentence. */
  text: string
}

const sample: BudgetMessage = {
  budgetId: '019a0000-0000-7000-8000-000000000021',
  name: 'All of it',
  state: 'warning',
  month: '2026-11',
  amount: '7200.00',
  spent: '5760.000000',
  currency: 'EUR',
  text: 'All of it has reached 80 % of its budget of €7,200.00.',
}

const messages = [
  { name: 'budget.reached', about: 'A budget reached 50, 80 or 100 % of its amount.', sample },
  {
    name: 'budget.paused',
    about: 'New runs wait, because a budget was exceeded for 24 hours.',
    sample: { ...sample, state: 'enforced', spent: '7344.000000' } satisfies BudgetMessage,
  },
  {
    name: 'budget.resumed',
    about: 'New runs start again after a pause by a budget.',
    sample: { ...sample, state: 'ok', spent: '12.000000' } satisfies BudgetMessage,
  },
] as const

export type BudgetMessageType = (typeof messages)[number]['name']

const tones = {
  ok: 'quiet',
  warning: 'warn',
  exceeded: 'danger',
  grace: 'danger',
  enforced: 'danger',
} as const satisfies Record<BudgetState, StatusTone>

export const budgetEntity = entity({
  idKind: 'uuid',
  singular: 'budget',
  plural: 'budgets',
  icon: 'wallet',
  paths: { list: '/workspaces/settings/billing?tab=budgets' },
  readPermission: 'billing.readAll',
  statuses: tones,
  label: (row: { name: string }) => row.name,
  subtitle: (row: { scopeText: string }) => row.scopeText,
  events: {
    BUDGETS_UPDATE: {
      audience: 'organization',
      changedId: 'budgetId',
      webhook: {
        name: 'budget.updated',
        about: 'A budget was set, changed, lifted or deleted, or its state changed.',
        sample: {
          budgetId: '019a0000-0000-7000-8000-000000000021',
        } satisfies BudgetEvents['BUDGETS_UPDATE'],
      },
    },
  },
  asCode: {
    noun: 'budgets',
    create: 'budgets.create',
    update: 'budgets.update',
    delete: 'budgets.delete',
    version: { field: 'version', sentAs: 'version' },
  },
  subscriptions: {},
  messages,
})
