import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { FilterSelect } from './filter-select.tsx'

afterEach(cleanup)

const labels = () => screen.getAllByRole('option').map((each) => each.textContent)

test('everything is a choice of its own, in force while no value is', () => {
  const options = ['Running', { value: 'Failed', label: 'failed' }]
  render(
    <FilterSelect
      label="Phase"
      all="All phases"
      value={undefined}
      options={options}
      onChange={() => undefined}
    />,
  )
  expect(labels()).toEqual(['All phases', 'Running', 'failed'])
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Phase' }).value).toBe('')
})

test('a value that is not among the options stays chosen', () => {
  render(
    <FilterSelect
      label="Namespace"
      all="All namespaces"
      value="gone"
      options={['default']}
      onChange={() => undefined}
    />,
  )
  expect(labels()).toEqual(['All namespaces', 'gone', 'default'])
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Namespace' }).value).toBe('gone')
})
