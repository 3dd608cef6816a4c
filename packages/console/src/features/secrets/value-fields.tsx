import type { SecretField, SecretType } from '@bey/contract'
import { secretFields, strengthBits } from '@bey/contract'
import { Eye, EyeOff, Wand } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { ClosedLine } from './rotation-options.tsx'
import type { ValueDraft } from './value-draft.ts'
import { generatedValue } from './value-draft.ts'

export interface ValueFieldsProps {
  type: SecretType
  draft: ValueDraft
  onChange: (draft: ValueDraft) => void
  errors: Readonly<Record<string, string>>
  /** What is no secret is known already: the rest comes first and has the focus. */
  isChange?: boolean
}

/** What a value of a type is typed into. */
export function ValueFields({ type, draft, onChange, errors, isChange = false }: ValueFieldsProps) {
  const [isWhole, setWhole] = useState(!isChange)
  const all = isChange ? secretFirst(secretFields[type]) : secretFields[type]
  // What is known stays, until somebody wants to change it too.
  const kept = isWhole
    ? []
    : all.filter(
        ({ name, isPublic, isOptional }) =>
          isPublic && (draft.fields[name] || isOptional) && !errors[`value.${name}`],
      )
  const parts = all.filter((part) => !kept.includes(part))
  const setText = (text: string) => onChange({ ...draft, text })
  if (all.length > 0) {
    return (
      <div className="grid gap-4 sm:grid-cols-2">
        {parts.map((part, index) => (
          <PartField
            key={part.name}
            hasFocus={isChange && index === 0}
            className={part.isLong || !part.isPublic ? 'sm:col-span-2' : undefined}
            part={part}
            value={draft.fields[part.name] ?? ''}
            error={errors[`value.${part.name}`]}
            onChange={(text) => onChange({ ...draft, fields: { ...draft.fields, [part.name]: text } })}
          />
        ))}
        {kept.length > 0 ? (
          <div className="sm:col-span-2">
            <ClosedLine
              text={`${sentence(kept.filter(({ name }) => draft.fields[name]).map(({ label }) => label))} ${kept.length === 1 ? 'stays' : 'stay'}`}
              label="Edit what stays"
              onOpen={() => setWhole(true)}
            />
          </div>
        ) : null}
      </div>
    )
  }
  if (type === 'password' || type === 'api_key') {
    return <PasswordValue type={type} value={draft.text} error={errors['value']} onChange={setText} />
  }
  return (
    <Field
      label={type === 'kubeconfig' ? 'Kubeconfig (YAML)' : 'Value'}
      required
      error={errors['value']}
      hint={
        isTooShort(draft.text)
          ? tooShort
          : 'Up to 64 KB. It is encrypted before it is stored and never shown in a list.'
      }
    >
      {(control) => (
        <TextArea
          {...control}
          rows={type === 'kubeconfig' ? 10 : 4}
          spellCheck={false}
          autoComplete="off"
          className="font-mono text-small"
          value={draft.text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
    </Field>
  )
}

/** "Host, port, database": the first as it is, the others within a sentence. */
function sentence(labels: readonly string[]): string {
  return labels
    .map((label, index) => (index === 0 ? label : `${label.charAt(0).toLowerCase()}${label.slice(1)}`))
    .join(', ')
}

function secretFirst(parts: readonly SecretField[]): SecretField[] {
  return parts.toSorted((a, b) => Number(a.isPublic === true) - Number(b.isPublic === true))
}

function PartField({
  part,
  hasFocus,
  className,
  value,
  error,
  onChange,
}: {
  part: SecretField
  hasFocus: boolean
  className: string | undefined
  value: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const { label, isOptional, isLong, isPublic } = part
  const shared = {
    value,
    spellCheck: false,
    autoComplete: 'off',
    ...(hasFocus && { 'data-initial-focus': '' }),
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
  if (!isLong && !isPublic)
    return (
      <div className={className}>
        <HiddenInput
          label={label}
          value={value}
          error={error}
          hasFocus={hasFocus}
          onChange={onChange}
          canGenerate={part.name === 'password'}
        />
      </div>
    )
  return (
    <Field label={label} required={!isOptional} error={error} className={className ?? ''}>
      {(control) =>
        isLong ? (
          <TextArea {...control} {...shared} rows={6} className="font-mono text-small" />
        ) : (
          <Input {...control} {...shared} />
        )
      }
    </Field>
  )
}

const lengths = [16, 24, 32, 48, 64].map((length) => ({
  value: String(length),
  label: `${length} characters`,
}))

function PasswordValue({
  type,
  value,
  error,
  onChange,
}: {
  type: SecretType
  value: string
  error: string | undefined
  onChange: (text: string) => void
}) {
  const [length, setLength] = useState('32')
  const generate = () => onChange(generatedValue(Number(length), type === 'password'))
  return (
    <div className="flex flex-col gap-3">
      <HiddenInput
        label={type === 'password' ? 'Password' : 'API key'}
        value={value}
        error={error}
        onChange={onChange}
        hint={isTooShort(value) ? tooShort : undefined}
        aside={value === '' ? undefined : strengthText(value)}
      />
      <div className="flex flex-wrap items-center gap-2">
        <Button size="small" icon={<Wand size={14} aria-hidden />} onClick={generate}>
          Generate
        </Button>
        <Select
          aria-label="Length of the generated value"
          controlSize="small"
          value={length}
          options={lengths}
          onChange={(event) => setLength(event.target.value)}
        />
      </div>
    </div>
  )
}

/** A field whose text is covered until one asks to see it. */
function HiddenInput({
  label,
  value,
  error,
  hint,
  aside,
  hasFocus = false,
  canGenerate = false,
  onChange,
}: {
  label: string
  value: string
  error: string | undefined
  /** A button fills it with a random value of 32 characters. */
  canGenerate?: boolean
  hint?: string | undefined
  aside?: string | undefined
  hasFocus?: boolean
  onChange: (text: string) => void
}) {
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field label={label} required error={error} hint={hint} aside={aside}>
      {(control) => (
        <Input
          {...control}
          {...(hasFocus && { 'data-initial-focus': '' })}
          type={isShown ? 'text' : 'password'}
          className="font-mono"
          autoComplete="new-password"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          trailing={
            <>
              {canGenerate ? (
                <IconButton
                  label="Generate"
                  size="small"
                  icon={<Wand size={14} aria-hidden />}
                  onClick={() => onChange(generatedValue(generatedLength, false))}
                />
              ) : null}
              <IconButton
                label={isShown ? 'Hide what is typed' : 'Show what is typed'}
                size="small"
                icon={<Icon size={14} aria-hidden />}
                onClick={() => setShown(!isShown)}
              />
            </>
          }
        />
      )}
    </Field>
  )
}

/** Letters and digits alone: addresses and files of settings take them as they are. */
const generatedLength = 32

const tooShort =
  'Workflows refuse values of fewer than 4 characters: they cannot be recognized in logs and outputs.'

function isTooShort(text: string): boolean {
  return text.length > 0 && text.length < 4
}

function strengthText(value: string): string {
  const bits = strengthBits(value)
  const word = bits < 40 ? 'weak' : bits < 80 ? 'fair' : 'strong'
  return `${word}, at most ${bits} bits`
}
