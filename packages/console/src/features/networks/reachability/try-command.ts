/**
 * How a flow is tried by hand from a pod: undefined where its beginning is nothing that one can enter. `shown` is what the
 * answer is about: the pod of a source whose kind is not said, and the address of a target without a name.
 */
export function tryCommand(
  from: string,
  to: string,
  port: number,
  protocol: string,
  shown: { pod?: string | null | undefined; address?: string | null | undefined } = {},
): string | undefined {
  const source = /^(pod|workload):([^/]+)\/(?:([A-Za-z]+)\/)?([^/]+)$/.exec(from)
  const host = hostOf(to) ?? shown.address ?? undefined
  if (source === null || host === undefined || protocol === 'SCTP') return undefined
  const [, kind, namespace, workloadKind, name] = source
  const subject =
    kind === 'pod' || workloadKind === 'Pod'
      ? name
      : workloadKind === undefined
        ? (shown.pod?.split('/')[1] ?? `deploy/${name}`)
        : `${workloadKind.toLowerCase()}/${name}`
  const udp = protocol === 'UDP' ? ' -u' : ''
  return `kubectl -n ${namespace} exec ${subject} -- \\\n  nc -zv${udp} -w 2 ${host} ${port}`
}

function hostOf(to: string): string | undefined {
  const service = /^service:([^/]+)\/([^/]+)$/.exec(to)
  if (service !== null) return `${service[2]}.${service[1]}`
  return /^address:([^/]+)$/.exec(to)?.[1]
}
