import type { ApiOperation, ApiParameter } from '../../data/api-reference.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { controlClass, Input } from '../../ui/input.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import type { CallInput } from './call.ts'
import { inputsOf } from './call.ts'
import { exampleOf } from './example.ts'

export interface CallFormProps {
  operation: ApiOperation
  input: CallInput
  onChange: (input: CallInput) => void
}

/** What an endpoint takes: its parameters, and its body as JSON. */
export function CallForm({ operation, input, onChange }: CallFormProps) {
  const parameters = inputsOf(operation)
  return (
    <>
      {parameters.length > 0 ? (
        <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {parameters.map((parameter) => (
            <ParameterField
              key={parameter.name}
              parameter={parameter}
              value={input.values[parameter.name] ?? ''}
              onChange={(value) =>
                onChange({ ...input, values: { ...input.values, [parameter.name]: value } })
              }
            />
          ))}
        </div>
      ) : null}
      {operation.body ? (
        <Field
          label="Body"
          aside={
            <Button
              size="small"
              variant="ghost"
              onClick={() => onChange({ ...input, body: exampleBody(operation) })}
            >
              Put the example back
            </Button>
          }
        >
          {(control) => (
            <textarea
              {...control}
              rows={Math.min(16, Math.max(5, input.body.split('\n').length + 1))}
              spellCheck={false}
              value={input.body}
              onChange={(event) => onChange({ ...input, body: event.target.value })}
              className={`${controlClass} px-2.5 py-2 font-mono text-small leading-5`}
            />
          )}
        </Field>
      ) : null}
      {operation.body ? (
        <details>
          <summary className="w-fit text-small text-text-2">Schema of the body</summary>
          <div className="mt-2">
            <CodeBlock label="Schema of the body" text={JSON.stringify(operation.body, null, 2)} />
          </div>
        </details>
      ) : null}
    </>
  )
}

/** The body that a form begins with. */
export function exampleBody({ body }: ApiOperation): string {
  return body ? JSON.stringify(exampleOf(body), null, 2) : ''
}

interface ParameterFieldProps {
  parameter: ApiParameter
  value: string
  onChange: (value: string) => void
}

function ParameterField({ parameter, value, onChange }: ParameterFieldProps) {
  const { name, required, schema, description } = parameter
  const choices = schema.type === 'boolean' ? ['true', 'false'] : schema.enum?.map(String)
  const preset = presetOf(schema.default)
  return (
    <Field
      label={<code className="font-mono text-small">{name}</code>}
      required={required}
      hint={description}
    >
      {(control) =>
        choices ? (
          <Select
            {...control}
            className="w-full"
            value={value}
            onChange={(event) => onChange(event.target.value)}
            options={[
              { value: '', label: preset ? `default: ${preset}` : 'not sent' },
              ...choices.map((choice) => ({ value: choice, label: choice })),
            ]}
          />
        ) : (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            inputMode={schema.type === 'integer' ? 'numeric' : 'text'}
            placeholder={preset ? `default: ${preset}` : ''}
            value={value}
            onChange={(event) => onChange(event.target.value)}
          />
        )
      }
    </Field>
  )
}

function presetOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}
