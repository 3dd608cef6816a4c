import type { ActionTarget } from './action.ts'

/** The names that people type for these resources. */
const shortNames: Readonly<Record<string, string>> = {
  'deployments.apps': 'deployment',
  'statefulsets.apps': 'statefulset',
  'daemonsets.apps': 'daemonset',
  'replicasets.apps': 'replicaset',
  'jobs.batch': 'job',
  'cronjobs.batch': 'cronjob',
  'horizontalpodautoscalers.autoscaling': 'hpa',
  persistentvolumeclaims: 'pvc',
  persistentvolumes: 'pv',
  pods: 'pod',
  nodes: 'node',
  namespaces: 'namespace',
  services: 'service',
  configmaps: 'configmap',
  secrets: 'secret',
}

/** An object as kubectl names it: `deployment/checkout`. */
export function kubectlObject(resource: string, name: string): string {
  return `${shortNames[resource] ?? resource}/${name}`
}

/** A line to paste into a shell: kubectl with the context of Bey's kubeconfig, the namespace, and its arguments. */
export function kubectlLine(
  { clusterTitle, namespace }: Pick<ActionTarget, 'clusterTitle' | 'namespace'>,
  ...args: readonly string[]
): string {
  const scope = namespace === '' ? [] : ['-n', namespace]
  return ['kubectl', '--context', `bey-${clusterTitle}`, ...scope, ...args].map(shellWord).join(' ')
}

/** The same with a document on its standard input. */
export function kubectlWithInput(line: string, document: unknown): string {
  return `${line} <<'EOF'\n${JSON.stringify(document)}\nEOF`
}

/** One word of a POSIX shell, quoted where it has to be. */
function shellWord(text: string): string {
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", `'\\''`)}'`
}
