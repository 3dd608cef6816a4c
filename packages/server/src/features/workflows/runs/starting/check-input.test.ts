import { expect, test } from 'vitest'

import { checkedInput, checkInputSchema } from './check-input.ts'

const schema = {
  type: 'object',
  required: ['cluster'],
  properties: {
    cluster: { type: 'string' },
    hook: { type: 'string', format: 'uri' },
    at: { type: 'string', format: 'date-time' },
    owner: {
      type: 'object',
      properties: { email: { type: 'string', format: 'email' }, since: { type: 'string', format: 'date' } },
    },
    color: { type: 'string', format: 'color', default: 'red' },
  },
}

test('formats are checked, and every wrong field is named at once', () => {
  const input = { hook: 'example.org', at: 'now', owner: { email: 'ada', since: '2026-02-30' } }
  expect(() => checkedInput(schema, input)).toThrow(
    expect.objectContaining({
      code: 'invalid_request',
      errors: expect.arrayContaining([
        { path: 'input.cluster', message: 'A value is needed.' },
        { path: 'input.hook', message: 'Enter an address with its scheme, such as https://example.org.' },
        { path: 'input.at', message: 'Enter a time with its zone, such as 2026-01-31T08:00:00Z.' },
        { path: 'input.owner.email', message: 'Enter an e-mail address, such as ada@example.org.' },
        { path: 'input.owner.since', message: 'Enter a date, such as 2026-01-31.' },
      ]),
    }),
  )
})

test('what fits is given back with its defaults; a format that is not known is a note', () => {
  const input = { cluster: 'a', hook: 'https://a.example', at: '2026-01-31T08:00:00Z' }
  expect(checkedInput(schema, input)).toEqual({ ...input, color: 'red' })
  expect(checkInputSchema(schema)).toBeUndefined()
})

test('a form of an approval that is not filled in is called so, and not the input of a workflow', () => {
  const form = { type: 'object', required: ['reason'], properties: { reason: { type: 'string' } } }
  expect(() => checkedInput(form, {}, 'form')).toThrow(
    expect.objectContaining({
      message: expect.stringContaining('The form of the approval is not filled in as it asks.') as string,
      errors: [{ path: 'form.reason', message: 'A value is needed.' }],
    }),
  )
  expect(() => checkedInput(form, {})).toThrow('The input does not fit the workflow.')
})
