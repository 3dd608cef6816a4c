import { backupPromise, credentialName, promisedCluster, promiseWithoutBackups, sqlName } from '@bey/contract'
import { Archive, Database as DatabaseIcon, HardDrive, KeyRound, Puzzle, User } from 'lucide-react'
import type { DatabaseClusterPlace } from '../../../data/databases.ts'
import { formatCount } from '../../../lib/format.ts'
import { Section } from '../../../ui/section.tsx'
import { type ClusterDraft, parametersOf } from '../cluster/cluster-draft.ts'
import type { ClusterBody } from './creation-draft.ts'
import { Line, PromiseText } from './summary-line.tsx'

/** What is made for a database on a cluster, and what can be promised with it. */
export function ClusterSummary({
  name,
  cluster,
  place,
  policy,
}: {
  name: string
  cluster: ClusterDraft
  place: DatabaseClusterPlace | undefined
  /** Undefined: it gets no backups. */
  policy: ClusterBody['backups']
}) {
  const { instances, storage, namespace, parameters, extensions } = cluster
  const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const
  const promise =
    policy === undefined
      ? promiseWithoutBackups
      : backupPromise(
          { ...policy, recoveryTimeMinutes: policy.recoveryTimeMinutes ?? null },
          promisedCluster(parametersOf(parameters)),
        )
  return (
    <Section title="Summary" isCard>
      <PromiseText {...promise} />
      <ul className="divide-y divide-line">
        <Line
          icon={<DatabaseIcon {...icon} />}
          label={`Cluster ${name}`}
          value={`${place?.title ?? 'cluster'} / ${namespace.trim() || 'namespace'}`}
        />
        <Line
          icon={<HardDrive {...icon} />}
          label={formatCount(instances, 'volume')}
          value={`${storage.trim()} each`}
        />
        <Line icon={<User {...icon} />} label={`Database and user ${sqlName(name)}`} value="owner" />
        <Line
          icon={<KeyRound {...icon} />}
          label={`Secret ${credentialName(name)}`}
          value="made by the operator"
        />
        {extensions.length === 0 ? null : (
          <Line
            icon={<Puzzle {...icon} />}
            label={formatCount(extensions.length, 'extension')}
            value="installed"
          />
        )}
        <Line
          icon={<Archive {...icon} />}
          label="First backup"
          value={
            policy === undefined ? 'none' : policy.schedule === null ? 'on request' : 'as soon as it is ready'
          }
        />
      </ul>
      <p className="mt-3 text-small text-text-3">
        {instances === 1
          ? 'One instance: while its node is away, so is the database.'
          : 'When the node of the primary is lost, another instance takes over.'}
      </p>
    </Section>
  )
}
