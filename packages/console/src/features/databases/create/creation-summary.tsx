import { backupPromise, credentialName, planDiskBytes, sqlName } from '@bey/contract'
import {
  Activity,
  Archive,
  Database as DatabaseIcon,
  HardDrive,
  KeyRound,
  Puzzle,
  Shield,
  SlidersHorizontal,
  User,
} from 'lucide-react'
import type { DatabaseClusterPlace, DatabasePlaces } from '../../../data/databases.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import { policyBody, type PolicyDraft } from '../backups/policy-draft.ts'
import type { ClusterDraft } from '../cluster/cluster-draft.ts'
import { ClusterSummary } from './cluster-summary.tsx'
import type { ClusterBody, CreationDraft } from './creation-draft.ts'
import { Line, PromiseText } from './summary-line.tsx'
import { settingsBody, type SettingsDraft } from './settings-draft.ts'

/** What is created, and what it takes of the machine. */
export function CreationSummary({
  draft,
  places,
  cluster,
  clusterPlace,
  policy,
  clusterPolicy,
  networks,
  settings,
}: {
  draft: Pick<CreationDraft, 'provider' | 'name' | 'plan'>
  places: DatabasePlaces
  cluster: ClusterDraft
  clusterPlace: DatabaseClusterPlace | undefined
  policy: PolicyDraft
  /** Of one on a cluster; undefined: it gets no backups. */
  clusterPolicy: ClusterBody['backups']
  /** From how many it is reached beside this machine. */
  networks: number
  settings: SettingsDraft
}) {
  const { embedded } = places
  const name = draft.name.trim() || 'name'
  const plan = embedded.plans.find(({ id }) => id === draft.plan)
  const icon = { size: 14, strokeWidth: 1.75, 'aria-hidden': true } as const
  if (draft.provider === 'external') {
    return (
      <Section title="Summary" isCard>
        <ul className="divide-y divide-line">
          <Line icon={<KeyRound {...icon} />} label={`Secret ${credentialName(name)}`} value="its password" />
          <Line icon={<Activity {...icon} />} label="Checked every 15 s" value="state and figures" />
        </ul>
        <p className="mt-3 text-small text-text-3">Nothing is changed on the server itself.</p>
      </Section>
    )
  }
  if (draft.provider === 'cnpg') {
    return <ClusterSummary name={name} cluster={cluster} place={clusterPlace} policy={clusterPolicy} />
  }
  const { parameters, extensions } = settings
  return (
    <Section title="Summary" isCard>
      <PromiseText {...backupPromise(policyBody(policy))} />
      <ul className="divide-y divide-line">
        <Line
          icon={<DatabaseIcon {...icon} />}
          label={`PostgreSQL ${embedded.version}`}
          value="a server of its own"
        />
        <Line icon={<User {...icon} />} label={`Database and user ${sqlName(name)}`} value="owner" />
        <Line
          icon={<HardDrive {...icon} />}
          label="Disk quota"
          value={formatBytes(settingsBody(settings).diskQuotaBytes ?? planDiskBytes[draft.plan])}
        />
        <Line
          icon={<KeyRound {...icon} />}
          label={`Secret ${credentialName(name)}`}
          value="random password"
        />
        {parameters.length === 0 ? null : (
          <Line
            icon={<SlidersHorizontal {...icon} />}
            label={formatCount(parameters.length, 'parameter')}
            value="beside its size"
          />
        )}
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
          value={policy.schedule === null ? 'on request' : 'as soon as it is ready'}
        />
        <Line
          icon={<Shield {...icon} />}
          label="Reached from"
          value={networks === 0 ? 'this machine only' : `this machine, ${formatCount(networks, 'network')}`}
        />
      </ul>
      {plan ? (
        <div className="mt-4 border-t border-line pt-4">
          <Meter
            label="Memory, with this one"
            used={Math.min(embedded.usedBytes + plan.memoryBytes, embedded.budgetBytes)}
            total={embedded.budgetBytes}
            format={formatBytes}
          />
          <p className="mt-2 text-small text-text-3">
            {plan.refusal ??
              `It takes ${formatBytes(plan.memoryBytes)}; ${formatBytes(embedded.budgetBytes - embedded.usedBytes - plan.memoryBytes)} are left then for databases and sandboxes.`}
          </p>
        </div>
      ) : null}
    </Section>
  )
}
