/** Bytes of a kubeconfig; real ones have some kilobytes a context. */
export const maxKubeconfigBytes = 512 * 1024
/** Contexts of one kubeconfig. */
export const maxKubeconfigContexts = 100
/** Clusters that are imported at once. */
export const maxImportedAtOnce = 20
/** Namespaces that are watched one by one, where an account may not watch all of them. */
export const maxWatchedNamespaces = 50

/** A title for a cluster, made of the name of its context: lower-case letters, digits and hyphens, at most 63. */
export function titleOfContext(context: string, taken: readonly string[] = []): string {
  const base = lastPart(context)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 58)
    .replace(/^-+|-+$/g, '')
  const title = base === '' ? 'cluster' : base
  if (!taken.includes(title)) return title
  let number = 2
  while (taken.includes(`${title}-${number}`)) number += 1
  return `${title}-${number}`
}

/** Of a name that a cloud provider made (`arn:aws:eks:eu-1:42:cluster/prod`, `gke_project_zone_prod`) what people call it. */
function lastPart(context: string): string {
  const arn = /^arn:.*\/([^/]+)$/.exec(context)?.[1]
  const google = /^gke_[^_]+_[^_]+_(.+)$/.exec(context)?.[1]
  return arn ?? google ?? context.replace(/^kubernetes-admin@/, '')
}
