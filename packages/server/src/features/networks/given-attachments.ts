import type { GivenAttachment } from '@bey/contract'

import type { AttachmentRow } from './attachment-rows.ts'

/** What is attached, in the form in which it is given. */
export function givenOf(attached: readonly AttachmentRow[]): GivenAttachment[] {
  return attached.map(({ kind, clusterId, namespace, databaseId }) => {
    if (kind === 'database') return { kind, databaseId: databaseId ?? '' }
    if (kind === 'cluster') return { kind, clusterId: clusterId ?? 0 }
    return { kind, clusterId: clusterId ?? 0, namespace: namespace ?? '' }
  })
}
