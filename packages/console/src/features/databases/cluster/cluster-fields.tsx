import { clusterLimits, clusterVersions } from '@bey/contract'
import { useId } from 'react'
import type { DatabaseClusterPlace } from '../../../data/databases.ts'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import { chosenPlace, type ClusterDraft } from './cluster-draft.ts'

const versionOptions = [
  ...clusterVersions.map((version) => ({ value: version, label: `PostgreSQL ${version}` })),
  { value: '', label: 'As the operator chooses' },
]
const instanceOptions = Array.from({ length: clusterLimits.instances }, (_, index) => ({
  value: String(index + 1),
  label: index === 0 ? '1, without a replica' : String(index + 1),
}))

/** Where and how CloudNativePG runs a new database. */
export function ClusterFields({
  places,
  draft,
  errors,
  onChange,
}: {
  places: readonly DatabaseClusterPlace[]
  draft: ClusterDraft
  errors: FieldErrors
  onChange: (part: Partial<ClusterDraft>) => void
}) {
  const namespaces = useId()
  const place = chosenPlace(places, draft)
  if (place === undefined) {
    return (
      <Notice tone="info" title="No cluster is connected">
        Create or import a Kubernetes cluster first; it needs the operator CloudNativePG.
      </Notice>
    )
  }
  const defaultClass = place.storageClasses.find(({ isDefault }) => isDefault)
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Cluster" required error={errors['cluster.clusterId']}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={String(place.id)}
              options={places.map(({ id, title }) => ({ value: String(id), label: title }))}
              onChange={(event) => onChange({ clusterId: Number(event.target.value), storageClass: '' })}
            />
          )}
        </Field>
        <Field label="Namespace" required error={errors['cluster.namespace']}>
          {(control) => (
            <>
              <Input
                {...control}
                list={namespaces}
                value={draft.namespace}
                autoComplete="off"
                autoCapitalize="off"
                spellCheck={false}
                onChange={(event) => onChange({ namespace: event.target.value })}
              />
              <datalist id={namespaces}>
                {place.namespaces.map((name) => (
                  <option key={name} value={name}>
                    {name}
                  </option>
                ))}
              </datalist>
            </>
          )}
        </Field>
      </div>
      {place.problem === null ? null : <Notice tone="warn" title={place.problem} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Version" required>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.version}
              options={versionOptions}
              onChange={({ target: { value } }) =>
                onChange({ version: clusterVersions.find((each) => each === value) ?? '' })
              }
            />
          )}
        </Field>
        <Field label="Instances" required error={errors['cluster.instances']}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={String(draft.instances)}
              options={instanceOptions}
              onChange={(event) => onChange({ instances: Number(event.target.value) })}
            />
          )}
        </Field>
        <Field label="Volume of each" required error={errors['cluster.storage']}>
          {(control) => (
            <Input
              {...control}
              value={draft.storage}
              autoComplete="off"
              spellCheck={false}
              onChange={(event) => onChange({ storage: event.target.value })}
            />
          )}
        </Field>
        <Field label="Storage class" required={false} error={errors['cluster.storageClass']}>
          {(control) => (
            <Select
              {...control}
              className="w-full"
              value={draft.storageClass}
              options={[
                {
                  value: '',
                  label:
                    defaultClass === undefined ? 'Default of the cluster' : `${defaultClass.name} (default)`,
                },
                ...place.storageClasses
                  .filter(({ isDefault }) => !isDefault)
                  .map(({ name }) => ({ value: name, label: name })),
              ]}
              onChange={(event) => onChange({ storageClass: event.target.value })}
            />
          )}
        </Field>
      </div>
      <Field
        label="Parameters"
        required={false}
        hint="One per line: work_mem = 8MB"
        error={errors['cluster.parameters']}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            className="font-mono text-small"
            spellCheck={false}
            value={draft.parameters}
            onChange={(event) => onChange({ parameters: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}
