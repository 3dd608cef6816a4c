import type { Verdict } from './verdict.ts'
import { fine, verdict } from './verdict.ts'

const dayMs = 24 * 60 * 60 * 1000
/** kubeadm and managed clusters renew theirs earlier by themselves: one that comes so near was forgotten. */
const nearMs = 30 * dayMs
const urgentMs = 7 * dayMs

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Pure: the certificate of an API server, by when it ends; fine where that is not known. */
export function certificateHealth(endsAtMs: number | null, nowMs: number): Verdict {
  if (endsAtMs === null) return fine
  const leftMs = endsAtMs - nowMs
  if (leftMs > nearMs) return { health: fine.health, changesAtMs: endsAtMs - nearMs }
  const day = dayFormat.format(endsAtMs)
  const renew = 'renew it (kubeadm certs renew apiserver, or as the provider of the cluster says)'
  if (leftMs <= 0) {
    const detail = `the certificate of its API server ended on ${day}: ${renew}`
    return verdict('failing', 'CertificateEnded', detail, endsAtMs)
  }
  const detail = `the certificate of its API server ends on ${day}, and nothing reaches the cluster after that: ${renew}`
  const isUrgent = leftMs <= urgentMs
  return verdict(
    isUrgent ? 'failing' : 'degraded',
    'CertificateEnding',
    detail,
    endsAtMs - (isUrgent ? urgentMs : nearMs),
    isUrgent ? endsAtMs : endsAtMs - urgentMs,
  )
}
