import type { MetricSource, MetricSourceTarget } from '@bey/contract'
import { isKubernetesLabel, isServicePort, metricSourceUrlError, nameError } from '@bey/contract'
import type { FieldErrors } from '../../../lib/use-submission.ts'

/** A data source as it is typed. */
export interface SourceDraft {
  name: string
  kind: MetricSourceTarget['kind']
  url: string
  auth: 'none' | 'bearer' | 'basic'
  username: string
  /** Empty: none is chosen. */
  secretId: string
  caPem: string
  /** Empty: none is chosen. */
  clusterId: string
  namespace: string
  service: string
  port: string
  isTls: boolean
}

/** The Prometheus of a cluster as its usual charts install it. */
export const emptySource: SourceDraft = {
  name: '',
  kind: 'url',
  url: '',
  auth: 'none',
  username: '',
  secretId: '',
  caPem: '',
  clusterId: '',
  namespace: 'monitoring',
  service: 'prometheus-operated',
  port: '9090',
  isTls: false,
}

export function draftOf({ name, target }: MetricSource): SourceDraft {
  if (target.kind === 'cluster') {
    return { ...emptySource, ...target, name, clusterId: String(target.clusterId) }
  }
  const { auth } = target
  return {
    ...emptySource,
    name,
    kind: 'url',
    url: target.url,
    caPem: target.caPem,
    auth: auth.kind,
    username: auth.kind === 'basic' ? auth.username : '',
    secretId: auth.kind === 'none' ? '' : auth.secretId,
  }
}

/** How the store of a draft is reached. */
export function targetOf(draft: SourceDraft): MetricSourceTarget {
  const { kind, url, auth, username, secretId, caPem, clusterId, namespace, service, port, isTls } = draft
  if (kind === 'cluster') {
    return {
      kind,
      clusterId: Number(clusterId),
      namespace: namespace.trim(),
      service: service.trim(),
      port: port.trim(),
      isTls,
    }
  }
  return {
    kind,
    url: url.trim(),
    auth:
      auth === 'none'
        ? { kind: auth }
        : auth === 'bearer'
          ? { kind: auth, secretId }
          : { kind: auth, username: username.trim(), secretId },
    caPem: caPem.trim(),
  }
}

/** What is wrong with a draft, by field; `hasName` leaves the name out, for a test. */
export function invalidIn(draft: SourceDraft, hasName = true): FieldErrors {
  const { kind, url, auth, username, secretId, clusterId, namespace, service, port } = draft
  const name = draft.name.trim()
  const label = 'Use lower-case letters, digits and hyphens.'
  const problems: Record<string, string | undefined> = {
    name: !hasName ? undefined : name === '' ? 'Enter a name for the data source.' : nameError(name),
    ...(kind === 'url'
      ? {
          url: metricSourceUrlError(url.trim()),
          secretId: auth !== 'none' && secretId === '' ? 'Choose the secret.' : undefined,
          username: auth === 'basic' && username.trim() === '' ? 'Enter a user name.' : undefined,
        }
      : {
          clusterId: clusterId === '' ? 'Choose a cluster.' : undefined,
          namespace: isKubernetesLabel(namespace.trim()) ? undefined : label,
          service: isKubernetesLabel(service.trim()) ? undefined : label,
          port: isServicePort(port.trim()) ? undefined : 'Enter the number of a port, or its name.',
        }),
  }
  return Object.fromEntries(
    Object.entries(problems).flatMap(([field, problem]) => (problem === undefined ? [] : [[field, problem]])),
  )
}
