import type { Health, IngressCertificate } from '@bey/contract'
import { healthy } from '@bey/contract'
import {
  type CertificateState,
  coversHost,
  expiryText,
  ingressLimits,
  isExpiring,
} from '@bey/contract/ingress/rules'

import { type ClusterObjects, fullName, namedSecrets } from './cluster-objects.ts'
import type { FoundCertificate, SecretName } from './certificates.ts'

/** The secret of the Secrets service of which a Secret of a cluster is a copy; undefined where it is none. */
export type CopyOf = (clusterId: number, secret: SecretName) => IngressCertificate['secret']

type Use = { hosts: Set<string>; usedBy: IngressCertificate['usedBy'] }

/** Every certificate that ingresses and gateways of a cluster name, by the name of its Secret. */
export function certificateRows(
  objects: ClusterObjects,
  { nowMs, copyOf }: { nowMs: number; copyOf: CopyOf },
): IngressCertificate[] {
  const uses = usesOf(objects)
  return namedSecrets(objects).map((secret) => {
    const found = objects.certificates.get(fullName(secret)) ?? { unread: 'It was not read yet.' }
    const { hosts = new Set<string>(), usedBy = [] } = uses.get(fullName(secret)) ?? {}
    const facts = 'facts' in found ? found.facts : null
    const state = stateOf(found, nowMs)
    const judged = [...hosts].map((host) => ({
      host,
      isCovered: facts === null ? null : facts.names.some((name) => coversHost(name, host)),
    }))
    const uncovered = judged.filter(({ isCovered }) => isCovered === false).map(({ host }) => host)
    const problems = [
      ...(uncovered.length > 0 ? [`It is not for ${listed(uncovered)}: browsers refuse it there.`] : []),
      ...('facts' in found ? found.problems : []),
    ]
    const text = textOf(found, state, nowMs)
    return {
      clusterId: objects.cluster.id,
      cluster: objects.cluster.title,
      ...secret,
      state,
      text,
      facts,
      problems,
      hosts: judged.slice(0, ingressLimits.hosts),
      usedBy: usedBy.slice(0, ingressLimits.hosts),
      secret: copyOf(objects.cluster.id, secret),
      health: healthOf({ state, text, problems, facts, isUncovered: uncovered.length > 0, secret }),
    }
  })
}

/** Which hosts are to show which certificate, and by which objects. A host that no TLS names is none of them. */
function usesOf({ ingresses, gateways, routes }: ClusterObjects): Map<string, Use> {
  const uses = new Map<string, Use>()
  const add = (secret: string, by: Use['usedBy'][number], hosts: readonly string[]) => {
    const use = uses.get(secret) ?? { hosts: new Set(), usedBy: [] }
    if (!use.usedBy.some((each) => each.kind === by.kind && fullName(each) === fullName(by)))
      use.usedBy.push(by)
    for (const host of hosts) if (host !== '') use.hosts.add(host)
    uses.set(secret, use)
  }
  for (const { namespace, name, tls } of ingresses)
    for (const { secretName, hosts } of tls)
      if (secretName !== null) add(`${namespace}/${secretName}`, { kind: 'Ingress', namespace, name }, hosts)
  for (const { namespace, name, listeners } of gateways)
    for (const listener of listeners) {
      const attached = routes.filter(({ parents }) =>
        parents.some(
          (parent) =>
            parent.namespace === namespace &&
            parent.name === name &&
            (parent.sectionName === '' || parent.sectionName === listener.name),
        ),
      )
      const named = attached
        .flatMap(({ hostnames }) => hostnames)
        .filter((host) => listener.hostname === '' || coversHost(listener.hostname, host))
      const hosts = listener.hostname === '' ? named : [listener.hostname]
      for (const secret of listener.certificates)
        add(fullName(secret), { kind: 'Gateway', namespace, name }, hosts)
    }
  return uses
}

function stateOf(found: FoundCertificate, nowMs: number): CertificateState {
  if ('missing' in found) return 'missing'
  if ('unreadable' in found) return 'unreadable'
  if ('unread' in found) return 'unknown'
  const { notBefore, expiresAt } = found.facts
  if (Date.parse(expiresAt) <= nowMs) return 'expired'
  if (Date.parse(notBefore) > nowMs) return 'not_yet_valid'
  return isExpiring(expiresAt, nowMs) ? 'expiring' : 'valid'
}

function textOf(found: FoundCertificate, state: CertificateState, nowMs: number): string {
  if ('missing' in found) return 'There is no such Secret: the controller shows a certificate of its own.'
  if ('unreadable' in found) return found.unreadable
  if ('unread' in found) return `Not known: ${found.unread}`
  const { expiresAt, notBefore, isSelfSigned, isTrusted } = found.facts
  if (state === 'not_yet_valid') return `Not valid before ${notBefore.slice(0, 10)}.`
  const expiry = expiryText(expiresAt, nowMs)
  const trust = isSelfSigned
    ? ', signs itself'
    : isTrusted
      ? ''
      : ', of an authority that this server does not trust'
  return `${expiry[0]?.toUpperCase()}${expiry.slice(1)}${trust}.`
}

const reasons: Partial<Record<CertificateState, string>> = {
  expired: 'CertificateExpired',
  not_yet_valid: 'CertificateNotYetValid',
  missing: 'CertificateMissing',
  unreadable: 'CertificateUnreadable',
}

function healthOf(of: {
  state: CertificateState
  text: string
  problems: readonly string[]
  facts: IngressCertificate['facts']
  isUncovered: boolean
  secret: SecretName
}): Health {
  const { state, text, problems, facts, isUncovered, secret } = of
  const object = { kind: 'Secret', ...secret }
  const is = (
    health: Health['state'],
    reason: string,
    detail: string,
    since: string | null = null,
  ): Health => ({
    state: health,
    reason,
    detail,
    since,
    object,
  })
  const reason = reasons[state]
  if (reason !== undefined)
    return is('failing', reason, text, state === 'expired' ? (facts?.expiresAt ?? null) : null)
  const [problem] = problems
  if (isUncovered && problem !== undefined) return is('failing', 'CertificateWrongName', problem)
  if (state === 'expiring') return is('degraded', 'CertificateExpires', text)
  if (problem !== undefined) return is('degraded', 'CertificateChain', problem)
  if (state === 'unknown') return is('unknown', 'CertificateUnread', text)
  return healthy
}

/** "a, b and 3 more". */
function listed(all: readonly string[]): string {
  const shown = all.slice(0, 3).join(', ')
  return all.length > 3 ? `${shown} and ${all.length - 3} more` : shown
}
