import { spendDimensions, usageServices } from '@bey/contract'

/** Names that spend and ledger are limited to, in the order in which they are drilled down. */
export const filterKeys = [
  'service',
  'cluster',
  'namespace',
  'workload',
  'resource',
  'owner',
  'person',
  'label',
] as const
type FilterKey = (typeof filterKeys)[number]

const billingTabs = ['spend', 'savings', 'budgets', 'prices', 'statements', 'ledger'] as const
export type BillingTab = (typeof billingTabs)[number]

export interface BillingSearch extends Partial<Record<FilterKey, string>> {
  tab?: BillingTab
  /** `2026-11`; the current one where absent. */
  month?: string
  /** A dimension of spend, or `label:<key>`. */
  by?: string
  chart?: 'day'
  day?: string
  cursor?: string
  /** Of the statement that is shown. */
  number?: number
  /** Id of the saving whose change is open. */
  saving?: string
}

/** What the address says of the page; whatever does not fit is left out. */
export function parseBillingSearch(search: Record<string, unknown>): BillingSearch {
  const result: BillingSearch = {}
  const text = (key: string, pattern: RegExp) => {
    const value = search[key]
    const found = typeof value === 'number' ? String(value) : value
    return typeof found === 'string' && pattern.test(found) ? found : undefined
  }
  const tab = billingTabs.find((each) => each === search['tab'])
  if (tab) result.tab = tab
  const month = text('month', /^20\d\d-(0[1-9]|1[0-2])$/)
  if (month) result.month = month
  const by = text('by', /^(label:[^\s:]{1,128}|[a-z]+)$/)
  if (by && (by.startsWith('label:') || spendDimensions.some((each) => each === by))) result.by = by
  if (search['chart'] === 'day') result.chart = 'day'
  const day = text('day', /^20\d\d-\d\d-\d\d$/)
  if (day) result.day = day
  const cursor = text('cursor', /^\d{1,16}-\d{1,19}$/)
  if (cursor) result.cursor = cursor
  const number = Number(search['number'])
  if (Number.isSafeInteger(number) && number > 0 && number <= 1_000_000) result.number = number
  const saving = text('saving', /^.{1,600}$/)
  if (saving) result.saving = saving
  for (const key of filterKeys) {
    const value = text(key, key === 'label' ? /^[^:]{1,128}:[\s\S]{0,128}$/ : /^.{1,300}$/)
    if (value && (key !== 'service' || usageServices.some((each) => each === value))) result[key] = value
  }
  return result
}

const billingPath = '/workspaces/settings/billing'

/** Address of the page with other settings; undefined ones are left out. */
export function billingHref(search: { [K in keyof BillingSearch]?: BillingSearch[K] | undefined }): string {
  const query = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) if (value !== undefined) query.set(key, String(value))
  const text = query.toString()
  return text === '' ? billingPath : `${billingPath}?${text}`
}

/** The filters of an address, as the server takes them. */
export function filtersOf(search: BillingSearch) {
  const { service, ...rest } = Object.fromEntries(
    filterKeys.flatMap((key) => (search[key] === undefined ? [] : [[key, search[key]]])),
  ) as Partial<Record<FilterKey, string>>
  const known = usageServices.find((each) => each === service)
  return { ...rest, ...(known && { service: known }) }
}

/** Where a row leads: to what it consists of, and in the end to the events behind it. */
export function drillHref(search: BillingSearch, by: string, key: string): string {
  const { month } = search
  const filters = filtersOf(search)
  if (by.startsWith('label:'))
    return billingHref({ ...filters, month, label: `${by.slice(6)}:${key}`, by: 'workload' })
  const next = by === 'service' ? (key === 'kubernetes' ? 'cluster' : 'resource') : nextOf[by]
  const filtered = { ...filters, [by]: key, month }
  return next === undefined
    ? billingHref({ ...filtered, tab: 'ledger' })
    : billingHref({ ...filtered, by: next })
}

const nextOf: Readonly<Record<string, string>> = {
  cluster: 'namespace',
  namespace: 'workload',
  owner: 'service',
  person: 'service',
}
