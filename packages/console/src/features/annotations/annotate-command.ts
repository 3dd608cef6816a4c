import { deniedReason } from '@bey/contract'
import { session } from '../../data/session.ts'
import { currentOrganization } from '../../data/session-store.ts'
import { toast } from '../../ui/toast.ts'
import { setAnnotationMode } from '../../data/annotation-mode.ts'

/** Begins to annotate the page on screen, or says why that is not for this user. */
export function annotatePage(): void {
  const state = session.get()
  const role = (state.phase === 'signed-in' ? currentOrganization(state.user)?.role : undefined) ?? 'VIEWER'
  const reason = deniedReason(role, 'annotations.create')
  if (reason) toast('info', 'You cannot annotate pages', { description: reason })
  else setAnnotationMode(true)
}
