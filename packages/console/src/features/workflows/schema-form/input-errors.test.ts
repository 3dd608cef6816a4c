import { expect, test } from 'vitest'

import { filledInput, inputErrors } from './input-errors.ts'
import { localText, timeOfLocal } from './local-time.ts'

const schema = {
  type: 'object',
  required: ['cluster', 'owner', 'sure'],
  properties: {
    cluster: { type: 'string' },
    replicas: { type: 'integer', minimum: 1, maximum: 5, default: 2 },
    hook: { type: 'string', format: 'uri' },
    until: { type: 'string', format: 'date-time' },
    mode: { type: 'string', enum: ['fast', 'slow'] },
    either: { type: ['string', 'integer'] },
    sure: { type: 'boolean' },
    owner: {
      type: 'object',
      required: ['email'],
      properties: {
        email: { type: 'string', format: 'email' },
        team: { type: 'string', default: 'sre', maxLength: 5 },
      },
    },
    note: { type: 'object', required: ['text'], properties: { text: { type: 'string' } } },
  },
}

test('all errors are found at once, also within groups', () => {
  const typed = {
    replicas: 1.5,
    hook: 'example',
    until: 'tomorrow',
    mode: 'other',
    either: 'x',
    owner: { team: 'platform' },
    note: {},
  }
  expect(inputErrors(schema, filledInput(schema, typed), 'input')).toEqual({
    'input.cluster': 'Enter a cluster.',
    'input.replicas': 'Enter a whole number.',
    'input.hook': 'Enter an address with its scheme, such as https://example.org.',
    'input.until': 'Enter a time with its zone, such as 2026-01-31T08:00:00Z.',
    'input.mode': 'Choose one of fast, slow.',
    'input.owner.email': 'Enter an email.',
    'input.owner.team': 'Enter at most 5 characters.',
    'input.note.text': 'Enter a text.',
  })
  expect(inputErrors(schema, filledInput(schema, { replicas: 9 }), 'input')).toEqual({
    'input.cluster': 'Enter a cluster.',
    'input.replicas': 'Enter at most 5.',
    'input.owner.email': 'Enter an email.',
  })
})

test('what is sent has its defaults, groups that must be there, and no box that nobody ticked', () => {
  expect(filledInput(schema, { cluster: 'a', owner: { email: 'a@b.ch' } })).toEqual({
    cluster: 'a',
    replicas: 2,
    sure: false,
    owner: { email: 'a@b.ch', team: 'sre' },
  })
  expect(filledInput(schema, { cluster: undefined, other: 1 })).toEqual({
    replicas: 2,
    sure: false,
    owner: { team: 'sre' },
    other: 1,
  })
})

test('a time is entered in the zone of the browser and kept with its zone', () => {
  const local = localText('2026-01-31T08:00:00Z')
  expect(timeOfLocal(local)).toBe('2026-01-31T08:00:00.000Z')
  expect([localText('tomorrow'), localText(''), timeOfLocal('')]).toEqual(['', '', undefined])
})
