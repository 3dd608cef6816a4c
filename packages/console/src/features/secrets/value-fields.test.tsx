import type { SecretType } from '@bey/contract'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { emptyValue, knownValue, readValue, type ValueDraft } from './value-draft.ts'
import { ValueFields } from './value-fields.tsx'

afterEach(cleanup)

const known = { engine: 'postgres', host: 'db.internal', port: '5432', username: 'shop' }

function Form({ type, first, isChange }: { type: SecretType; first: ValueDraft; isChange?: true }) {
  const [draft, setDraft] = useState(first)
  return (
    <>
      <ValueFields
        type={type}
        draft={draft}
        onChange={setDraft}
        errors={{}}
        {...(isChange && { isChange })}
      />
      <output>{JSON.stringify(readValue(type, draft))}</output>
    </>
  )
}

test('a change of a login asks for the password alone: what is known is a line that opens', () => {
  const { container } = render(<Form type="database" first={knownValue(known)} isChange />)
  const [first] = container.querySelectorAll('input')
  expect(first?.getAttribute('type')).toBe('password')
  expect(container.querySelector('[data-initial-focus]')).toBe(first)
  expect(container.querySelectorAll('input')).toHaveLength(1)
  expect(screen.getByText(/^Engine, host, port, .* stay$/)).toBeTruthy()
  if (first) fireEvent.change(first, { target: { value: 'new-password' } })
  expect(JSON.parse(screen.getByRole('status').textContent)).toEqual({
    value: { ...known, password: 'new-password' },
  })
  fireEvent.click(screen.getByRole('button', { name: 'Generate' }))
  expect(JSON.parse(screen.getByRole('status').textContent).value.password).toMatch(/^[A-Za-z0-9]{32}$/)
  fireEvent.click(screen.getByRole('button', { name: 'Edit what stays' }))
  expect(screen.getByDisplayValue('db.internal')).toBeTruthy()
})

test('a value of fewer than four characters says that workflows refuse it', () => {
  render(<Form type="opaque" first={emptyValue} />)
  const field = screen.getByLabelText(/^Value/)
  fireEvent.change(field, { target: { value: 'abc' } })
  expect(screen.getByText(/Workflows refuse values of fewer than 4 characters/)).toBeTruthy()
  fireEvent.change(field, { target: { value: 'abcd' } })
  expect(screen.queryByText(/Workflows refuse/)).toBeNull()
})
