import { formatNumber, formatPercent } from '../../lib/format.ts'

/** "2 running, 1 error": what a figure is made of, the greatest part first, nothing that is zero. */
export function partsText(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .filter(([, count]) => count > 0)
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${formatNumber(count)} ${name.toLowerCase().replaceAll('_', ' ')}`)
    .join(', ')
}

/** "98.2% completed" of the runs that are over; undefined while none is. */
export function successText(byStatus: Readonly<Record<string, number>>): string | undefined {
  const completed = byStatus['completed'] ?? 0
  const bad = (byStatus['failed'] ?? 0) + (byStatus['timed_out'] ?? 0) + (byStatus['expired'] ?? 0)
  return completed + bad === 0 ? undefined : `${formatPercent(completed / (completed + bad))} completed`
}

/** Where the objects of the organization are listed: in its one cluster, else by cluster. */
export function objectsHref(clusterIds: readonly number[], tab: string): string {
  const [only, ...others] = clusterIds
  return only !== undefined && others.length === 0
    ? `/kubernetes/clusters/${only}/${tab}`
    : '/kubernetes/clusters'
}
