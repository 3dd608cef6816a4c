import type { ErrorGroupStatus } from '@bey/contract'
import { changeStatus } from './change-status.ts'
import { createIngest } from './ingest.ts'
import type { ErrorLogParts, Who } from './parts.ts'
import { createErrorReads } from './reads.ts'

export function createErrorLog(parts: ErrorLogParts) {
  return {
    ...createErrorReads(parts),
    log: createIngest(parts),
    update: (organizationId: number, id: string, status: ErrorGroupStatus, who: Who) =>
      changeStatus(parts, organizationId, id, status, who),
  }
}

export type ErrorLog = ReturnType<typeof createErrorLog>
