import { clusterExtensions } from '@bey/contract'
import type { DatabaseClusterPlace } from '../../../data/databases.ts'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { errorsOfPart, type PolicyDraft } from '../backups/policy-draft.ts'
import type { ClusterDraft } from '../cluster/cluster-draft.ts'
import { ClusterFields } from '../cluster/cluster-fields.tsx'
import type { ClusterTarget } from '../cluster/cluster-policy.ts'
import { ClusterPolicyFields } from '../cluster/cluster-policy-fields.tsx'
import { ExtensionFields } from './extension-fields.tsx'

/** What is asked of a new database on a cluster. */
export function ClusterPart({
  places,
  draft,
  policy,
  targetId,
  targets,
  errors,
  denied,
  onChange,
  onPolicy,
}: {
  places: readonly DatabaseClusterPlace[]
  draft: ClusterDraft
  policy: PolicyDraft
  /** Where its backups go; null: it gets none. */
  targetId: string | null
  targets: readonly ClusterTarget[]
  errors: FieldErrors
  /** Why the caller chooses no target, and installs no extensions. */
  denied: { targets: string | undefined; extensions: string | undefined }
  onChange: (part: Partial<ClusterDraft>) => void
  onPolicy: (part: Partial<PolicyDraft>) => void
}) {
  return (
    <>
      <ClusterFields places={places} draft={draft} errors={errors} onChange={onChange} />
      {places.length === 0 ? null : (
        <>
          <ClusterPolicyFields
            draft={policy}
            targetId={targetId}
            targets={targets}
            errors={errorsOfPart(errors)}
            denied={denied.targets}
            onTarget={(next) => onChange({ targetId: next })}
            onChange={onPolicy}
          />
          <section aria-label="Who may connect">
            <h2 className="mb-1 font-semibold">Who may connect</h2>
            <p className="text-small text-text-2">
              Its services answer inside the cluster, where network policies decide who reaches them; Bey
              itself goes through the API of the cluster.
            </p>
          </section>
          <ExtensionFields
            offered={clusterExtensions}
            chosen={draft.extensions}
            errors={errors}
            disabledReason={denied.extensions}
            onChange={(extensions) => onChange({ extensions })}
          />
        </>
      )}
    </>
  )
}
