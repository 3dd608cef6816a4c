/** How a flow is tried by hand from a pod: undefined where its beginning is nothing that one can enter. */
export function tryCommand(from: string, to: string, port: number, protocol: string): string | undefined {
  const source = /^(pod|workload):([^/]+)\/(?:([A-Za-z]+)\/)?([^/]+)$/.exec(from)
  const host = hostOf(to)
  if (source === null || host === undefined || protocol === 'SCTP') return undefined
  const [, kind, namespace, workloadKind, name] = source
  const subject = kind === 'pod' ? name : `${(workloadKind ?? 'deploy').toLowerCase()}/${name}`
  const udp = protocol === 'UDP' ? ' -u' : ''
  return `kubectl -n ${namespace} exec ${subject} -- \\\n  nc -zv${udp} -w 2 ${host} ${port}`
}

function hostOf(to: string): string | undefined {
  const service = /^service:([^/]+)\/([^/]+)$/.exec(to)
  if (service !== null) return `${service[2]}.${service[1]}`
  return /^address:([^/]+)$/.exec(to)?.[1]
}
