import type { CallInput } from '@bey/contract'
import { api } from '../../../lib/api.ts'
import { downloadBlob } from '../../../lib/download.ts'

/** Offers everything that the cluster keeps of a log as a file. Rejects with ApiError. */
export async function downloadLogs(
  clusterId: number,
  body: NonNullable<CallInput<'kubernetes.downloadLogs'>['body']>,
  fileName: string,
): Promise<void> {
  const response = await api.stream('kubernetes.downloadLogs', { params: { id: clusterId }, body })
  // Browsers keep a large blob on disk.
  downloadBlob(fileName, await response.blob())
}
