import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { RE2JS } from 're2js'
import { checkedFormats, formatProblem, workflowLimits } from '@bey/contract'
import type { FieldError } from '@bey/contract/base/errors'

import { AppError } from '../../../../platform/errors.ts'
import type { Json } from '../../definition/definition.ts'

const maxCompiled = 500
const compiled = new Map<string, ValidateFunction>()

// Patterns are run by RE2, which takes linear time: they come from people, and the input from others.
const linearRegExp = Object.assign(
  (pattern: string) => {
    const matcher = RE2JS.compile(pattern)
    return { test: (text: string) => matcher.matcher(text).find() }
  },
  { code: 'linearRegExp' },
)

/** Keys of the schemas are those of JSON Schema draft 7; defaults are filled in, formats that are not known are notes. */
const ajv = new Ajv({
  allErrors: true,
  useDefaults: true,
  strict: false,
  formats: Object.fromEntries(
    checkedFormats.map((format) => [format, (text: string) => formatProblem(format, text) === undefined]),
  ),
  addUsedSchema: false,
  logger: false,
  code: { regExp: linearRegExp },
})

/** What is wrong with the input schema of a workflow, as a sentence; undefined where it can be used. */
export function checkInputSchema(schema: Json): string | undefined {
  try {
    compile(schema)
    return undefined
  } catch (error) {
    return `The input schema cannot be used: ${error instanceof Error ? error.message : String(error)}.`
  }
}

const refusals = {
  input: 'The input does not fit the workflow.',
  form: 'The form of the approval is not filled in as it asks.',
}

/**
 * The input with the defaults of its schema. Throws AppError `invalid_request` that names each wrong field. `path` is where
 * the input stands in the request.
 */
export function checkedInput(schema: Json, input: Json, path: 'input' | 'form' = 'input'): Json {
  const bytes = Buffer.byteLength(JSON.stringify(input))
  if (bytes > workflowLimits.payloadBytes) {
    throw new AppError(
      'invalid_request',
      `The input has ${bytes} bytes; at most ${workflowLimits.payloadBytes} are allowed.`,
    )
  }
  const validate = validatorOf(schema)
  const copy = structuredClone(input)
  if (validate(copy)) return copy
  const errors = (validate.errors ?? []).slice(0, 50).map((error) => fieldOf(error, path))
  const [first] = errors
  const message = first === undefined ? 'The input does not fit.' : `${first.path}: ${first.message}`
  throw new AppError('invalid_request', `${refusals[path]} ${message}`, { errors })
}

function validatorOf(schema: Json): ValidateFunction {
  try {
    return compile(schema)
  } catch (error) {
    throw new AppError('conflict', 'The input schema of the workflow cannot be used. Edit the workflow.', {
      cause: error,
    })
  }
}

function compile(schema: Json): ValidateFunction {
  const text = JSON.stringify(schema)
  const known = compiled.get(text)
  if (known !== undefined) return known
  // Without its own name, so that two schemas of one name do not meet.
  const { $id: _id, $schema: _dialect, ...plain } = schema
  const validate = ajv.compile({ type: 'object', ...plain })
  if (compiled.size >= maxCompiled) compiled.clear()
  compiled.set(text, validate)
  return validate
}

function fieldOf({ instancePath, keyword, params, message }: ErrorObject, path: string): FieldError {
  const inside = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const facts = params as {
    missingProperty?: string
    additionalProperty?: string
    allowedValues?: unknown[]
    format?: string
  }
  const name = facts.missingProperty ?? facts.additionalProperty
  const field = [path, ...inside, ...(name === undefined ? [] : [name])].join('.')
  if (keyword === 'required') return { path: field, message: 'A value is needed.' }
  if (keyword === 'additionalProperties') return { path: field, message: 'There is no input of this name.' }
  if (facts.allowedValues !== undefined) {
    return {
      path: field,
      message: `Choose one of ${facts.allowedValues.map((each) => JSON.stringify(each)).join(', ')}.`,
    }
  }
  // No text has any of the formats.
  const ofFormat = formatProblem(facts.format, '')
  if (ofFormat !== undefined) return { path: field, message: ofFormat }
  return { path: field, message: `It ${message ?? 'does not fit'}.` }
}
