import type { Cluster } from '../api/context.ts'
import { statusesOf } from './pod-status.ts'
import { configMaps, nodes, secrets, type Container, type Pod } from '../types.ts'

/** The files of one running container: what its volumes bring, what every image has, and what was written since. */
export type Files = Map<string, Buffer>

const written = new WeakMap<Cluster, Map<string, Files>>()
/** Containers whose files are remembered; the one not used the longest is forgotten. */
const rememberAtMost = 512

/** What volumes hold that containers write to, such as an emptyDir, as long as they are remembered. */
const shared = new WeakMap<Cluster, Map<string, Files>>()

type Mount = { base: string; volume: Files; inner: string }

/** Files whose changes below the mount of a volume reach everybody who has mounted it. */
class ContainerFiles extends Map<string, Buffer> {
  mounts: readonly Mount[] = []

  override set(path: string, content: Buffer): this {
    for (const { base, volume, inner } of this.mounts)
      if (path.startsWith(`${base}/`)) volume.set(inner + path.slice(base.length), content)
    return super.set(path, content)
  }

  override delete(path: string): boolean {
    for (const { base, volume, inner } of this.mounts) volume.delete(inner + path.slice(base.length))
    return super.delete(path)
  }

  /** Takes over what others have written and removed. */
  refresh(): void {
    for (const { base, volume, inner } of this.mounts) {
      const own = (path: string) => inner + path.slice(base.length)
      for (const path of this.keys())
        if (path.startsWith(`${base}/`) && !volume.has(own(path))) super.delete(path)
      for (const [path, content] of volume)
        if (path.startsWith(`${inner}/`)) super.set(base + path.slice(inner.length), content)
    }
  }
}

/** By what the files of a volume are remembered; undefined for one whose files come from the cluster. */
function volumeKey(pod: Pod, volumeName: string): string | undefined {
  const volume = pod.spec.volumes?.find((one) => one.name === volumeName)
  const claim = volume?.persistentVolumeClaim?.claimName
  if (claim !== undefined) return `claim/${pod.metadata.namespace}/${claim}`
  const host = volume?.hostPath?.path
  if (host !== undefined) return `node/${pod.spec.nodeName}/${host}`
  return volume?.emptyDir || volume?.ephemeral ? `pod/${pod.metadata.uid}/${volumeName}` : undefined
}

/** What was written into a volume of a pod, by path; undefined where nobody has. */
export function filesInVolume(cluster: Cluster, pod: Pod, volumeName: string): Files | undefined {
  return shared.get(cluster)?.get(volumeKey(pod, volumeName) ?? '')
}

function mountsOf(cluster: Cluster, pod: Pod, container: Container): Mount[] {
  const all = shared.get(cluster) ?? new Map<string, Files>()
  shared.set(cluster, all)
  return (container.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    const id = volumeKey(pod, name)
    if (id === undefined) return []
    const files = all.get(id) ?? new Map([['/.keep', text('')]])
    all.delete(id)
    all.set(id, files)
    const [oldest] = all.keys()
    if (all.size > rememberAtMost && oldest !== undefined) all.delete(oldest)
    return [{ base: mountPath.replace(/\/$/, ''), volume: files, inner: subPath ? `/${subPath}` : '' }]
  })
}

function text(value: string): Buffer {
  return Buffer.from(value)
}

function imageFiles(pod: Pod, container: Container): [string, Buffer][] {
  const ip = pod.status?.podIP ?? '127.0.0.1'
  const files: [string, string][] = [
    ['/etc/hostname', `${pod.spec.hostname ?? pod.metadata.name}\n`],
    ['/etc/hosts', `# Kubernetes-managed hosts file.\n127.0.0.1\tlocalhost\n${ip}\t${pod.metadata.name}\n`],
    [
      '/etc/os-release',
      'NAME="Alpine Linux"\nID=alpine\nVERSION_ID=3.22.1\nPRETTY_NAME="Alpine Linux v3.22"\n',
    ],
    ['/etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/:/sbin/nologin\n'],
    [
      '/etc/resolv.conf',
      `search ${pod.metadata.namespace}.svc.cluster.local svc.cluster.local cluster.local\nnameserver 10.96.0.10\noptions ndots:5\n`,
    ],
    ['/bin/sh', ''],
    ['/root/.profile', ''],
    ['/tmp/.keep', ''],
    ['/usr/bin/env', ''],
    ['/var/log/.keep', ''],
  ]
  if (/nginx/.test(container.image ?? '')) {
    files.push([
      '/etc/nginx/nginx.conf',
      'worker_processes  auto;\nevents {\n    worker_connections  1024;\n}\nhttp {\n    include /etc/nginx/conf.d/*.conf;\n}\n',
    ])
    files.push(['/usr/share/nginx/html/index.html', welcomePage])
  }
  return files.map(([path, content]) => [path, text(content)])
}

export const welcomePage =
  '<!DOCTYPE html>\n<html>\n<head><title>Welcome to nginx!</title></head>\n<body>\n<h1>Welcome to nginx!</h1>\n</body>\n</html>\n'

