import { Section } from '../../ui/section.tsx'
import { EffectiveRules } from './effective-rules.tsx'
import { ReachedList } from './reached-list.tsx'

interface NetworkReachProps {
  clusterId: number
  /** As it is asked about: `workload:shop/Deployment/web`. */
  of: string
  /** Whether packets arrive at it: an ingress only sends them on. */
  isTarget?: boolean
  /** No pod of the cluster: no policy holds for it, and what it calls is not of the cluster. */
  isOutside?: boolean
}

/** Who reaches something, what it reaches, and the rules that hold for it with the policy of each. */
export function NetworkReach({ clusterId, of, isTarget = true, isOutside = false }: NetworkReachProps) {
  return (
    <div className="grid items-start gap-x-8 gap-y-6 px-(--gutter) py-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
      <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-6">
        {isTarget ? (
          <ReachedList
            clusterId={clusterId}
            of={of}
            name="it"
            direction="in"
            port={undefined}
            protocol="TCP"
          />
        ) : null}
        {isOutside ? null : (
          <ReachedList
            clusterId={clusterId}
            of={of}
            name="it"
            direction="out"
            port={undefined}
            protocol="TCP"
          />
        )}
      </div>
      {isOutside ? null : (
        <Section title="Rules that hold for it">
          <EffectiveRules clusterId={clusterId} of={of} />
        </Section>
      )}
    </div>
  )
}
