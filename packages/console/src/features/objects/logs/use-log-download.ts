import { ApiError } from '@bey/client'
import { useState } from 'react'
import type { LogQuery } from '../../../data/log-stream.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { toast } from '../../../ui/toast.ts'
import { downloadLogs } from './download-logs.ts'

/** Downloads everything that the cluster keeps of what `query` asks for; says so where that fails. */
export function useLogDownload(clusterId: number, query: LogQuery) {
  const [isDownloading, setDownloading] = useState(false)
  const download = async () => {
    setDownloading(true)
    try {
      const { tail: _tail, follow: _follow, ...body } = query
      await downloadLogs(clusterId, body, `${query.namespace}-${query.name}.log`)
    } catch (caught) {
      const requestId = caught instanceof ApiError ? caught.requestId : ''
      toast('error', 'Failed to download the log', {
        description: causeOf(caught),
        ...(requestId ? { requestId } : {}),
      })
    } finally {
      setDownloading(false)
    }
  }
  return { isDownloading, download }
}
