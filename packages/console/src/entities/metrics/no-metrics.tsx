import { absent } from '../../lib/format.ts'
import { CodeBlock } from '../../ui/code-block.tsx'

const install =
  'kubectl apply -f https://github.com/kubernetes-sigs/metrics-server/releases/latest/download/components.yaml'

/** In place of a chart of use, where the cluster does not measure it: how to make it. */
export function NoMetrics({ cluster }: { cluster?: string }) {
  return (
    <div className="flex flex-1 flex-col justify-center gap-2 border-y border-line py-4">
      <p className="text-text-2">
        <span className="mr-2 font-medium text-text">{absent}</span>
        {cluster ? `${cluster} does` : 'The clusters do'} not measure what is used: metrics.k8s.io is not
        served. Install metrics-server, and curves begin within a minute.
      </p>
      <CodeBlock label="Install metrics-server" text={install} />
    </div>
  )
}

/** In place of a chart where the cluster measures, but not in this range. */
export function NothingMeasured({ what = 'Nothing was measured in this range.' }: { what?: string }) {
  return (
    <div className="flex flex-1 items-center border-y border-line py-4 text-text-2">
      <span className="mr-2 font-medium text-text">{absent}</span>
      {what}
    </div>
  )
}
