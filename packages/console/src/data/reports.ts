import type { CallInput, CallOutput } from '@bey/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../lib/api.ts'
import { downloadBlob } from '../lib/download.ts'
import { apiPath, refetchBelow } from './api-query.ts'
import type { LiveReducers } from './live.ts'
import { useOrganizationId } from './session.ts'

export type ReportRow = CallOutput<'reports.list'>['reports'][number]
export type ReportDetail = CallOutput<'reports.get'>
export type ReportIssueDetail = CallOutput<'reports.getIssue'>
export type ReportPreview = CallInput<'reports.preview'>['body']

export const reportReducers: Pick<LiveReducers, 'REPORTS_UPDATE'> = {
  REPORTS_UPDATE: (cache, { organizationId }) => refetchBelow(cache, organizationId, apiPath('reports.list')),
}

/** What a report would say now, by the server; nothing is asked for `undefined`. */
export function useReportPreview(body: ReportPreview | undefined) {
  const organizationId = useOrganizationId()
  return useQuery({
    queryKey: [organizationId, 'report preview', body],
    queryFn: ({ signal }) => {
      if (body === undefined) throw new Error('Nothing is asked for')
      return api.call('reports.preview', { body }, { signal })
    },
    enabled: body !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 0,
  })
}

/** Offers an issue as a file. Rejects with ApiError. */
export async function downloadIssue(
  params: { id: string; issueId: string },
  title: string,
  format: 'pdf' | 'csv' | 'html',
): Promise<void> {
  const response = await api.stream('reports.file', { params, query: { format } })
  downloadBlob(`${title.replaceAll(/[^\p{L}\p{N} ,.-]/gu, '')}.${format}`, await response.blob())
}
