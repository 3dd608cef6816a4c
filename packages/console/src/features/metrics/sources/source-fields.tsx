import { metricSourceLimits as limits } from '@bey/contract'
import { useClusters } from '../../../data/clusters.ts'
import { useList } from '../../../data/use-read.ts'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import { Segmented } from '../../../ui/segmented.tsx'
import { Select } from '../../../ui/select.tsx'
import { TextArea } from '../../../ui/text-area.tsx'
import type { SourceDraft } from './source-draft.ts'

export interface SourceFieldsProps {
  draft: SourceDraft
  errors: FieldErrors
  onChange: (part: Partial<SourceDraft>) => void
}

/** How a Prometheus-compatible store is reached. */
export function SourceFields({ draft, errors, onChange }: SourceFieldsProps) {
  const text = useText({ draft, errors, onChange })
  return (
    <div className="flex flex-col gap-4">
      <Field label="Name" required error={errors['name']}>
        {(control) => <Input {...control} {...text('name', 100)} data-initial-focus="" placeholder="Shop" />}
      </Field>
      <Segmented
        label="Where it is"
        options={[
          { value: 'url', label: 'At an address' },
          { value: 'cluster', label: 'In a cluster' },
        ]}
        value={draft.kind}
        onChange={(kind) => onChange({ kind })}
      />
      {draft.kind === 'url' ? (
        <AddressFields draft={draft} errors={errors} onChange={onChange} />
      ) : (
        <ClusterFields draft={draft} errors={errors} onChange={onChange} />
      )}
    </div>
  )
}

function useText({ draft, onChange }: SourceFieldsProps) {
  return (field: 'name' | 'url' | 'username' | 'namespace' | 'service' | 'port', maxLength: number) => ({
    value: draft[field],
    maxLength,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  })
}

const auths = [
  { value: 'none', label: 'None' },
  { value: 'bearer', label: 'Bearer token' },
  { value: 'basic', label: 'User name and password' },
]

function AddressFields(props: SourceFieldsProps) {
  const { draft, errors, onChange } = props
  const text = useText(props)
  const secrets =
    useList('secrets.list', { query: { limit: 200, status: 'active' } }, { isEnabled: draft.auth !== 'none' })
      .data?.secrets ?? []
  return (
    <>
      <Field
        label="Address"
        required
        hint="Of Prometheus, VictoriaMetrics, Thanos, Mimir or another store with its HTTP API."
        error={errors['url'] ?? errors['target.url']}
      >
        {(control) => (
          <Input
            {...control}
            {...text('url', limits.url)}
            className="font-mono text-small"
            placeholder="https://prometheus.example.com"
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Field label="Signs in with" required>
          {(control) => (
            <Select
              {...control}
              className="w-full [&>select]:w-full"
              options={auths}
              value={draft.auth}
              // The values are those of the options.
              onChange={(event) => onChange({ auth: event.target.value as SourceDraft['auth'] })}
            />
          )}
        </Field>
        {draft.auth === 'basic' ? (
          <Field label="User name" required error={errors['username']}>
            {(control) => <Input {...control} {...text('username', limits.username)} />}
          </Field>
        ) : null}
        {draft.auth === 'none' ? null : (
          <Field
            label={draft.auth === 'bearer' ? 'Secret with the token' : 'Secret with the password'}
            required
            hint="Its current version is read at each query."
            error={errors['secretId']}
          >
            {(control) => (
              <Select
                {...control}
                className="w-full [&>select]:w-full"
                value={draft.secretId}
                onChange={(event) => onChange({ secretId: event.target.value })}
                options={[
                  { value: '', label: secrets.length === 0 ? 'No secret yet' : 'Choose a secret' },
                  ...secrets.map(({ id, name }) => ({ value: id, label: name })),
                ]}
              />
            )}
          </Field>
        )}
      </div>
      <Field
        label="Certificate of its authority"
        required={false}
        hint="PEM. Empty: what this server trusts by itself."
        error={errors['caPem']}
      >
        {(control) => (
          <TextArea
            {...control}
            rows={3}
            maxLength={limits.caPem}
            className="font-mono text-small"
            value={draft.caPem}
            placeholder="-----BEGIN CERTIFICATE-----"
            onChange={(event) => onChange({ caPem: event.target.value })}
          />
        )}
      </Field>
    </>
  )
}

function ClusterFields(props: SourceFieldsProps) {
  const { draft, errors, onChange } = props
  const text = useText(props)
  const clusters = useClusters({ limit: 200, sort: 'title' }).data?.clusters ?? []
  return (
    <>
      <Field
        label="Cluster"
        required
        hint="Its Prometheus is reached through the API server of the cluster."
        error={errors['clusterId']}
      >
        {(control) => (
          <Select
            {...control}
            className="w-full [&>select]:w-full"
            value={draft.clusterId}
            onChange={(event) => onChange({ clusterId: event.target.value })}
            options={[
              { value: '', label: 'Choose a cluster' },
              ...clusters.map(({ id, title }) => ({ value: String(id), label: title })),
            ]}
          />
        )}
      </Field>
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <Field label="Namespace" required error={errors['namespace']}>
          {(control) => <Input {...control} {...text('namespace', 63)} className="font-mono text-small" />}
        </Field>
        <Field label="Service" required error={errors['service']}>
          {(control) => <Input {...control} {...text('service', 63)} className="font-mono text-small" />}
        </Field>
        <Field label="Port" required error={errors['port']}>
          {(control) => <Input {...control} {...text('port', 15)} className="font-mono text-small" />}
        </Field>
      </div>
      <Checkbox
        label="The service itself speaks TLS"
        checked={draft.isTls}
        onChange={(event) => onChange({ isTls: event.target.checked })}
      />
    </>
  )
}
