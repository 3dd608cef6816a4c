import { kubectlLine, kubectlObject } from '../../entities/kubernetes/actions/kubectl-line.ts'
import { ListFoot } from '../../ui/list-foot.tsx'
import { momentText } from '../../ui/time-text.ts'
import { asKubernetesObject } from './kubernetes-object.ts'
import type { ObjectSubject } from './object-tabs.tsx'

/** In the strip at the bottom: which version is shown, whether its controller has seen it, and the same with kubectl. */
export function ObjectFoot({ subject: { cluster, detail } }: { subject: ObjectSubject }) {
  const { metadata, status } = asKubernetesObject(detail.object)
  const { generation, namespace = '', name = '' } = metadata ?? {}
  const seen = status?.['observedGeneration']
  const version = [
    ...(generation === undefined ? [] : [`generation ${generation}`]),
    ...(typeof seen === 'number' ? [`seen ${seen}`] : []),
    `as of ${momentText(detail.asOf)}`,
  ]
  return (
    <ListFoot
      count={version.join(' · ')}
      keys={[]}
      command={kubectlLine(
        { clusterTitle: cluster.title, namespace },
        'describe',
        kubectlObject(detail.resource.resource, name),
      )}
    />
  )
}
