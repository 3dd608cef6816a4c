import type { MetricSource } from '@bey/contract'
import { useChange } from '../../../data/use-change.ts'
import { causeOf } from '../../../lib/error-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Link } from '../../../ui/link.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { RelativeTime } from '../../../ui/relative-time.tsx'
import { Section } from '../../../ui/section.tsx'
import { toast } from '../../../ui/toast.ts'

export interface SourceSectionProps {
  source: MetricSource
  /** Why it may not be changed. */
  disabledReason: string | undefined
  onChange: () => void
  onDelete: () => void
}

/** One data source: how it is reached, and whether it worked when it was last tested. */
export function SourceSection({ source, disabledReason, onChange, onDelete }: SourceSectionProps) {
  const { id, name, problem, testedAt } = source
  const check = useChange('metrics.sources.check')
  return (
    <Section
      title={name}
      isCard
      aside={
        <span className="flex gap-2">
          <Button
            size="small"
            busy={check.isPending}
            disabledReason={disabledReason}
            onClick={() =>
              check.mutate(
                { params: { id } },
                { onError: (error) => toast('error', `Failed to test ${name}: ${causeOf(error)}`) },
              )
            }
          >
            Test
          </Button>
          <Button size="small" disabledReason={disabledReason} onClick={onChange}>
            Change
          </Button>
          <Button size="small" disabledReason={disabledReason} onClick={onDelete}>
            Delete
          </Button>
        </span>
      }
    >
      {problem === null ? null : (
        <div className="mb-2">
          <Notice tone="danger" title="It did not work when it was last tested">
            {problem}
          </Notice>
        </div>
      )}
      <Facts
        facts={[
          ...reachedBy(source),
          { label: 'Tested', value: testedAt === null ? 'Not yet' : <RelativeTime at={testedAt} /> },
          { label: 'Read in', value: <Link href={`/analytics/metrics?source=${id}`}>Metrics</Link> },
        ]}
      />
    </Section>
  )
}

const mono = (text: string) => <code className="font-mono text-small">{text}</code>

function reachedBy({ target, clusterName, secretName }: MetricSource) {
  if (target.kind === 'cluster') {
    const { clusterId, namespace, service, port } = target
    return [
      {
        label: 'Cluster',
        value:
          clusterName === null ? (
            'It is gone'
          ) : (
            <Link href={`/kubernetes/clusters/${clusterId}`}>{clusterName}</Link>
          ),
      },
      { label: 'Service', value: mono(`${namespace}/${service}:${port}`) },
    ]
  }
  const { auth, url, caPem } = target
  return [
    { label: 'Address', value: mono(url) },
    ...(auth.kind === 'none'
      ? []
      : [
          {
            label: auth.kind === 'bearer' ? 'Token' : `Password of ${auth.username}`,
            value:
              secretName === null ? (
                'The secret is gone'
              ) : (
                <Link href={`/secrets/${auth.secretId}`}>{secretName}</Link>
              ),
          },
        ]),
    ...(caPem === '' ? [] : [{ label: 'Authority', value: 'A certificate of its own' }]),
  ]
}
