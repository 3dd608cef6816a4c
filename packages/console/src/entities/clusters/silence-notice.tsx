import type { Cluster } from '@bey/contract'
import { silenceOf } from '../../data/cluster-silence.ts'
import { useNow } from '../../lib/now.ts'
import { Notice } from '../../ui/notice.tsx'
import { sinceText } from '../../ui/time-text.ts'

/** Above whatever is shown of a cluster: it does not answer, or it is not the one that it was. */
export function SilenceNotice({ cluster }: { cluster: Cluster }) {
  const silence = silenceOf(cluster)
  if (!silence) return <ReplacedNotice at={cluster.replacedAt} />
  const since = silence.since === null ? '' : ` since ${sinceText(silence.since)}`
  return (
    <div className="px-(--gutter) pt-4">
      <Notice tone="warn" title={`No answer from ${cluster.title}${since}`}>
        {silence.reason} What is shown is what it said last. It is asked again every few seconds, and becomes
        live by itself.
      </Notice>
    </div>
  )
}

/** How long it is worth a line above everything else. */
const newsMs = 60 * 60_000

function ReplacedNotice({ at }: { at: string | null }) {
  const nowMs = useNow(at !== null)
  if (at === null || nowMs - Date.parse(at) > newsMs) return null
  return (
    <div className="px-(--gutter) pt-4">
      <Notice tone="info" title={`This cluster was restored or replaced at ${sinceText(at)}`}>
        Everything was read again. Objects that existed before may be gone.
      </Notice>
    </div>
  )
}
