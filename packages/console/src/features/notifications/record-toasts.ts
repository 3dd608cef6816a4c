import { api } from '../../lib/api.ts'
import { currentOrganization } from '../../data/session-store.ts'
import { session } from '../../data/session.ts'
import { isTransient } from '../../lib/error-text.ts'
import { listenForClosed, listenForShown } from '../../ui/toast.ts'
import { createRecorder } from './recorder.ts'

let isRecording = false
let toastAt = Number.NEGATIVE_INFINITY

/** When a toast was last shown on this page, in milliseconds since 1970. */
export const lastToastAt = () => toastAt

/** From now on everything that a toast says is kept on the server, for as long as somebody is signed in. */
export function recordToasts(): void {
  if (isRecording) return
  isRecording = true
  const recorder = createRecorder({
    reader: () => {
      const state = session.get()
      const organization = state.phase === 'signed-in' ? currentOrganization(state.user) : undefined
      if (state.phase !== 'signed-in' || !organization) return undefined
      return { userId: state.user.id, organizationId: organization.id }
    },
    isSeen: () => document.visibilityState === 'visible',
    place: () => location.pathname,
    send: (organizationId, notifications) =>
      api.call('notifications.record', { body: { notifications } }, { organizationId, keepalive: true }),
    markRead: (organizationId, id) =>
      api.call(
        'notifications.update',
        { params: { id }, body: { isRead: true } },
        { organizationId, keepalive: true },
      ),
    isTransient,
    newId: newUuid,
    schedule: (callback, delayMs) => void setTimeout(callback, delayMs),
    // oxlint-disable-next-line no-console -- a toast about it would itself have to be kept
    warn: (message, error) => console.warn(message, error),
  })
  listenForShown((message) => {
    toastAt = message.at.getTime()
    recorder.said(message)
  })
  listenForClosed(recorder.closed)
  window.addEventListener('pagehide', () => void recorder.flush())
}

/** RFC 9562, version 4. `crypto.randomUUID` is missing from pages that came over plain http. */
function newUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, '0')
  }).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
