import type { ClusterSilence } from '../../data/cluster-silence.ts'
import { sinceText } from '../../ui/time-text.ts'

/** "no answer since 00:44". */
export function silenceText({ since }: Pick<ClusterSilence, 'since'>): string {
  return since === null ? 'no answer' : `no answer since ${sinceText(since)}`
}

/** Why nothing can be done in a cluster at the moment. */
export function silentClusterReason(title: string, silence: Pick<ClusterSilence, 'since'>): string {
  return `There is ${silenceText(silence)} from ${title}. This works again once it answers.`
}
