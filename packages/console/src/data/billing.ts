import type { CallInput, CallOutput, StatementFormat } from '@bey/contract'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { downloadBlob } from '../lib/download.ts'
import { apiKey, apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'
import { useRead } from './use-read.ts'

export type Spend = CallOutput<'billing.spend'>
export type Budget = CallOutput<'budgets.list'>['budgets'][number]
export type PriceList = CallOutput<'prices.list'>
export type MeterPrice = PriceList['versions'][number]['prices'][number]
export type PricePreview = CallOutput<'prices.preview'>
export type SavingList = CallOutput<'savings.list'>
export type Statement = CallOutput<'statements.list'>['statements'][number]

/** Spend moves without an event; this often it is read again. */
export const spendRefreshMs = 60_000

/** Savings rest on measurements by the hour; this often they are read again, and oftener while one is being applied. */
const savingsRefreshMs = 10 * 60_000
const applyingRefreshMs = 5_000

/** What could be saved; follows savings that are being applied to their end. */
export function useSavings() {
  const cache = useQueryClient()
  const organizationId = useOrganizationId()
  const isMoving = (list: SavingList | undefined) =>
    list?.applied.some(({ state }) => state === 'applying' || state === 'undoing') === true
  const known = cache.getQueryData<SavingList>(apiKey(organizationId, 'savings.list', {}))
  return useRead('savings.list', {}, { refreshMs: isMoving(known) ? applyingRefreshMs : savingsRefreshMs })
}

export const billingReducers: Pick<LiveReducers, 'BUDGETS_UPDATE'> = {
  BUDGETS_UPDATE: (cache, { organizationId }) => {
    refetchBelow(cache, organizationId, apiPath('budgets.list'))
    refetchBelow(cache, organizationId, apiPath('billing.headline'))
  },
}

/** What the month would cost under a draft of prices; nothing is asked for `undefined`. */
export function usePricePreview(body: CallInput<'prices.preview'>['body'] | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: [...apiKey(organizationId, 'prices.preview', {}), JSON.stringify(body)],
    queryFn: ({ signal }) => {
      if (body === undefined) throw new Error('Disabled without a draft')
      return api.call('prices.preview', { body }, { signal })
    },
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
  })
}

/** Offers a statement as a file. Rejects with ApiError. */
export async function downloadStatement(
  number: number,
  month: string,
  format: StatementFormat,
): Promise<void> {
  const response = await api.stream('statements.download', { params: { number }, query: { format } })
  downloadBlob(
    `statement-${number}-${month}.${format === 'focus' ? 'focus.csv' : format}`,
    await response.blob(),
  )
}