function volumeFiles({ store }: Cluster, pod: Pod, container: Container): [string, Buffer][] {
  const files: [string, Buffer][] = []
  for (const mount of container.volumeMounts ?? []) {
    const volume = pod.spec.volumes?.find((one) => one.name === mount.name)
    const base = mount.mountPath.replace(/\/$/, '')
    const { namespace } = pod.metadata
    const map = volume?.configMap && store.get(configMaps, namespace, volume.configMap.name ?? '')
    for (const [key, value] of Object.entries(map?.data ?? {})) files.push([`${base}/${key}`, text(value)])
    const secret = volume?.secret && store.get(secrets, namespace, volume.secret.secretName ?? '')
    for (const [key, value] of Object.entries(secret?.data ?? {}))
      files.push([`${base}/${key}`, Buffer.from(value, 'base64')])
    if (volume?.projected) {
      files.push([`${base}/namespace`, text(namespace ?? '')])
      const root = store.get(configMaps, namespace, 'kube-root-ca.crt')
      files.push([`${base}/ca.crt`, text(root?.data?.['ca.crt'] ?? '')])
    }
    if (files.every(([path]) => !path.startsWith(`${base}/`))) files.push([`${base}/.keep`, text('')])
  }
  return files
}

/** The files of a container as they are now; what is set in the map stays until the container starts anew. */
export function filesOf(cluster: Cluster, pod: Pod, container: Container): Files {
  const all = written.get(cluster) ?? new Map<string, Files>()
  written.set(cluster, all)
  const restarts = statusesOf(pod.status).find((one) => one.name === container.name)?.restartCount ?? 0
  const id = `${pod.metadata.uid}/${container.name}/${restarts}`
  const known = all.get(id)
  const own = known instanceof ContainerFiles ? known : new ContainerFiles()
  if (!known) for (const [path, content] of imageFiles(pod, container)) own.set(path, content)
  refreshFiles(cluster, pod, container, own)
  if (own.mounts.length === 0) own.mounts = mountsOf(cluster, pod, container)
  own.refresh()
  all.delete(id)
  all.set(id, own)
  const [oldest] = all.keys()
  if (all.size > rememberAtMost && oldest !== undefined) all.delete(oldest)
  return own
}

/** Brings the files of volumes up to date. */
export function refreshFiles(cluster: Cluster, pod: Pod, container: Container, files: Files): void {
  for (const [path, content] of volumeFiles(cluster, pod, container)) files.set(path, content)
  if (files instanceof ContainerFiles) files.refresh()
}

/** What lies directly in a directory, sorted; undefined where there is none. */
export function namesIn(files: Files, directory: string): string[] | undefined {
  const base = directory === '/' ? '/' : `${directory}/`
  const names = new Set<string>()
  for (const path of files.keys()) {
    if (path.startsWith(base)) names.add(path.slice(base.length).split('/')[0] ?? '')
  }
  return names.size > 0 ? [...names].toSorted() : undefined
}

/** The environment that a container's processes see. */
export function environmentOf(cluster: Cluster, pod: Pod, container: Container): Record<string, string> {
  const { store } = cluster
  const { namespace } = pod.metadata
  const environment: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOSTNAME: pod.spec.hostname ?? pod.metadata.name,
    KUBERNETES_SERVICE_HOST: '10.96.0.1',
    KUBERNETES_SERVICE_PORT: '443',
    HOME: '/root',
  }
  for (const { configMapRef, secretRef, prefix = '' } of container.envFrom ?? []) {
    const map = configMapRef && store.get(configMaps, namespace, configMapRef.name ?? '')
    for (const [key, value] of Object.entries(map?.data ?? {})) environment[prefix + key] = value
    const secret = secretRef && store.get(secrets, namespace, secretRef.name ?? '')
    for (const [key, value] of Object.entries(secret?.data ?? {}))
      environment[prefix + key] = Buffer.from(value, 'base64').toString()
  }
  const fields: Record<string, string | undefined> = {
    'metadata.name': pod.metadata.name,
    'metadata.namespace': namespace,
    'metadata.uid': pod.metadata.uid,
    'spec.nodeName': pod.spec.nodeName,
    'spec.serviceAccountName': pod.spec.serviceAccountName,
    'status.podIP': pod.status?.podIP,
    'status.hostIP':
      pod.status?.hostIP ??
      store.get(nodes, undefined, pod.spec.nodeName ?? '')?.status?.addresses?.[0]?.address,
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const map = valueFrom?.configMapKeyRef
    const secret = valueFrom?.secretKeyRef
    if (map) environment[name] = store.get(configMaps, namespace, map.name ?? '')?.data?.[map.key] ?? ''
    else if (secret) {
      const data = store.get(secrets, namespace, secret.name ?? '')?.data?.[secret.key]
      environment[name] = data === undefined ? '' : Buffer.from(data, 'base64').toString()
    } else if (valueFrom?.fieldRef) environment[name] = fields[valueFrom.fieldRef.fieldPath] ?? ''
    else
      environment[name] = (value ?? '').replaceAll(
        /\$\((\w+)\)/g,
        (whole, key: string) => environment[key] ?? whole,
      )
  }
  return environment
}
