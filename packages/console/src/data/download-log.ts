import { api } from '../lib/api.ts'
import { downloadBlob } from '../lib/download.ts'

/** Offers the whole log of a run, or of one of its steps, as a file. Rejects with ApiError. */
export async function downloadRunLog(id: string, runId: string, stepKey: string | undefined): Promise<void> {
  const query = stepKey === undefined ? {} : { stepKey }
  const response = await api.stream('workflows.downloadLogs', { params: { id, runId }, query })
  // Browsers keep a large blob on disk.
  downloadBlob(`run-${runId}${stepKey === undefined ? '' : `-${stepKey}`}.log`, await response.blob())
}
