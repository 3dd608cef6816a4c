/** A time in which pods of a cluster were failing. `toMs` is null while they still are. */
export type Incident = { clusterId: number; name: string; fromMs: number; toMs: number | null; most: number }

export type FailingPods = {
  clusterId: number
  name: string
  /** The most pods that were failing at once in each step; null where nothing was measured. */
  maxima: readonly (number | null)[]
}

/**
 * Times in which pods of a cluster were failing, oldest first. A step without a measurement ends none: what could not be
 * seen in between is not known to have been well.
 */
export function incidentsOf(
  { clusterId, name, maxima }: FailingPods,
  { fromMs, stepMs }: { fromMs: number; stepMs: number },
): Incident[] {
  const incidents: Incident[] = []
  let open: Incident | undefined
  for (const [index, failing] of maxima.entries()) {
    if (failing === null) continue
    const atMs = fromMs + index * stepMs
    if (failing > 0) {
      if (open) open.most = Math.max(open.most, failing)
      else incidents.push((open = { clusterId, name, fromMs: atMs, toMs: null, most: failing }))
    } else if (open) {
      open.toMs = atMs
      open = undefined
    }
  }
  return incidents
}
