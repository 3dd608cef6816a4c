import type { SecretDetail } from '@bey/contract'
import type { SubmitEvent } from 'react'
import { causeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { SyncBehaviorFields } from './sync-behavior-fields.tsx'
import { SyncDestinationFields } from './sync-destination-fields.tsx'
import { SyncKeyFields } from './sync-key-fields.tsx'
import { useSyncDraft } from './use-sync-draft.ts'
import { useChange } from '../../data/use-change.ts'

/** Keeps the secret in a cluster: where, under which name and keys, and what happens there. */
export function SyncDialog({ secret, onClose }: { secret: SecretDetail; onClose: () => void }) {
  const { draft, change, sources, clusters, kubernetesType, keysProblem, labelsProblem, input } =
    useSyncDraft(secret)
  const create = useChange('secretSyncs.create')
  const errors = fieldErrorsOf(create.error)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (input === undefined || create.isPending) return
    create.mutate(
      { params: { id: secret.id }, body: input },
      {
        onSuccess: ({ clusterTitle }) => {
          toast('success', `${secret.name} is kept in ${clusterTitle}`)
          onClose()
        },
      },
    )
  }
  return (
    <Dialog
      open
      onOpenChange={(open) => (open ? undefined : onClose())}
      title="Keep in a cluster"
      description={`${secret.name} is written as a Kubernetes Secret and follows each new value.`}
      isModalStrict
    >
      <form onSubmit={submit} className="flex flex-col gap-4 pb-1">
        <SyncDestinationFields draft={draft} clusters={clusters} errors={errors} onChange={change} />
        <SyncKeyFields
          draft={draft}
          sources={sources}
          kubernetesType={kubernetesType}
          problem={keysProblem}
          error={errors['keys']}
          onChange={change}
        />
        <Field
          label="Labels"
          required={false}
          hint="For example: team=web"
          error={labelsProblem ?? errors['labels']}
        >
          {(control) => (
            <Input
              {...control}
              value={draft.labelText}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => change({ labelText: event.target.value })}
            />
          )}
        </Field>
        <SyncBehaviorFields draft={draft} onChange={change} />
        {create.error && Object.keys(errors).length === 0 ? (
          <Notice tone="danger" title="It is not kept there">
            {causeOf(create.error)}
          </Notice>
        ) : null}
        <p className="text-small text-text-2">
          Whoever may read Secrets of the cluster can read the value there.
        </p>
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="primary" disabled={input === undefined} busy={create.isPending}>
            Keep it there
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
