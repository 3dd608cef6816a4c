import type { RuleTarget } from '@bey/contract/networks/security-group-rules'
import { Plus, X } from 'lucide-react'
import type { Network } from '../../../data/networks.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Input } from '../../../ui/input.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextOfLabels } from './text-of-labels.tsx'

/** The pods that a group is put on: of a namespace those with the labels, or all. */
export function TargetFields({
  targets,
  network,
  errors,
  onChange,
}: {
  targets: readonly RuleTarget[]
  network: Network
  errors: Readonly<Record<string, string>>
  onChange: (targets: RuleTarget[]) => void
}) {
  const clusters = clustersOf(network)
  const set = (at: number, part: Partial<RuleTarget>) =>
    onChange(targets.map((each, index) => (index === at ? { ...each, ...part } : each)))
  const [first] = network.attachments.filter(({ clusterId }) => clusterId !== null)
  return (
    <fieldset className="flex flex-col gap-2 max-md:gap-4">
      <legend className="mb-1.5 font-medium">Put on</legend>
      {targets.map((target, at) => (
        <div key={at}>
          <div className="flex items-start gap-2">
            <div className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
              <Select
                aria-label={`Cluster of target ${at + 1}`}
                className="w-44 max-md:w-full"
                value={String(target.clusterId)}
                options={clusters.map(({ id, title }) => ({ value: String(id), label: title }))}
                onChange={(event) => set(at, { clusterId: Number(event.target.value) })}
              />
              <span className="w-40 max-md:w-full">
                <Input
                  aria-label={`Namespace of target ${at + 1}`}
                  placeholder="namespace"
                  value={target.namespace}
                  spellCheck={false}

                  onChange={(event) => set(at, { namespace: event.target.value })}
                />
              </span>
              <TextOfLabels
                label={`Labels of target ${at + 1}`}
                labels={target.labels}
                onChange={(labels) => set(at, { labels })}
              />
            </div>
            <IconButton
              label={`Remove target ${at + 1}`}
              icon={<X size={14} aria-hidden />}
              onClick={() => onChange(targets.filter((_, index) => index !== at))}
            />
          </div>
          {errors[`targets.${at}`] ? (
            <p role="alert" className="mt-1 text-small text-danger">
              {errors[`targets.${at}`]}
            </p>
          ) : null}
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon={<Plus size={14} aria-hidden />}
          disabledReason={
            first === undefined ? 'Attach a cluster or a namespace to the network first.' : undefined
          }
          onClick={() =>
            first?.clusterId != null &&
            onChange([
              ...targets,
              { clusterId: first.clusterId, namespace: first.namespace ?? 'default', labels: {} },
            ])
          }
        >
          Add target
        </Button>
      </div>
    </fieldset>
  )
}

function clustersOf({ attachments }: Network): { id: number; title: string }[] {
  const all = attachments.flatMap(({ clusterId, clusterTitle, name }) =>
    clusterId === null ? [] : [{ id: clusterId, title: clusterTitle ?? name }],
  )
  return all.filter(({ id }, at) => all.findIndex((each) => each.id === id) === at)
}
