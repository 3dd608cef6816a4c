import { at, isObject, listAt, numberAt, plain, textAt, type Json, type JsonObject } from '../json.ts'

/** One rule of the Pod Security Standards that a pod breaks. */
export type Violation = { reason: string; detail: string }

type Check = (spec: JsonObject) => Violation | undefined

const quotedList = (names: readonly string[]) => names.map((name) => JSON.stringify(name)).join(', ')
const some = (word: string, names: readonly unknown[]) => (names.length === 1 ? word : `${word}s`)
const these = (names: readonly string[]) => `${some('container', names)} ${quotedList(names)}`

function containersOf(spec: JsonObject): Json[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((part) => listAt(spec, part))
}

/** The names of the containers about which something is true. */
function named(spec: JsonObject, test: (container: Json) => boolean): string[] {
  return containersOf(spec)
    .filter(test)
    .map((one) => textAt(one, 'name') ?? '')
}

const own = (one: Json, ...path: string[]): Json | undefined => at(one, 'securityContext', ...path)

/** A rule about each container for itself. */
function each(reason: string, test: (container: Json) => boolean, must: string): Check {
  return (spec) => {
    const names = named(spec, test)
    return names.length > 0 ? { reason, detail: `${these(names)} ${must}` } : undefined
  }
}

const baselineCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(
    ' ',
  ),
)

function addedCapabilities(spec: JsonObject, allowed: ReadonlySet<string>): string | undefined {
  const added = (one: Json) =>
    listAt(one, 'securityContext', 'capabilities', 'add').filter((name) => !allowed.has(plain(name)))
  const names = named(spec, (one) => added(one).length > 0)
  if (names.length === 0) return undefined
  const capabilities = [...new Set(containersOf(spec).flatMap(added).map(plain))].toSorted()
  return `${these(names)} must not include ${quotedList(capabilities)} in securityContext.capabilities.add`
}

const safeSysctls = new Set([
  'kernel.shm_rmid_forced',
  'net.ipv4.ip_local_port_range',
  'net.ipv4.ip_unprivileged_port_start',
  'net.ipv4.tcp_syncookies',
  'net.ipv4.ping_group_range',
  'net.ipv4.ip_local_reserved_ports',
  'net.ipv4.tcp_keepalive_time',
  'net.ipv4.tcp_fin_timeout',
  'net.ipv4.tcp_keepalive_intvl',
  'net.ipv4.tcp_keepalive_probes',
])

const safeVolumes = new Set(
  'configMap csi downwardAPI emptyDir ephemeral persistentVolumeClaim projected secret image'.split(' '),
)

const volumeType = (volume: Json) =>
  Object.keys(isObject(volume) ? volume : {}).find((key) => key !== 'name') ?? 'unknown'

function unconfined(spec: JsonObject): string | undefined {
  const isBad = (one: Json) => own(one, 'seccompProfile', 'type') === 'Unconfined'
  const names = named(spec, isBad)
  const who = [...(isBad(spec) ? ['pod'] : []), ...(names.length > 0 ? [these(names)] : [])]
  return who.length > 0
    ? `${who.join(' and ')} must not set securityContext.seccompProfile.type to "Unconfined"`
    : undefined
}

const detailed = (reason: string, detail: string | undefined) =>
  detail === undefined || detail === '' ? undefined : { reason, detail }

const baseline: Record<string, Check> = {
  capabilities: (spec) => detailed('non-default capabilities', addedCapabilities(spec, baselineCapabilities)),
  hostNamespaces(spec) {
    const set = ['hostNetwork', 'hostPID', 'hostIPC'].filter((name) => spec[name] === true)
    return detailed('host namespaces', set.map((name) => `${name}=true`).join(', '))
  },
  hostPath(spec) {
    const names = listAt(spec, 'volumes')
      .filter((one) => at(one, 'hostPath') !== undefined)
      .map((one) => textAt(one, 'name') ?? '')
    return names.length > 0
      ? { reason: 'hostPath volumes', detail: `${some('volume', names)} ${quotedList(names)}` }
      : undefined
  },
  hostPorts(spec) {
    const ports = (one: Json) => listAt(one, 'ports').flatMap((port) => numberAt(port, 'hostPort') || [])
    const names = named(spec, (one) => ports(one).length > 0)
    const all = [...new Set(containersOf(spec).flatMap(ports))]
    const use = names.length === 1 ? 'uses' : 'use'
    return names.length > 0
      ? { reason: 'hostPort', detail: `${these(names)} ${use} ${some('hostPort', all)} ${all.join(', ')}` }
      : undefined
  },
  privileged: each(
    'privileged',
    (one) => own(one, 'privileged') === true,
    'must not set securityContext.privileged=true',
  ),
  procMount: each(
    'procMount',
    (one) => ![undefined, 'Default'].includes(textAt(one, 'securityContext', 'procMount')),
    'must not set securityContext.procMount to "Unmasked"',
  ),
  seccomp: (spec) => detailed('seccompProfile', unconfined(spec)),
  sysctls(spec) {
    const set = listAt(spec, 'securityContext', 'sysctls').map((one) => textAt(one, 'name') ?? '')
    return detailed('forbidden sysctls', set.filter((name) => !safeSysctls.has(name)).join(', '))
  },
}

