import type { SecretDetail } from '@bey/contract'
import { defaultSyncShape, syncShapeProblem, syncSources } from '@bey/contract'
import { useState } from 'react'
import type { SubmitEvent } from 'react'
import { useClusters } from '../../data/clusters.ts'
import { useCreateSync } from '../../data/secret-syncs.ts'
import { causeOf, fieldErrorsOf } from '../../lib/error-text.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { parseLabels } from '../../lib/label-text.ts'
import { kubernetesName } from './kubernetes-name.ts'

/** Keeps the secret in a cluster: where, under which name and keys, and what happens there. */
export function SyncDialog({ secret, onClose }: { secret: SecretDetail; onClose: () => void }) {
  const usual = defaultSyncShape(secret.type)
  const sources = syncSources(secret.type)
  const clusters = useClusters({ limit: 200 })
  const [clusterId, setClusterId] = useState('')
  const [namespace, setNamespace] = useState('default')
  const [name, setName] = useState(() => kubernetesName(secret.name))
  const [labelText, setLabelText] = useState('')
  const [keyOf, setKeyOf] = useState<Record<string, string>>(() =>
    Object.fromEntries(Object.entries(usual.keys).map(([key, source]) => [source, key])),
  )
  const [restarts, setRestarts] = useState(true)
  const [correctsDrift, setCorrectsDrift] = useState(false)
  const [onRemoval, setOnRemoval] = useState<'leave' | 'delete'>('leave')
  const create = useCreateSync(secret.id)

  const chosen = clusterId || String(clusters.data?.clusters[0]?.id ?? '')
  const keys = Object.fromEntries(
    sources.filter((source) => keyOf[source]?.trim()).map((source) => [keyOf[source]?.trim() ?? '', source]),
  )
  // A type of Kubernetes is kept as long as the keys that it asks for are there.
  const kubernetesType =
    syncShapeProblem(secret.type, { kubernetesType: usual.kubernetesType, keys }) === undefined
      ? usual.kubernetesType
      : 'Opaque'
  const problem = syncShapeProblem(secret.type, { kubernetesType, keys })
  const labels = parseLabels(labelText)
  const errors = fieldErrorsOf(create.error)
  const isReady = chosen !== '' && problem === undefined && 'labels' in labels
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (!isReady || create.isPending) return
    create.mutate(
      {
        clusterId: Number(chosen),
        namespace: namespace.trim(),
        name: name.trim(),
        kubernetesType,
        keys,
        labels: labels.labels,
        restarts,
        correctsDrift,
        onRemoval,
      },
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
        <Field
          label="Cluster"
          error={
            clusters.data?.clusters.length === 0
              ? 'There is no cluster yet. Create or import one first.'
              : undefined
          }
        >
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={chosen}
              options={(clusters.data?.clusters ?? []).map(({ id, title }) => ({
                value: String(id),
                label: title,
              }))}
              onChange={(event) => setClusterId(event.target.value)}
            />
          )}
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Namespace" required error={errors['namespace']}>
            {(control) => (
              <Input
                {...control}
                value={namespace}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setNamespace(event.target.value)}
              />
            )}
          </Field>
          <Field label="Name of the Secret" required error={errors['name']}>
            {(control) => (
              <Input
                {...control}
                value={name}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setName(event.target.value)}
              />
            )}
          </Field>
        </div>
        <fieldset className="flex flex-col gap-2">
          <legend className="mb-1 font-medium">Keys</legend>
          {sources.map((source) => (
            <label key={source} className="grid grid-cols-[9rem_minmax(0,1fr)] items-center gap-3">
              <span className="truncate text-text-2">{source}</span>
              <Input
                controlSize="small"
                className="font-mono"
                placeholder="not written"
                value={keyOf[source] ?? ''}
                autoComplete="off"
                spellCheck={false}
                onChange={(event) => setKeyOf({ ...keyOf, [source]: event.target.value })}
              />
            </label>
          ))}
          <output className={problem ? 'text-small text-danger' : 'text-small text-text-3'}>
            {problem ?? errors['keys'] ?? `Written as a Secret of the type ${kubernetesType}.`}
          </output>
        </fieldset>
        <Field
          label="Labels"
          required={false}
          hint="For example: team=web"
          error={'error' in labels ? labels.error : errors['labels']}
        >
          {(control) => (
            <Input
              {...control}
              value={labelText}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => setLabelText(event.target.value)}
            />
          )}
        </Field>
        <Checkbox
          label="Restart what uses it when the value changes"
          hint="Deployments, stateful sets and daemon sets that mount it or read it into their environment."
          checked={restarts}
          onChange={(event) => setRestarts(event.target.checked)}
        />
        <Checkbox
          label="Put right by itself what is changed in the cluster"
          hint="Otherwise what differs is shown, and you decide."
          checked={correctsDrift}
          onChange={(event) => setCorrectsDrift(event.target.checked)}
        />
        <Field label="When the secret is destroyed">
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={onRemoval}
              options={[
                { value: 'leave', label: 'Leave the Secret in the cluster' },
                { value: 'delete', label: 'Delete the Secret in the cluster' },
              ]}
              onChange={(event) => setOnRemoval(event.target.value === 'delete' ? 'delete' : 'leave')}
            />
          )}
        </Field>
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
          <Button type="submit" variant="primary" disabled={!isReady} busy={create.isPending}>
            Keep it there
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
