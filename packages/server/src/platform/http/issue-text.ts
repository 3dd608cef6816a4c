import type { z } from 'zod'

/** What to send instead of what was sent, as a sentence; undefined where zod says it as well as anybody could. */
export function issueText(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'This field is required.'
      return `Send ${kinds[issue.expected] ?? `a value of the type ${issue.expected}`}.`
    case 'too_big':
      return `Send at most ${amount(issue.maximum, issue.origin)}.`
    case 'too_small':
      return `Send at least ${amount(issue.minimum, issue.origin)}.`
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      if ('options' in issue && Array.isArray(issue.options)) return oneOf(issue.options)
      return oneOf(issue.errors.flat().flatMap((each) => (each.code === 'invalid_value' ? each.values : [])))
    case 'invalid_key':
      return issue.issues[0]?.message
    case 'invalid_format':
      return formats[issue.format]
    default:
      return undefined
  }
}

const kinds: Partial<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'a JSON object',
  record: 'a JSON object',
}

const formats: Partial<Record<string, string>> = {
  uuid: 'Send a UUID.',
  datetime: 'Send an instant such as 2026-11-21T12:00:00Z.',
}

function amount(count: number | bigint, origin: string): string {
  if (origin === 'string') return `${count} character${count === 1 ? '' : 's'}`
  return origin === 'array' ? `${count} item${count === 1 ? '' : 's'}` : String(count)
}

function oneOf(values: readonly unknown[]): string | undefined {
  if (values.length === 0) return undefined
  return values.length === 1 ? `Send ${String(values[0])}.` : `Send one of ${values.join(', ')}.`
}
