import type { ErrorGroupStatus } from '@bey/contract'
import type { Who } from '../../platform/act.ts'
import { changeStatus } from './change-status.ts'
import { createIngest } from './ingest.ts'
import type { ErrorLogParts } from './parts.ts'
import { createErrorReads } from './reads.ts'

export function createErrorLog(parts: ErrorLogParts) {
  return {
    ...createErrorReads(parts),
    log: createIngest(parts),
    update: (id: string, status: ErrorGroupStatus, who: Who) => changeStatus(parts, id, status, who),
  }
}

export type ErrorLog = ReturnType<typeof createErrorLog>
