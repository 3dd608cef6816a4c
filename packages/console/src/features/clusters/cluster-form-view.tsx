import type { ClusterProvider } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCreateCluster } from '../../data/clusters.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { useSubmission } from '../../lib/use-submission.ts'
import { Field } from '../../ui/field.tsx'
import { FormPage } from '../../ui/form-page.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Link } from '../../ui/link.tsx'
import { Select } from '../../ui/select.tsx'
import type { ClusterDraft } from './cluster-form.ts'
import { draftErrors, isChanged, newCluster, newDraft, titleError } from './cluster-form.ts'
import { ClusterReview } from './cluster-review.tsx'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { NodeGroupsEditor } from './node-groups-editor.tsx'
import { ProviderChoice } from './provider-choice.tsx'

export const head = {
  title: 'Create cluster',
  description: (
    <>
      Provisioning starts at once, and you can follow every step. A cluster that exists already is{' '}
      <Link href="/kubernetes/clusters/import" className="text-text underline hover:text-accent-text">
        imported by its kubeconfig
      </Link>
      .
    </>
  ),
}

export interface ClusterFormProps {
  providers: readonly [ClusterProvider, ...ClusterProvider[]]
  deniedReason: string | undefined
}

export function ClusterForm({ providers, deniedReason }: ClusterFormProps) {
  const [first] = providers
  const [draft, setDraft] = useState<ClusterDraft>(() => newDraft(first))
  const navigate = useNavigate()
  const stale = useStaleReason()
  const provider = providers.find((each) => each.id === draft.providerId) ?? first
  const invalid = draftErrors(draft, provider)
  const { errors, wasSubmitted, refusal, onChange, ...submission } = useSubmission({
    mutation: useCreateCluster(),
    invalid,
    input: newCluster(draft),
    lost: isChanged(draft, provider) ? lost(draft) : undefined,
    fieldOfCode: { name_taken: 'title' },
    hasField,
    onSaved: (cluster) => void navigate({ href: clusterHref(cluster.id) }),
  })
  const change = (next: ClusterDraft) => {
    setDraft(next)
    onChange()
  }
  const liveTitleError = draft.title === '' && !wasSubmitted ? undefined : titleError(draft.title)

  return (
    <FormPage
      {...head}
      {...submission}
      notice={
        deniedReason ? (
          <Notice tone="warn" title="You can view clusters, but not create them">
            {deniedReason}
          </Notice>
        ) : null
      }
      summary={
        <>
          <ClusterReview draft={draft} provider={provider} isValid={Object.keys(invalid).length === 0} />
          {provider.capacity?.refusal ? (
            <Notice tone="warn" title="Not enough capacity on this machine">
              {provider.capacity.refusal}
            </Notice>
          ) : null}
        </>
      }
      refusal={refusal === undefined ? undefined : { title: 'The cluster was not created', detail: refusal }}
      disabledReason={deniedReason ?? provider.capacity?.refusal ?? stale}
      cancelHref="/kubernetes/clusters"
    >
      <ProviderChoice
        providers={providers}
        chosen={provider.id}
        onChange={(next) => change({ ...newDraft(next), title: draft.title })}
      />
      <Field
        label="Title"
        required
        hint="Names the cluster and its nodes. Lower-case letters, digits and hyphens."
        error={liveTitleError ?? errors['title']}
        aside={
          draft.title && !liveTitleError && !errors['title'] ? (
            <span className="text-ok">✓ Valid title</span>
          ) : null
        }
      >
        {(control) => (
          <Input
            {...control}
            value={draft.title}
            onChange={(event) => change({ ...draft, title: event.target.value })}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
      <div className="grid gap-6 sm:grid-cols-2">
        <Field label="Region" error={errors['region']}>
          {(control) => (
            <Select
              {...control}
              value={draft.region}
              onChange={(event) => change({ ...draft, region: event.target.value })}
              options={provider.regions.map((region) => ({ value: region, label: region }))}
              className="w-full"
            />
          )}
        </Field>
        <Field label="Kubernetes version" error={errors['version']}>
          {(control) => (
            <Select
              {...control}
              value={draft.version}
              onChange={(event) => change({ ...draft, version: event.target.value })}
              options={provider.versions.map((version) => ({ value: version, label: version }))}
              className="w-full"
            />
          )}
        </Field>
      </div>
      <NodeGroupsEditor draft={draft} onChange={change} errors={errors} />
    </FormPage>
  )
}

const lost = ({ title }: ClusterDraft) => (title ? `the cluster “${title}”` : 'the cluster that you describe')

const hasField = (path: string) => /^(title|region|version|nodeGroups)(\.|$)/.test(path)
