import type { ClusterProvider } from '@bey/contract'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useCreateCluster } from '../../data/clusters.ts'
import { useStaleReason } from '../../data/stale-reason.ts'
import { causeOf, codeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import type { ClusterDraft } from './cluster-form.ts'
import { draftErrors, isChanged, newCluster, newDraft, titleError } from './cluster-form.ts'
import { ClusterReview } from './cluster-review.tsx'
import { clusterHref } from '../../entities/clusters/cluster-text.ts'
import { NodeGroupsEditor } from './node-groups-editor.tsx'
import { ProviderChoice } from './provider-choice.tsx'

export interface ClusterFormProps {
  providers: readonly ClusterProvider[]
  first: ClusterProvider
  deniedReason: string | undefined
}

export function ClusterForm({ providers, first, deniedReason }: ClusterFormProps) {
  const [draft, setDraft] = useState<ClusterDraft>(() => newDraft(first))
  const [wasSubmitted, setSubmitted] = useState(false)
  const create = useCreateCluster()
  const navigate = useNavigate()
  const stale = useStaleReason()
  const form = useRef<HTMLFormElement>(null)
  const provider = providers.find((each) => each.id === draft.providerId) ?? first
  const own = draftErrors(draft, provider)
  const saved = useUnsaved(isChanged(draft, provider) && !create.isSuccess ? lost(draft) : undefined)
  // An error of the server stays at its field until the draft is changed.
  const fromServer = refusedFields(create.error)
  const shown = { ...fromServer, ...(wasSubmitted ? own : {}) }
  const formError =
    create.error && !Object.keys(fromServer).some(hasField) ? causeOf(create.error) : undefined

  const change = (next: ClusterDraft) => {
    setDraft(next)
    if (create.isError) create.reset()
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if (Object.keys(own).length > 0) return focusFirstError(form.current)
    create.mutate(newCluster(draft), {
      onSuccess: (cluster) => {
        saved()
        void navigate({ href: clusterHref(cluster.id) })
      },
      onError: () => focusFirstError(form.current),
    })
  }
  const liveTitleError = draft.title === '' && !wasSubmitted ? undefined : titleError(draft.title)

  return (
    <form
      ref={form}
      noValidate
      aria-label="Create cluster"
      onSubmit={submit}
      className="grid items-start gap-x-10 gap-y-8 px-(--gutter) py-6 lg:grid-cols-[minmax(0,40rem)_minmax(18rem,24rem)]"
    >
      <div className="flex min-w-0 flex-col gap-6">
        <ProviderChoice
          providers={providers}
          chosen={provider.id}
          onChange={(next) => change({ ...newDraft(next), title: draft.title })}
        />
        <Field
          label="Title"
          required
          hint="Names the cluster and its nodes. Lower-case letters, digits and hyphens."
          error={liveTitleError ?? shown['title']}
          aside={
            draft.title && !liveTitleError && !shown['title'] ? (
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
          <Field label="Region" error={shown['region']}>
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
          <Field label="Kubernetes version" error={shown['version']}>
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
        <NodeGroupsEditor draft={draft} onChange={change} errors={shown} />
      </div>
      <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-6">
        <ClusterReview draft={draft} provider={provider} isValid={Object.keys(own).length === 0} />
        {provider.capacity?.refusal ? (
          <Notice tone="warn" title="Not enough capacity on this machine">
            {provider.capacity.refusal}
          </Notice>
        ) : null}
        {formError ? (
          <Notice tone="danger" title="The cluster was not created">
            {formError}
          </Notice>
        ) : null}
        <div className="flex gap-2">
          <Button
            type="submit"
            variant="primary"
            busy={create.isPending}
            disabledReason={deniedReason ?? provider.capacity?.refusal ?? stale}
            className="flex-1"
          >
            Create cluster
          </Button>
          <ButtonLink href="/kubernetes/clusters">Cancel</ButtonLink>
        </div>
      </div>
    </form>
  )
}

const lost = ({ title }: ClusterDraft) => (title ? `the cluster “${title}”` : 'the cluster that you describe')

const hasField = (path: string) => /^(title|region|version|nodeGroups)(\.|$)/.test(path)

function refusedFields(error: unknown): Readonly<Record<string, string>> {
  return codeOf(error) === 'name_taken' ? { title: causeOf(error) } : fieldErrorsOf(error)
}

// After the errors are rendered, so that the first invalid field gets the focus.
function focusFirstError(form: HTMLFormElement | null) {
  requestAnimationFrame(() => form?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
}
