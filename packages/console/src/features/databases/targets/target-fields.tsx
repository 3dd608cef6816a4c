import { backupTargetLimits as limits } from '@bey/contract'
import type { FieldErrors } from '../../../lib/use-submission.ts'
import { Field } from '../../../ui/field.tsx'
import { Input } from '../../../ui/input.tsx'
import type { TargetDraft } from './target-draft.ts'

export interface TargetFieldsProps {
  draft: TargetDraft
  errors: FieldErrors
  isNew: boolean
  /** Bucket and prefix stay: backups are there. */
  isUsed: boolean
  onChange: (part: Partial<TargetDraft>) => void
}

/** How a bucket is reached. */
export function TargetFields({ draft, errors, isNew, isUsed, onChange }: TargetFieldsProps) {
  const text = (field: keyof TargetDraft, maxLength: number) => ({
    value: draft[field],
    maxLength,
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
  })
  const stays = isUsed ? 'Stays as it is: backups are kept there.' : undefined
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <Field label="Name" required error={errors['name']}>
        {(control) => (
          <Input {...control} {...text('name', 100)} data-initial-focus="" placeholder="Frankfurt" />
        )}
      </Field>
      <Field
        label="Endpoint"
        required={false}
        hint="Of MinIO, Ceph, Hetzner and others. Empty for Amazon S3."
        error={errors['endpoint']}
      >
        {(control) => (
          <Input
            {...control}
            {...text('endpoint', limits.endpoint)}
            className="font-mono text-small"
            placeholder="https://s3.example.com"
          />
        )}
      </Field>
      <Field label="Region" required error={errors['region']}>
        {(control) => <Input {...control} {...text('region', limits.region)} placeholder="eu-central-1" />}
      </Field>
      <Field label="Bucket" required hint={stays} error={errors['bucket']}>
        {(control) => <Input {...control} {...text('bucket', 63)} disabled={isUsed} placeholder="backups" />}
      </Field>
      <Field
        label="Prefix"
        required={false}
        hint={stays ?? 'Before the name of every object, for a bucket that others use too.'}
        error={errors['prefix']}
      >
        {(control) => (
          <Input {...control} {...text('prefix', limits.prefix)} disabled={isUsed} placeholder="bey" />
        )}
      </Field>
      <Field
        label="Access key"
        required
        hint="It needs to list the bucket and to read, write and delete its objects."
        error={errors['accessKeyId']}
      >
        {(control) => (
          <Input {...control} {...text('accessKeyId', limits.accessKeyId)} className="font-mono text-small" />
        )}
      </Field>
      <Field
        label="Secret access key"
        required={isNew ? true : false}
        hint={isNew ? 'Stored encrypted and never shown again.' : 'Stays as it is unless you enter another.'}
        error={errors['secretAccessKey']}
      >
        {(control) => (
          <Input
            {...control}
            {...text('secretAccessKey', limits.secretAccessKey)}
            type="password"
            autoComplete="new-password"
          />
        )}
      </Field>
    </div>
  )
}