const restricted: Record<string, Check> = {
  allowPrivilegeEscalation: each(
    'allowPrivilegeEscalation != false',
    (one) => own(one, 'allowPrivilegeEscalation') !== false,
    'must set securityContext.allowPrivilegeEscalation=false',
  ),
  capabilities(spec) {
    const keeping = named(
      spec,
      (one) => !listAt(one, 'securityContext', 'capabilities', 'drop').includes('ALL'),
    )
    const drop =
      keeping.length > 0 ? `${these(keeping)} must set securityContext.capabilities.drop=["ALL"]` : ''
    const add = addedCapabilities(spec, new Set(['NET_BIND_SERVICE'])) ?? ''
    return detailed('unrestricted capabilities', [drop, add].filter(Boolean).join('; '))
  },
  volumes(spec) {
    const bad = listAt(spec, 'volumes').filter((one) => !safeVolumes.has(volumeType(one)))
    const names = bad.map((one) => textAt(one, 'name') ?? '')
    const types = [...new Set(bad.map(volumeType))].toSorted()
    const use = names.length === 1 ? 'uses' : 'use'
    const what = some('restricted volume type', types)
    return names.length > 0
      ? {
          reason: 'restricted volume types',
          detail: `${some('volume', names)} ${quotedList(names)} ${use} ${what} ${quotedList(types)}`,
        }
      : undefined
  },
  runAsNonRoot(spec) {
    const isSaid = own(spec, 'runAsNonRoot')
    const wrong = named(spec, (one) => own(one, 'runAsNonRoot') === false)
    const silent = named(spec, (one) => own(one, 'runAsNonRoot') === undefined)
    const set = 'must not set securityContext.runAsNonRoot=false'
    if (wrong.length > 0) return { reason: 'runAsNonRoot != true', detail: `${these(wrong)} ${set}` }
    if (isSaid === true || silent.length === 0) return undefined
    if (isSaid === false) return { reason: 'runAsNonRoot != true', detail: `pod ${set}` }
    const detail = `pod or ${these(silent)} must set securityContext.runAsNonRoot=true`
    return { reason: 'runAsNonRoot != true', detail }
  },
  runAsUser(spec) {
    const names = named(spec, (one) => own(one, 'runAsUser') === 0)
    const who = [
      ...(own(spec, 'runAsUser') === 0 ? ['pod'] : []),
      ...(names.length > 0 ? [these(names)] : []),
    ]
    return detailed('runAsUser=0', who.length > 0 ? `${who.join(' and ')} must not set runAsUser=0` : '')
  },
  seccomp(spec) {
    const type = (one: Json) => textAt(one, 'securityContext', 'seccompProfile', 'type')
    const bad = unconfined(spec)
    if (bad !== undefined) return { reason: 'seccompProfile', detail: bad }
    const silent = named(spec, (one) => type(one) === undefined)
    if (type(spec) !== undefined || silent.length === 0) return undefined
    const must = 'must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"'
    return { reason: 'seccompProfile', detail: `pod or ${these(silent)} ${must}` }
  },
}

/** What the stricter level has a rule of its own for. */
const overridden = new Set(['capabilities', 'hostPath', 'seccomp'])

/** The rules of a level of the Pod Security Standards that a pod's spec breaks, in their order. */
export function violationsOf(level: string, spec: JsonObject): Violation[] {
  if (level !== 'baseline' && level !== 'restricted') return []
  const isRestricted = level === 'restricted'
  const first = Object.entries(baseline).filter(([name]) => !isRestricted || !overridden.has(name))
  const checks = [...first, ...(isRestricted ? Object.entries(restricted) : [])]
  return checks.flatMap(([, check]) => check(spec) ?? [])
}
