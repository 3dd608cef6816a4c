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
import type { ReactNode } from 'react'
import type { DatabaseClusterPlace, DatabasePlaces } from '../../../data/databases.ts'
import { formatBytes, formatCount } from '../../../lib/format.ts'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import { policyBody, type PolicyDraft } from '../backups/policy-draft.ts'
import type { ClusterDraft } from '../cluster/cluster-draft.ts'
import type { CreationDraft } from './creation-draft.ts'
import { settingsBody, type SettingsDraft } from './settings-draft.ts'

/** What is created, and what it takes of the machine. */
export function CreationSummary({
  draft,
  places,
  cluster,
  clusterPlace,
  policy,
  networks,
  settings,
}: {
  draft: Pick<CreationDraft, 'provider' | 'name' | 'plan'>
  places: DatabasePlaces
  cluster: ClusterDraft
  clusterPlace: DatabaseClusterPlace | undefined
  policy: PolicyDraft
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
    const { instances, storage, namespace } = cluster
    return (
      <Section title="Summary" isCard>
        <ul className="divide-y divide-line">
          <Line
            icon={<DatabaseIcon {...icon} />}
            label={`Cluster ${name}`}
            value={`${clusterPlace?.title ?? 'cluster'} / ${namespace.trim() || 'namespace'}`}
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
        </ul>
        <p className="mt-3 text-small text-text-3">
          {instances === 1
            ? 'One instance: while its node is away, so is the database.'
            : 'When the node of the primary is lost, another instance takes over.'}
        </p>
      </Section>
    )
  }
  const { parameters, extensions } = settings
  const { lead, limits } = backupPromise(policyBody(policy))
  return (
    <Section title="Summary" isCard>
      <div className="mb-3 border-b border-line pb-3">
        <p className="text-small text-text-3">What you can promise with this</p>
        <p className="mt-0.5 font-medium">{lead}</p>
        {limits.map((each) => (
          <p key={each} className="mt-1 text-small text-text-2">
            {each}
          </p>
        ))}
      </div>
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

function Line({ icon, label, value }: { icon: ReactNode; label: string; value: string }) {
  return (
    <li className="flex items-center gap-2 py-1.5">
      <span className="text-text-3">{icon}</span>
      <span className="min-w-0 font-medium break-words">{label}</span>
      <span className="ml-auto shrink-0 text-text-2">{value}</span>
    </li>
  )
}
