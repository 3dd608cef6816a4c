import type { Cluster } from '@bey/contract'
import { clusterBounds, isDnsLabel } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useUpdateCluster } from '../../data/clusters.ts'
import type { ClusterChange } from '../../data/clusters.ts'
import { causeOf, codeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { formatLabels, parseLabels } from '../../lib/label-text.ts'
import { useUnsaved } from '../../lib/unsaved.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { toast } from '../../ui/toast.ts'

const titleRule = 'Use 1 to 63 lower-case letters, digits and hyphens; start and end with a letter or digit.'

/** Name, description and labels of a cluster. */
export function ClusterNameForm({
  cluster,
  disabledReason,
}: {
  cluster: Cluster
  disabledReason: string | undefined
}) {
  const [draft, setDraft] = useState({
    title: cluster.title,
    description: cluster.description,
    labels: formatLabels(cluster.labels),
  })
  const update = useUpdateCluster(cluster.id)
  const labels = parseLabels(draft.labels)
  const change: ClusterChange = {
    ...(draft.title === cluster.title ? {} : { title: draft.title }),
    ...(draft.description === cluster.description ? {} : { description: draft.description }),
    ...('error' in labels || formatLabels(labels.labels) === formatLabels(cluster.labels) ? {} : labels),
  }
  const isTyped = Object.keys(change).length > 0 || 'error' in labels
  useUnsaved(isTyped && !update.isPending ? `changes of “${cluster.title}”` : undefined)
  const refused =
    codeOf(update.error) === 'name_taken' ? { title: causeOf(update.error) } : fieldErrorsOf(update.error)
  const titleError = isDnsLabel(draft.title) ? refused['title'] : titleRule
  const isAtField = Object.keys(refused).length > 0
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const isReady = isTyped && !update.isPending && !('error' in labels) && isDnsLabel(draft.title)
    if (!isReady || disabledReason !== undefined) return
    update.mutate(change, { onSuccess: ({ title }) => toast('success', `${title} saved`) })
  }
  const edit = (part: Partial<typeof draft>) => {
    if (update.isError) update.reset()
    setDraft({ ...draft, ...part })
  }
  return (
    <form onSubmit={submit} className="flex max-w-xl flex-col gap-4">
      <Field label="Name" error={titleError}>
        {(control) => (
          <Input
            {...control}
            value={draft.title}
            maxLength={63}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => edit({ title: event.target.value })}
          />
        )}
      </Field>
      <Field label="Description" required={false} error={refused['description']}>
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            maxLength={clusterBounds.description}
            value={draft.description}
            onChange={(event) => edit({ description: event.target.value })}
          />
        )}
      </Field>
      <Field
        label="Labels"
        required={false}
        hint="For example: team=web, stage=production"
        error={'error' in labels ? labels.error : refused['labels']}
      >
        {(control) => (
          <Input
            {...control}
            value={draft.labels}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={(event) => edit({ labels: event.target.value })}
          />
        )}
      </Field>
      <p role="alert" className={update.error && !isAtField ? 'text-danger' : 'hidden'}>
        {update.error && !isAtField ? `It was not saved: ${causeOf(update.error)}` : null}
      </p>
      <div>
        <Button type="submit" disabled={!isTyped} busy={update.isPending} disabledReason={disabledReason}>
          Save changes
        </Button>
      </div>
    </form>
  )
}
